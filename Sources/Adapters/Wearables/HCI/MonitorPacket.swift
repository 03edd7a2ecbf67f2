/// One packet of the kernel's monitor channel (include/net/bluetooth/hci_mon.h): opcode, adapter number and
/// length, two bytes each, little-endian, then what was said on the wire, without the packet type.
enum MonitorPacket: Hashable, Sendable {
    enum Opcode {
        static let newIndex: UInt16 = 0
        static let deletedIndex: UInt16 = 1
        static let command: UInt16 = 2
        static let event: UInt16 = 3
        static let openIndex: UInt16 = 8
        static let closeIndex: UInt16 = 9
        static let indexInformation: UInt16 = 10
        static let adapters = [newIndex, deletedIndex, openIndex, closeIndex, indexInformation]
    }

    enum EventCode {
        static let commandComplete: UInt8 = 0x0E
        static let commandStatus: UInt8 = 0x0F
        static let leMeta: UInt8 = 0x3E
    }

    static let headerLength = 6
    /// An event has at most 255 bytes of parameters after its code and length.
    static let longest = headerLength + 2 + 255

    /// Parameters of an LE Meta event of `adapter`, from the subevent code on: offsets in the packet.
    case leMeta(adapter: UInt16, Range<Int>)
    /// - hasExtendedScan: of the answer to Read Local Supported Commands.
    case completed(adapter: UInt16, opcode: UInt16, status: UInt8, hasExtendedScan: Bool?)
    case command(adapter: UInt16, ObservedCommand)
    /// An adapter came, went, or was switched on or off.
    case adaptersChanged
    /// What is none of the scanner's business.
    case other
    /// Shorter than it says.
    case malformed

    init(_ packet: Span<UInt8>) {
        guard packet.count >= Self.headerLength else {
            self = .malformed
            return
        }
        let opcode = packet.pair(at: 0)
        let adapter = packet.pair(at: 2)
        let end = Self.headerLength + Int(packet.pair(at: 4))
        guard end <= packet.count else {
            self = .malformed
            return
        }
        let payload = Self.headerLength..<end
        switch opcode {
        case Opcode.event: self = Self.event(packet, payload, adapter)
        case Opcode.command: self = Self.command(packet, payload, adapter)
        case let opcode where Opcode.adapters.contains(opcode): self = .adaptersChanged
        default: self = .other
        }
    }

    private static func event(_ packet: Span<UInt8>, _ payload: Range<Int>, _ adapter: UInt16) -> MonitorPacket
    {
        guard payload.count >= 2 else { return .malformed }
        let start = payload.lowerBound + 2
        let end = start + Int(packet[start - 1])
        guard end <= payload.upperBound else { return .malformed }
        switch packet[start - 2] {
        case EventCode.leMeta: return .leMeta(adapter: adapter, start..<end)
        case EventCode.commandComplete:
            // Number of packets allowed, opcode, then the return parameters, status first.
            guard end - start >= 4 else { return .malformed }
            return completed(packet.extracting(start + 3..<end), packet.pair(at: start + 1), adapter)
        case EventCode.commandStatus:
            // Status, number of packets allowed, opcode. Status 0 is "pending": the completion follows.
            guard end - start >= 4 else { return .malformed }
            guard packet[start] != 0 else { return .other }
            return .completed(
                adapter: adapter, opcode: packet.pair(at: start + 2), status: packet[start],
                hasExtendedScan: nil)
        default: return .other
        }
    }

    private static func completed(_ result: Span<UInt8>, _ opcode: UInt16, _ adapter: UInt16) -> MonitorPacket {
        var hasExtendedScan: Bool?
        // Octet 37 of Supported_Commands: bit 5 set parameters, bit 6 enable (Core 5.4, Vol 4, Part E,
        // 6.27). By the same two bits the kernel chooses.
        if opcode == ScanCommand.Opcode.readSupportedCommands, result.count > 1 + 37 {
            hasExtendedScan = result[1 + 37] & 0x60 == 0x60
        }
        return .completed(
            adapter: adapter, opcode: opcode, status: result[0], hasExtendedScan: hasExtendedScan)
    }

    private static func command(_ packet: Span<UInt8>, _ payload: Range<Int>, _ adapter: UInt16)
        -> MonitorPacket
    {
        guard payload.count >= 3 else { return .malformed }
        let start = payload.lowerBound + 3
        let parameters = packet.extracting(start..<payload.upperBound)
        let command = ObservedCommand(opcode: packet.pair(at: start - 3), parameters: parameters)
        return command.map { .command(adapter: adapter, $0) } ?? .other
    }
}

extension Span where Element == UInt8 {
    fileprivate func pair(at offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }
}
