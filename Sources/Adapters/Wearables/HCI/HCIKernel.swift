import Glibc
import RealTime

/// Requests of the scanner to the kernel. Behind a protocol, so that a test can write the kernel's part.
protocol HCIKernel: Sendable {
    func adapters() throws(LocalAdapters.Failure) -> [LocalAdapter]
    /// A packet socket that carries monitor packets, to be closed by the caller. At first only the coming
    /// and going of adapters.
    func openMonitor() throws(SystemCallError) -> Int32
    /// From now on the monitor carries the packets of this adapter, too.
    func watch(_ adapter: UInt16?, on monitor: Int32) throws(SystemCallError)
    /// Its answer comes on the monitor.
    func send(_ command: ScanCommand, to adapter: UInt16) throws(SystemCallError)
    /// Packets that the monitor had no room for, since it was opened.
    func drops(_ monitor: Int32) -> UInt32
}

/// Linux, by its Bluetooth sockets (include/net/bluetooth/hci_sock.h). Needs CAP_NET_RAW.
struct LinuxHCIKernel: HCIKernel {
    private static let bluetoothFamily: Int32 = 31
    private static let hciProtocol: Int32 = 1
    private static let rawChannel: UInt16 = 0
    /// A read-only copy of all that passes between kernel and controllers. Disturbs nobody.
    private static let monitorChannel: UInt16 = 2
    /// The monitor is bound to no adapter.
    private static let noAdapter: UInt16 = 0xFFFF
    /// Asked for; the kernel gives at most net.core.rmem_max, 208 KiB by default. A packet counts for about
    /// 768 bytes, so that holds 270: a seventh of a second at 2,000 adverts a second.
    private static let bufferSize: Int32 = 1 << 20

    func adapters() throws(LocalAdapters.Failure) -> [LocalAdapter] { try LocalAdapters.list() }

    func openMonitor() throws(SystemCallError) -> Int32 {
        let monitor = try open()
        do throws(SystemCallError) {
            var size = Self.bufferSize
            // Refused, the default size has to do.
            _ = setsockopt(monitor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            // Before it is bound, so that it never carries anything else.
            try watch(nil, on: monitor)
            try bind(monitor, adapter: Self.noAdapter, channel: Self.monitorChannel)
            return monitor
        } catch {
            close(monitor)
            throw error
        }
    }

    func watch(_ adapter: UInt16?, on monitor: Int32) throws(SystemCallError) {
        try MonitorFilter.program(adapter: adapter).attach(to: monitor)
    }

    /// The socket lives for one command: while a raw socket is bound, the kernel copies it every packet.
    func send(_ command: ScanCommand, to adapter: UInt16) throws(SystemCallError) {
        let socket = try open()
        defer { close(socket) }
        try bind(socket, adapter: adapter, channel: Self.rawChannel)
        let packet = command.packet
        guard write(socket, packet, packet.count) == packet.count else {
            throw SystemCallError("write to HCI socket")
        }
    }

    func drops(_ monitor: Int32) -> UInt32 { SocketFilter.drops(at: monitor) }

    private func open() throws(SystemCallError) -> Int32 {
        let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(Self.bluetoothFamily, kind, Self.hciProtocol)
        guard descriptor >= 0 else { throw SystemCallError("socket AF_BLUETOOTH") }
        return descriptor
    }

    /// struct sockaddr_hci: family, adapter, channel, two bytes each in the machine's order.
    private func bind(_ socket: Int32, adapter: UInt16, channel: UInt16) throws(SystemCallError) {
        let address = [UInt16(Self.bluetoothFamily), adapter, channel]
        let result = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.bind(socket, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else { throw SystemCallError("bind HCI socket, channel \(channel)") }
    }
}
