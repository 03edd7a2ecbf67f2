import Glibc
import Synchronization

/// A broker of a few lines, for behaviour that Mosquitto lacks: old versions, odd answers, silence.
///
/// Accepts one connection after the other on a thread of its own, until it is deallocated.
public final class ScriptedBroker: Sendable {
    public let port: UInt16
    /// The protocol level of each CONNECT: 5, or 4 for version 3.1.1.
    public let levels = Recorder<UInt8>()
    /// All packets received on all connections, in the form that `respond` gets.
    public let packets = Recorder<[UInt8]>()
    /// The number of connections that have ended.
    public let ended = Recorder<Void>()
    private let listener: Int32
    /// -1 without a connection.
    private let connection: Connection

    private final class Connection: Sendable {
        let descriptor = Mutex<Int32>(-1)
    }

    /// - Parameters:
    ///   - hangsUp: its side of a connection is closed after the first answer.
    ///   - respond: the answer to one packet, fixed header included; nil closes the connection.
    public init(hangsUp: Bool = false, _ respond: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
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
        let (levels, packets, ended) = (levels, packets, ended)
        let connection = Connection()
        self.connection = connection
        inBackground {
            Self.serve(descriptor, connection, ended, hangsUp) { packet in
                packets.add(packet)
                if packet[0] == 0x10 { levels.add(packet[8]) }
                return respond(packet)
            }
        }
    }

    /// CONNACK: success, no properties (MQTT 5 section 3.2).
    public static let welcome: [UInt8] = [0x20, 0x03, 0x00, 0x00, 0x00]

    /// PUBACK of a packet identifier without a reason code: success, in both versions.
    public static func acknowledge(_ publish: [UInt8]) -> [UInt8] {
        let topicEnd = 4 + Int(publish[2]) << 8 + Int(publish[3])
        return [0x40, 0x02, publish[topicEnd], publish[topicEnd + 1]]
    }

    /// PUBLISH with QoS 1 and no properties (MQTT 5 section 3.3).
    public static func publish(_ topic: String, _ payload: [UInt8], packet: UInt8) -> [UInt8] {
        let body = [0x00, UInt8(topic.utf8.count)] + Array(topic.utf8) + [0x00, packet, 0x00] + payload
        var (length, bytes) = (body.count, [UInt8]())
        repeat {
            bytes.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return [0x32] + bytes + body
    }

    /// Sends an unsolicited packet to the connected client.
    public func say(_ packet: [UInt8]) {
        connection.descriptor.withLock { if $0 >= 0 { Self.write(packet, to: $0) } }
    }

    private static func write(_ bytes: [UInt8], to connection: Int32) {
        _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(
        _ listener: Int32, _ current: Connection, _ ended: Recorder<Void>, _ hangsUp: Bool,
        _ respond: ([UInt8]) -> [UInt8]?
    ) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            current.descriptor.withLock { $0 = connection }
            while let packet = readPacket(connection) {
                guard let answer = respond(packet) else { break }
                write(answer, to: connection)
                if hangsUp { shutdown(connection, Int32(SHUT_WR)) }
            }
            current.descriptor.withLock { $0 = -1 }
            close(connection)
            ended.add(())
        }
        close(listener)
    }

    /// Reads a packet, with one byte in the place of its length, of any size: the protocol level of a CONNECT is then
    /// byte 8, the topic of a PUBLISH begins at byte 4.
    private static func readPacket(_ connection: Int32) -> [UInt8]? {
        guard let type = readBytes(connection, 1)?.first else { return nil }
        var (length, shift) = (0, 0)
        while true {
            guard let byte = readBytes(connection, 1)?.first, shift <= 21 else { return nil }
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        guard let body = readBytes(connection, length) else { return nil }
        return [type, UInt8(truncatingIfNeeded: length)] + body
    }

    private static func readBytes(_ connection: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        guard count == 0 || recv(connection, &bytes, count, Int32(MSG_WAITALL)) == count else { return nil }
        return bytes
    }
}

private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Runs a body on a detached thread: it blocks, and must not hold up the cooperative pool.
public func inBackground(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    pthread_create(&thread, nil, { runWork($0) }, work)
    pthread_detach(thread)
}

private func runWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
}
