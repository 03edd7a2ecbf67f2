import Foundation
import Glibc
import TestSupport

/// One event of the gateway's feed, by the public names of its fields.
struct FeedLine: Decodable, Sendable, CustomStringConvertible {
    struct Place: Decodable, Sendable {
        let source: String
        var latitude: Double?
        var longitude: Double?
        var ageSeconds: Double?
        var errorM: Double?
        var of: String?
        var device: String?
        var address: String?
    }

    let event: String
    var person: String?
    var device: String?
    var value: Double?
    var unit: String?
    var id: String?
    var notJudged: String?
    var latitude: Double?
    var longitude: Double?
    var rule: String?
    var alarm: String?
    var repetition: Int?
    var round: Int?
    var channel: String?
    var by: String?
    var beforeDispatch: Bool?
    var location: Place?
    var code: String?
    var subject: String?
    var raised: Bool?
    var text: String?
    var confirmedAfterMs: Int64?

    var description: String {
        let details: [String?] = [
            person, value.map { "\($0)" }, alarm, code, subject, raised.map { $0 ? "raised" : "cleared" }, text,
        ]
        return ([event] + details.compactMap { $0 }).joined(separator: " ")
    }

    func isHealth(_ code: String, _ raised: Bool) -> Bool {
        event == "health" && self.code == code && self.raised == raised
    }
}

/// JSON with keys in snake case, as the gateway and the rig write it.
enum SnakeCase {
    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(text.utf8))
    }
}

/// Watcher of a gateway's feed on its control socket.
final class FeedWatcher: Sendable {
    let lines = Recorder<FeedLine>()
    private let descriptor: Int32

    /// Returns when the gateway counts it among its watchers: it sees all later events.
    init(_ path: String) async throws {
        descriptor = try LocalSocket.connect(to: path)
        Self.write(#"{"verb":"watch"}"#, to: descriptor)
        Thread.detachNewThread { [descriptor, lines] in
            for line in LineReader(descriptor) {
                // A line that is not understood is reported as such, and fails the waiting test.
                let event = try? SnakeCase.decode(FeedLine.self, from: line)
                lines.add(event ?? FeedLine(event: "not understood", text: line))
            }
            close(descriptor)
        }
        try await Self.barrier(path)
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    var mark: Int { lines.mark }

    @discardableResult
    func first(
        _ event: String, after mark: Int = 0, where isIt: @escaping @Sendable (FeedLine) -> Bool = { _ in true }
    )
        async throws -> FeedLine
    {
        try await lines.first("'\(event)' on the feed", after: mark) { $0.event == event && isIt($0) }
    }

    @discardableResult
    func health(_ code: String, _ raised: Bool, after mark: Int = 0) async throws -> FeedLine {
        try await first("health", after: mark) { $0.isHealth(code, raised) }
    }

    /// A request that is answered after the watch was accepted: callers are served in their order.
    private static func barrier(_ path: String) async throws {
        let answers = Recorder<String>()
        let descriptor = try LocalSocket.connect(to: path)
        write(#"{"verb":"status"}"#, to: descriptor)
        Thread.detachNewThread {
            for line in LineReader(descriptor) { answers.add(line) }
            close(descriptor)
        }
        try await answers.first("the gateway's answer") { _ in true }
    }

    private static func write(_ line: String, to descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
