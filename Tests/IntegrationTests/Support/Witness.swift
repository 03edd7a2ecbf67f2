import Foundation
import JSONReading
import TestSupport

/// One message at the broker.
struct WireMessage: Sendable, CustomStringConvertible {
    struct Payload: Decodable, Sendable {
        struct Profile: Decodable, Sendable {
            var name: String
        }

        struct Place: Decodable, Sendable {
            let source: String
            var latitude: Double?
            var longitude: Double?
            /// Seconds.
            var age: Double?
            /// Metres.
            var error: Double?
            var of: String?
            var device: String?
            var address: String?

            private enum CodingKeys: String, CodingKey {
                case source, latitude, longitude, of, device, address
                case age = "age_seconds"
                case error = "error_m"
            }
        }
        struct Cause: Decodable, Sendable {
            let rule: String
            var value: Double?
        }
        struct Ending: Decodable, Sendable {
            let how: String
            let by: String
        }
        struct Condition: Decodable, Sendable {
            let code: String
        }

        var id: String?
        var person: String?
        var device: String?
        var kind: String?
        var value: Double?
        var unit: String?
        var loinc: String?
        var contact: String?
        var time: String?
        var alarm: String?
        var state: String?
        var drill: Bool?
        var profile: Profile?
        var round: Int?
        var cause: Cause?
        var location: Place?
        var ending: Ending?
        var conditions: [Condition]?
    }

    let topic: String
    let text: String
    let payload: Payload

    init(topic: String, text: String) {
        (self.topic, self.text) = (topic, text)
        payload = (try? JSONReader.decode(Payload.self, from: text.utf8, limit: 1 << 20)) ?? Payload()
    }

    /// Returns the readings of a gathered message as single messages; another message as it is.
    static func all(_ line: String) -> [WireMessage] {
        let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return [] }
        guard var shared = try? JSONSerialization.jsonObject(with: Data(parts[1].utf8)) as? [String: Any],
            let samples = shared.removeValue(forKey: "samples") as? [[String: Any]]
        else { return [WireMessage(topic: parts[0], text: parts[1])] }
        return samples.compactMap { own in
            var sample = shared.merging(own) { _, own in own }
            sample["received"] = sample["received"] ?? sample["time"]
            guard let kind = sample["kind"] as? String,
                let data = try? JSONSerialization.data(
                    withJSONObject: sample, options: [.sortedKeys, .withoutEscapingSlashes])
            else { return nil }
            let topic = parts[0].contains("/parties/") ? parts[0] : "\(parts[0])/\(kind)"
            return WireMessage(topic: topic, text: String(decoding: data, as: UTF8.self))
        }
    }

    var description: String { "\(topic) \(text)" }

    func isSample(_ value: Double? = nil) -> Bool {
        topic.contains("/samples/") && (value == nil || payload.value == value)
    }

    var isSOS: Bool { topic.contains("/sos/") && !topic.hasSuffix("/accepted") }
    var isConfirmed: Bool { isSOS && payload.state == "confirmed" }
}

/// A client of another party at the broker. It sees every message under `trackme/v1`.
final class Witness: Sendable {
    private let child: TiedChild
    private let port: UInt16

    /// Returns when the broker has subscribed it.
    /// - Parameter session: a client id under which the broker keeps the session while the witness or the broker itself
    ///   is away; without it, only messages during the connection are seen.
    init(port: UInt16, session: String? = nil) async throws {
        self.port = port
        let ready = "trackme/v1/witness/\(UUID().uuidString)"
        // A retained message that was published before shows that it listens.
        try await Self.publish("{}", to: ready, port: port, options: ["-r"])
        child = try TiedChild(
            ["/usr/bin/mosquitto_sub", "-p", "\(port)", "-t", "trackme/v1/#", "-q", "1", "-F", "%t\t%p"]
                + (session.map { ["-c", "-i", $0] } ?? []))
        try await child.output.first("the witness's subscription") { $0.hasPrefix(ready) }
    }

    func end() async { await child.killed() }

    var mark: Int { child.output.mark }

    /// Topic and payload of each message as it came, with a tab between.
    var lines: [String] { child.output.values }

    /// All messages so far, in the order of their arrival.
    var messages: [WireMessage] { child.output.values.flatMap(WireMessage.all) }
    var samples: [WireMessage] { messages.filter { $0.isSample() } }
    /// The samples as a consumer counts them: of those with one id, one. A message comes again if its acknowledgement
    /// was lost with the connection.
    var distinctSamples: [WireMessage] {
        var ids: Set<String> = []
        return samples.filter { ids.insert($0.payload.id ?? "").inserted }
    }
    var calls: [WireMessage] { messages.filter(\.isSOS) }

    @discardableResult
    func first(_ what: String, after mark: Int = 0, where isIt: @escaping @Sendable (WireMessage) -> Bool)
        async throws -> WireMessage
    {
        let line = try await child.output.first("\(what) at the broker", after: mark) {
            WireMessage.all($0).contains(where: isIt)
        }
        guard let message = WireMessage.all(line).first(where: isIt) else { throw Missing(description: line) }
        return message
    }

    @discardableResult
    func sample(_ value: Double, after mark: Int = 0) async throws -> WireMessage {
        try await first("the reading \(value)", after: mark) { $0.isSample(value) }
    }

    @discardableResult
    func call(_ state: String, after mark: Int = 0) async throws -> WireMessage {
        try await first("a call '\(state)'", after: mark) { $0.isSOS && $0.payload.state == state }
    }

    /// Accepts the call, as a person at the service.
    func accept(_ alarm: String, of person: String, by: String) async throws {
        try await answer(#"{"alarm": "\#(alarm)", "by": "\#(by)"}"#, to: person)
    }

    /// Publishes a payload on the topic of acceptances.
    func answer(_ payload: String, to person: String) async throws {
        try await Self.publish(
            payload, to: "trackme/v1/\(HouseSettings.gateway)/sos/\(person)/accepted", port: port)
    }

    /// - Parameter client: its id at the broker; nil for one of the broker's choice.
    func send(_ payload: String, to topic: String, as client: String? = nil) async throws {
        try await Self.publish(payload, to: topic, port: port, options: client.map { ["-i", $0] } ?? [])
    }

    private static func publish(_ payload: String, to topic: String, port: UInt16, options: [String] = [])
        async throws
    {
        let child = try TiedChild(
            ["/usr/bin/mosquitto_pub", "-p", "\(port)", "-q", "1", "-t", topic, "-m", payload] + options)
        let code = try await child.exitCode()
        guard code == 0 else {
            throw Missing(description: "mosquitto_pub: \(child.errors.values.joined(separator: " "))")
        }
    }
}
