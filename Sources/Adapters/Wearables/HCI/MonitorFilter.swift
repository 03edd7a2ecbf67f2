import RealTime

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
