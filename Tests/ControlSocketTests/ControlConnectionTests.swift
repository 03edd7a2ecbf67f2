import ControlSocket
import Foundation
import GatewayModel
import Glibc
import Testing

@Suite struct `A caller at the control socket` {
    /// The gateway's end of a connection, and what `sent` into the other end gives.
    private static func received(
        _ sent: [String], then change: (inout ControlConnection) -> Void = { _ in }
    ) throws -> [String] {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var connection = ControlConnection(descriptor: ends[0], at: BootInstant(nanoseconds: 0))
        var seen: [String] = []
        for text in sent {
            _ = text.withCString { send(ends[1], $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            switch connection.receive() {
            case .line(let line):
                seen.append(String(decoding: line, as: UTF8.self))
                change(&connection)
            case .nothingYet: seen.append("-")
            case .closed: seen.append("closed")
            }
        }
        return seen
    }

    @Test func `asks one thing: bytes after its request are dropped, and take no memory`() throws {
        let flood = Array(repeating: String(repeating: "{}\n", count: 1_000), count: 50)
        for isWatching in [true, false] {
            let seen = try Self.received(["{\"verb\":", "\"watch\"}\n"] + flood) { connection in
                if isWatching { connection.beginWatching() } else { connection.awaitsAnswer = true }
            }
            #expect(seen == ["-", "{\"verb\":\"watch\"}"] + Array(repeating: "-", count: 50))
        }
    }

    @Test func `is let go where its request has no end`() throws {
        #expect(
            try Self.received([String(repeating: "x", count: 4_000), String(repeating: "x", count: 97)]) == [
                "-", "closed",
            ])
    }
}
