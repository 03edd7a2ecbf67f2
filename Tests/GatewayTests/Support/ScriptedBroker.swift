import Glibc
import Synchronization

/// A broker of a few lines, for what Mosquitto does not do: old versions, odd answers, silence.
///
/// Takes one connection after the other on a thread of its own, until it is let go.
final class ScriptedBroker: Sendable {
    let port: UInt16
    /// The protocol level of each CONNECT: 5, or 4 for version 3.1.1.
    let levels = Recorder<UInt8>()
    private let listener: Int32

    /// - Parameter respond: the answer to one packet, fixed header included; nil closes the connection.
    init(_ respond: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = bind(descriptor, generic, length)
                _ = getsockname(descriptor, generic, &length)
            }
        }
        _ = listen(descriptor, 4)
        port = UInt16(bigEndian: address.sin_port)
        let levels = levels
        inBackground { Self.serve(descriptor, levels, respond) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(
        _ listener: Int32, _ levels: Recorder<UInt8>, _ respond: ([UInt8]) -> [UInt8]?
    ) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            while let packet = readPacket(connection) {
                if packet[0] == 0x10 { levels.add(packet[8]) }
                guard let answer = respond(packet) else { break }
                _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
            close(connection)
        }
        close(listener)
    }

    /// A packet with its fixed header, its length taken out (this broker's packets are below 128 bytes,
    /// so that the length is one byte and the protocol level of a CONNECT is byte 8).
    private static func readPacket(_ connection: Int32) -> [UInt8]? {
        var header = [UInt8](repeating: 0, count: 2)
        guard recv(connection, &header, 2, Int32(MSG_WAITALL)) == 2 else { return nil }
        var body = [UInt8](repeating: 0, count: Int(header[1]))
        guard body.isEmpty || recv(connection, &body, body.count, Int32(MSG_WAITALL)) == body.count
        else { return nil }
        return header + body
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A detached thread: what it runs blocks, and must not hold up the cooperative pool.
func inBackground(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    pthread_create(&thread, nil, { runWork($0) }, work)
    pthread_detach(thread)
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
}
