import Foundation
import Synchronization
import TestSupport

/// The real parts around a gateway: a private bus with the virtual bluetoothd, gpsd, Mosquitto.
///
/// Operations and events are those of `services.py` and `virtual_bluez.py`.
final class Rig: Sendable {
    struct Wearable: Encodable, Sendable {
        let id: String
        var kind = "heart_rate"
        let address: String
        var known = false
        var onAir = true
        /// How often each notification is sent once more.
        var repeats = 0
        /// Name in its adverts; nil for one of the rig.
        var name: String?
        /// How it pairs, see `agent.py`; nil for no question.
        var pairing: String?
        /// Each notification that goes through a socket is told as a changed property too.
        var echoes = false
    }

    /// One line of the rig's standard output.
    struct Event: Decodable, Sendable, CustomStringConvertible {
        let event: String
        var id: String?
        var state: String?
        var message: String?
        var characteristic: String?
        /// What was written, as hexadecimal digits.
        var hex: String?
        /// Whether the adapter's power was switched on.
        var on: Bool?
        var duplicates: Bool?

        var description: String {
            [event, id, state, message].compactMap { $0 }.joined(separator: " ")
        }
    }

    private struct Addresses: Decodable {
        let bus: String
        var gpsdPort: UInt16?
        var brokerPort: UInt16?
    }

    private struct Configuration: Encodable {
        let peripherals: [Wearable]
    }

    let bus: String
    let gpsdPort: UInt16?
    let brokerPort: UInt16?
    private let child: TiedChild
    /// The limit of 5 s for the heart rate, less a second: the gateway counts from the arrival of a value.
    private static let silence = Duration.seconds(4)
    private struct Speaker: Hashable {
        let id: String
        /// Nil for the one that the kind measures with.
        let characteristic: String?
    }
    /// Time of the last value of each characteristic.
    private let spoken = Mutex<[Speaker: ContinuousClock.Instant]>([:])

    static let directory = Repository.root.appending(path: "Tests/Rig")

    /// Returns when every part is ready.
    init(_ wearables: [Wearable], without: [String] = [], refusing: Bool = false, in scratch: ScratchDirectory)
        async throws
    {
        let configuration = scratch.file("peripherals.json")
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        try encoder.encode(Configuration(peripherals: wearables)).write(to: configuration)
        child = try TiedChild(
            [
                "/usr/bin/python3", Self.directory.appending(path: "services.py").path, "up", "--config",
                configuration.path,
            ] + without.map { "--no-\($0)" } + (refusing ? ["--refuse"] : []))
        let line = try await child.output.first("the rig's addresses") { _ in true }
        let addresses = try SnakeCase.decode(Addresses.self, from: line)
        (bus, gpsdPort, brokerPort) = (addresses.bus, addresses.gpsdPort, addresses.brokerPort)
    }

    func end() async {
        // The end of its input is how it is told.
        child.closeInput()
        await child.ended()
    }

    var mark: Int { child.output.mark }

    /// So far.
    func hasTold(_ isIt: (Event) -> Bool) -> Bool {
        child.output.values.contains { Self.event($0).map(isIt) ?? false }
    }

    @discardableResult
    func event(_ what: String, after mark: Int = 0, where isIt: @escaping @Sendable (Event) -> Bool)
        async throws -> Event
    {
        let line = try await child.output.first(what, after: mark) { line in
            Self.event(line).map(isIt) ?? false
        }
        return Self.event(line) ?? Event(event: line)
    }

    private static func event(_ line: String) -> Event? {
        try? JSONDecoder().decode(Event.self, from: Data(line.utf8))
    }

    // MARK: Operations

    /// One of the parts: `perform("broker", "stop")`. Returns when it is done.
    func perform(_ part: String, _ verb: String) async throws {
        let mark = mark
        child.write(#"{"op": "\#(part)", "do": "\#(verb)"}"#)
        let answer = try await event("\(part) \(verb)", after: mark) {
            ($0.event == part && $0.state != "ended") || $0.event == "error"
        }
        if answer.event == "error" { throw Missing(description: "the rig: \(answer)") }
    }

    /// The strap is connected and the gateway listens to it.
    /// - Parameter characteristic: nil for whichever comes first.
    func subscribed(_ id: String = "strap", to characteristic: String? = nil, after mark: Int = 0) async throws
    {
        try await event("the subscription to \(id)", after: mark) {
            $0.event == "subscribed" && $0.id == id
                && (characteristic == nil || $0.characteristic == characteristic)
        }
    }

    /// One operation of the virtual bluetoothd; returns when it has told `event`.
    func operate(_ operation: String, until event: String) async throws {
        let mark = mark
        child.write(operation)
        let answer = try await self.event(operation, after: mark) { $0.event == event || $0.event == "error" }
        if answer.event == "error" { throw Missing(description: "the rig: \(answer)") }
    }

    /// A reading of a strap.
    func send(_ beatsPerMinute: Int, from id: String = "strap", contact: Bool = true) async throws {
        try await send(#"{"bpm": \#(beatsPerMinute), "contact": \#(contact)}"#, from: id)
    }

    /// While the gateway may be connecting anew: sends once it is subscribed.
    func sendWhenSubscribed(_ beatsPerMinute: Int, from id: String = "strap") async throws {
        spoken.withLock { $0[Speaker(id: id, characteristic: nil)] = nil }
        try await send(beatsPerMinute, from: id)
    }

    /// The link is lost; the strap stays in range.
    func disconnect(_ id: String = "strap") async throws {
        let mark = mark
        child.write(#"{"op": "disconnect", "id": "\#(id)"}"#)
        try await event("the loss of the link", after: mark) { $0.event == "disconnected" && $0.id == id }
    }

    /// Bytes as they are.
    func send(hex: String, from id: String = "strap") async throws {
        try await send(#"{"hex": "\#(hex)"}"#, from: id)
    }

    /// The gateway listens to adverts through bluetoothd.
    func hearsAdverts(after mark: Int = 0) async throws {
        try await event("a discovery for adverts", after: mark) {
            $0.event == "discovering" && $0.duplicates == true
        }
    }

    /// One advert of a beacon with this BTHome service data, after the UUID. Returns when it is on the bus; while
    /// a wearable is being connected nobody listens, and it is sent again.
    func advertise(_ bytes: [UInt8], from id: String, times: Int = 1) async throws {
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        for _ in 0..<5 {
            let mark = mark
            child.write(#"{"op": "advertise", "id": "\#(id)", "hex": "\#(hex)", "times": \#(times)}"#)
            let answer = try await event("the advert of \(id)", after: mark) {
                ["advertised", "unheard"].contains($0.event) && $0.id == id || $0.event == "error"
            }
            if answer.event == "advertised" { return }
            guard answer.event == "unheard" else { throw Missing(description: "no advert: \(answer)") }
            try await hearsAdverts(after: mark)
        }
        throw Missing(description: "\(id) is not heard: the gateway does not go on listening")
    }

    /// A value as the encoder of the wearable's kind takes it. Returns when it is on the bus.
    ///
    /// The gateway renews the subscription of a characteristic that was silent for `silence`: a value after it, and the
    /// first one, is sent in the next subscription. After a shorter silence a gateway that is not subscribed is a failure.
    /// - Parameter characteristic: nil for the one that the kind measures with.
    func send(_ value: String, from id: String, characteristic: String? = nil) async throws {
        let source = characteristic.map { #", "characteristic": "\#($0)""# } ?? ""
        let speaker = Speaker(id: id, characteristic: characteristic)
        let isSilent = spoken.withLock { $0[speaker].map { .now - $0 >= Self.silence } ?? true }
        for _ in 0..<5 {
            let mark = mark
            child.write(#"{"op": "send", "id": "\#(id)", "value": \#(value)\#(source)}"#)
            let answer = try await event("the sending of \(value)", after: mark) {
                ["sent", "dropped"].contains($0.event) && $0.id == id || $0.event == "error"
            }
            if answer.event == "sent" {
                spoken.withLock { $0[speaker] = .now }
                return
            }
            guard answer.event == "dropped", isSilent else {
                throw Missing(description: "\(value) was not sent: \(answer)")
            }
            try await subscribed(id, to: characteristic, after: mark)
        }
        throw Missing(description: "\(value) could not be sent: the gateway does not stay subscribed to \(id)")
    }
}
