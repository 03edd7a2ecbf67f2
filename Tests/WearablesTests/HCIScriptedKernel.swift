import Glibc
import RealTime
import Synchronization
import TestSupport
import WireFormats

@testable import Wearables

/// The kernel's part, written by a test: its list, its refusals, and its output on the monitor.
final class ScriptedKernel: HCIKernel {
    private struct State {
        var adapters: [LocalAdapter]
        var refusal: SystemCallError?
        var monitor: Int32?
        var answer: @Sendable (ScanCommand) -> [[UInt8]] = { _ in [] }
    }

    let sent = Recorder<ScanCommand>()
    let watched = Recorder<UInt16?>()
    private let state: Mutex<State>

    init(adapters: [LocalAdapter], refusal: SystemCallError? = nil) {
        state = Mutex(State(adapters: adapters, refusal: refusal))
    }

    deinit { state.withLock { if let monitor = $0.monitor { close(monitor) } } }

    /// Sets the monitor's output after a command of the scanner.
    func answer(_ answer: @escaping @Sendable (ScanCommand) -> [[UInt8]]) {
        state.withLock { $0.answer = answer }
    }

    func show(_ packet: [UInt8]) { state.withLock { Self.write(packet, $0) } }

    func change(_ adapters: [LocalAdapter]) {
        state.withLock { state in
            state.adapters = adapters
            Self.write(HCIMonitor.adapterChanged, state)
        }
    }

    private static func write(_ packet: [UInt8], _ state: State) {
        guard let monitor = state.monitor else { return }
        _ = Glibc.write(monitor, packet, packet.count)
    }

    func adapters() throws(LocalAdapters.Failure) -> [LocalAdapter] { state.withLock { $0.adapters } }

    func openMonitor() throws(SystemCallError) -> Int32 {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0 else {
            throw SystemCallError("socketpair")
        }
        state.withLock { $0.monitor = ends[1] }
        return ends[0]
    }

    func watch(_ adapter: UInt16?, on monitor: Int32) throws(SystemCallError) { watched.add(adapter) }

    func send(_ command: ScanCommand, to adapter: UInt16) throws(SystemCallError) {
        state.withLock { state in for packet in state.answer(command) { Self.write(packet, state) } }
        sent.add(command)
    }

    func drops(_ monitor: Int32) -> UInt32 { 0 }
}

/// Packets of the monitor channel.
enum HCIMonitor {
    static func packet(_ opcode: UInt16, adapter: UInt16 = 0, _ payload: [UInt8]) -> [UInt8] {
        let header = [opcode, adapter, UInt16(payload.count)]
        return header.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + payload
    }

    static let adapterChanged = packet(9, [])

    static func event(adapter: UInt16 = 0, _ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        packet(3, adapter: adapter, [code, UInt8(parameters.count)] + parameters)
    }

    static func complete(_ opcode: UInt16, status: UInt8, _ more: [UInt8] = []) -> [UInt8] {
        event(0x0E, [1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), status] + more)
    }

    static func command(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        packet(2, [UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters)
    }

    /// Returns the kernel's report of a command of the scanner, with a controller that obeys it.
    static func obeyed(_ command: ScanCommand, hasExtendedScan: Bool = false) -> [[UInt8]] {
        var more: [UInt8] = []
        if command == .readSupportedCommands {
            more = [UInt8](repeating: 0, count: 64)
            more[37] = hasExtendedScan ? 0x60 : 0x20
        }
        return [packet(2, Array(command.packet.dropFirst())), complete(command.opcode, status: 0, more)]
    }

    /// One legacy report of an advertiser.
    static func advert(_ number: UInt8, adapter: UInt16 = 0) -> [UInt8] {
        event(adapter: adapter, 0x3E, [0x02, 1, 3, 1, number, 0, 0, 0, 0, 0xC0, 3, 2, 1, 6, 0xC4])
    }

    static let hci0 = LocalAdapter(number: 0, name: "hci0", address: .init(octets: 1), isUp: true)
}
