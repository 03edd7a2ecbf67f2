import RealTime

/// One packet of the kernel's monitor channel (include/net/bluetooth/hci_mon.h): opcode, adapter number and
/// length, two bytes each, little-endian, then the bytes on the wire, without the packet type.
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

    private static let headerLength = 6
    /// An event has at most 255 bytes of parameters after its code and length.
    static let longest = headerLength + 2 + 255

    /// Parameters of an LE Meta event of `adapter`, from the subevent code on: offsets in the packet.
    case leMeta(adapter: UInt16, Range<Int>)
    /// - hasExtendedScan: of the answer to Read Local Supported Commands.
    case completed(adapter: UInt16, opcode: UInt16, status: UInt8, hasExtendedScan: Bool?)
    case command(adapter: UInt16, ObservedCommand)
    /// An adapter came, went, or was switched on or off.
    case adaptersChanged
    /// Packet that does not concern the scanner.
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

/// What the kernel hands to the scanner of all that it shows on the monitor channel.
///
/// The channel carries everything: readings of every wearable, link keys in commands. Nothing of that gets
/// past the kernel: only advertising reports and scan commands of one adapter, the answers to them, and the
/// coming and going of adapters. It also spares a wake-up for every packet that is none of these.
enum MonitorFilter {
    /// - Parameter adapter: nil lets through only the coming and going of adapters.
    static func program(adapter: UInt16?) -> SocketFilter {
        var steps: [SocketFilter.Step] = [.pair(at: 0)]
        for opcode in MonitorPacket.Opcode.adapters { steps += when(opcode.byteSwapped, [.accept]) }
        if let adapter {
            steps += when(MonitorPacket.Opcode.command.byteSwapped, of(adapter, commands))
            steps += when(MonitorPacket.Opcode.event.byteSwapped, of(adapter, events))
        }
        return SocketFilter(steps + [.refuse])
    }

    private static let commands: [SocketFilter.Step] =
        [.pair(at: 6)] + ScanCommand.Opcode.scanning.flatMap { when($0.byteSwapped, [.accept]) } + [.refuse]

    /// The event code is at 6, its length at 7, its parameters begin at 8.
    private static let events: [SocketFilter.Step] =
        [.byte(at: 6)]
        // Subevents: advertising report, extended advertising report.
        + when(
            UInt16(MonitorPacket.EventCode.leMeta),
            [.byte(at: 8)] + when(0x02, [.accept]) + when(0x0D, [.accept]) + [.refuse])
        + when(UInt16(MonitorPacket.EventCode.commandComplete), answer(opcodeAt: 9))
        + when(UInt16(MonitorPacket.EventCode.commandStatus), answer(opcodeAt: 10))
        + [.refuse]

    private static func answer(opcodeAt offset: UInt32) -> [SocketFilter.Step] {
        let opcodes = ScanCommand.Opcode.scanning + [ScanCommand.Opcode.readSupportedCommands]
        return [.pair(at: offset)] + opcodes.flatMap { when($0.byteSwapped, [.accept]) } + [.refuse]
    }

    private static func of(_ adapter: UInt16, _ then: [SocketFilter.Step]) -> [SocketFilter.Step] {
        [.pair(at: 2)] + when(adapter.byteSwapped, then) + [.refuse]
    }

    /// A pair is loaded with its first byte as the more significant, and Bluetooth sends the other way
    /// round: hence the swapped numbers.
    private static func when(_ value: UInt16, _ then: [SocketFilter.Step]) -> [SocketFilter.Step] {
        [.ifEqual(UInt32(value), then: 0, otherwise: UInt8(then.count))] + then
    }
}
