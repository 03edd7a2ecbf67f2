import Foundation
import Glibc

/// Browser without manners: one TCP connection, whose bytes the test writes itself.
final class RawClient {
    struct Failure: Error, CustomStringConvertible { let description: String }

    struct Reply {
        let status: Int
        /// By lowercased name.
        let fields: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// For a busy machine; no answer takes near it.
    private static let patience = Duration.seconds(20)

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var hasEnded = false

    /// - Parameters:
    ///   - receiveBuffer: bytes that the kernel keeps for this client; nil for its default.
    ///   - source: its own address; nil for the usual one.
    init(_ address: String, receiveBuffer: Int32? = nil, from source: String? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        func withPlace(_ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
            withUnsafePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
            }
        }
        if let source {
            place.sin_addr.s_addr = inet_addr(source)
            guard withPlace({ bind(descriptor, $0, size) }) == 0 else {
                throw Failure(description: "bind: \(errno)")
            }
        }
        place.sin_port = (UInt16(address.split(separator: ":").last ?? "") ?? 0).bigEndian
        place.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withPlace { connect(descriptor, $0, size) }
        guard result == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { Glibc.close(descriptor) }

    /// Sends all bytes. Returns false where the server has closed the connection before.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Sends no more; the answers can still be read.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Appends to `received`. Returns false at the end.
    private func receive(until end: ContinuousClock.Instant) throws -> Bool {
        guard !hasEnded else { return false }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let left = ContinuousClock.now.duration(to: end)
        let milliseconds = max(
            0, left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000)
        guard poll(&polled, 1, Int32(milliseconds)) > 0 else {
            throw Failure(
                description: "nothing came; so far: \(String(decoding: received.suffix(400), as: UTF8.self))")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        // A reset is an end too.
        guard count > 0 else {
            hasEnded = true
            return false
        }
        received += buffer.prefix(count)
        return true
    }

    private func wait(_ isComplete: () throws -> Bool) throws {
        let end = ContinuousClock.now + Self.patience
        while try !isComplete() {
            guard try receive(until: end) else {
                throw Failure(
                    description: "the server closed after: \(String(decoding: received, as: UTF8.self))")
            }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        try wait { received.count >= count }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Bytes before the next `separator`, which is taken too.
    private func take(upTo separator: String) throws -> String {
        let mark = Array(separator.utf8)
        var found: Range<Int>?
        try wait {
            found = received.firstRange(of: mark)
            return found != nil
        }
        guard let found else { return "" }
        defer { received.removeFirst(found.upperBound) }
        return String(decoding: received[..<found.lowerBound], as: UTF8.self)
    }

    /// Head of the next answer.
    func head() throws -> Reply {
        let lines = try take(upTo: "\r\n\r\n").components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw Failure(description: "saw '\(lines[0])', expected a status line")
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            fields[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
        }
        return Reply(status: status, fields: fields, body: [])
    }

    /// Next answer with its body.
    func reply() throws -> Reply {
        let head = try head()
        let count = head.fields["content-length"].flatMap(Int.init) ?? 0
        return Reply(status: head.status, fields: head.fields, body: try take(count))
    }

    func ask(_ request: String) throws -> Reply {
        send(request)
        return try reply()
    }

    /// Next event of a stream, from the chunks of RFC 9112, section 7.1; nil at the end of the stream.
    func event() throws -> String? {
        var event = ""
        repeat {
            guard let count = Int(try take(upTo: "\r\n"), radix: 16) else {
                throw Failure(description: "expected the size of a chunk")
            }
            event += String(decoding: try take(count), as: UTF8.self)
            _ = try take(upTo: "\r\n")
            if count == 0 { return nil }
        } while !event.hasSuffix("\n\n")
        return event
    }

    /// Reads until the server has closed the connection. Returns the bytes that came.
    @discardableResult
    func drain() throws -> String {
        let end = ContinuousClock.now + Self.patience
        while try receive(until: end) {}
        return String(decoding: received, as: UTF8.self)
    }
}
