import ControlContract
import GatewayModel

/// Metrics of the house in the text format 0.0.4 of Prometheus
/// (https://prometheus.io/docs/instrumenting/exposition_formats/). Pure.
///
/// No name, id, address, reading or place is among them. Wearables and channels are numbered in the order of the state,
/// which is that of the settings.
struct HouseMetrics: Sendable {
    /// Facts that the console knows by itself.
    struct Box: Hashable, Sendable {
        /// Connections to the gateway since the start of the console, each with a state.
        var connections = 0
        var pairedDevices = 0
        /// Bytes of the file system of the state directory; nil where it cannot be looked at.
        var diskFree, diskSize: UInt64?
    }

    /// Content type of the answer.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// A wearable that was heard in this time counts as heard. A connected strap is heard each second, a sensor that
    /// advertises every few minutes.
    static let heardWithin: Int64 = 900_000

    private var lines: [String] = []

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// - Parameter house: nil while the gateway does not answer.
    init(_ house: HouseSnapshot?, _ box: Box) {
        add("up", .gauge, "Whether the gateway answers the console.", house == nil ? 0 : 1)
        add(
            "connections_total", .counter,
            "Connections of the console to the gateway: one more after each restart.",
            Double(box.connections))
        add("paired_devices", .gauge, "Screens and telephones that are paired.", Double(box.pairedDevices))
        if let free = box.diskFree, let size = box.diskSize {
            add(
                "disk_free_bytes", .gauge, "Free bytes of the disk with the state of the console.", Double(free)
            )
            add("disk_size_bytes", .gauge, "Size of that disk.", Double(size))
        }
        guard let house else { return }
        addHealth(house)
        addPersons(house)
        addCancelled(house)
        addDevices(house.devices)
        addChannels(house)
    }

    private mutating func addHealth(_ house: HouseSnapshot) {
        add(
            "info", .gauge, "Version of the gateway.", [([("version", house.version)], 1)])
        add("box_uptime_seconds", .gauge, "Time since the start of the box.", Double(house.bootNs) / 1e9)
        let codes = house.conditions.map(\.code)
        add(
            "conditions", .gauge, "Conditions that hold, by code. See: homegateway explain.",
            HealthCode.allCases.map { code in
                (
                    [("code", code.rawValue), ("severity", code.declaration.severity.rawValue)],
                    Double(codes.count { $0 == code.rawValue })
                )
            })
        let holds = { (code: HealthCode) in codes.contains(code.rawValue) }
        // A login that is refused has no subject; a topic or a message has one.
        let isRefused = house.conditions.contains {
            $0.code == HealthCode.brokerRefused.rawValue && $0.subject == nil
        }
        let isConnected =
            !holds(.brokerUnreachable) && !holds(.brokerSessionTaken) && !holds(.nothingAccepted) && !isRefused
        add("broker_connected", .gauge, "Whether there is a session with the broker.", isConnected ? 1 : 0)
        add("clock_set", .gauge, "Whether the clock of the box can be right.", holds(.clockNotSet) ? 0 : 1)
        add("outbox_messages", .gauge, "Messages that wait for the broker.", Double(house.unsent))
        let open = house.alarms.filter { $0.ending == nil }
        add(
            "open_alarms", .gauge, "Alarms that are open.",
            [
                ([("drill", "false")], Double(open.count { !$0.isDrill })),
                ([("drill", "true")], Double(open.count { $0.isDrill })),
            ])
        add(
            "runs_underway", .gauge, "Runs between their start and their end.",
            Double(house.runs.count { $0.start <= house.time && house.time < $0.end }))
    }

    private mutating func addPersons(_ house: HouseSnapshot) {
        add("persons", .gauge, "Persons of the settings.", Double(house.persons.count))
        add(
            "persons_unwatched", .gauge, "Persons whose supervision is paused.",
            Double(house.persons.count { $0.supervision?.isPaused ?? true }))
    }

    /// Of this month alone: a sum over months would fall when the oldest one is forgotten.
    private mutating func addCancelled(_ house: HouseSnapshot) {
        let months = (house.cancelledAlarms ?? []).map(\.month)
        guard let newest = months.max() else { return }
        let numbers = Dictionary(house.devices.enumerated().map { ($1.id, $0 + 1) }) { first, _ in first }
        var counts: [[String]: Int] = [:]
        for one in house.cancelledAlarms ?? [] where one.month == newest {
            let number = one.device.flatMap { numbers[$0] }.map(String.init) ?? ""
            counts[[one.rule, number], default: 0] += one.count
        }
        add(
            "alarms_cancelled", .gauge,
            "Alarms that were cancelled in the newest month with any, by cause and by the number of the wearable.",
            counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
                ([("cause", key[0]), ("number", key[1]), ("month", newest)], Double(count))
            })
    }

    private mutating func addDevices(_ devices: [HouseSnapshot.Device]) {
        let heard = devices.map { [$0.lastHeardAgeMs, $0.lastReadingAgeMs].compactMap(\.self).min() }
        add("wearables_expected", .gauge, "Wearables of the settings.", Double(devices.count))
        add(
            "wearables_heard", .gauge, "Wearables that were heard in the last 15 minutes.",
            Double(heard.count { $0.map { $0 <= Self.heardWithin } ?? false }))
        if let newest = devices.compactMap(\.lastReadingAgeMs).min() {
            add("last_reading_age_seconds", .gauge, "Time since the newest reading.", Double(newest) / 1e3)
        }
        add(
            "wearable_heard_age_seconds", .gauge,
            "Time since a wearable was heard; none before its first message.",
            Self.numbered(heard.map { $0.map { Double($0) / 1e3 } }))
        add(
            "wearable_ignored_notifications_total", .counter,
            "Notifications of a wearable since the start of the gateway that nobody judges; see its log.",
            Self.numbered(devices.map { $0.ignored.map(Double.init) }))
        add(
            "wearable_battery_ratio", .gauge, "Charge of a wearable, 0 to 1; none where it is not known.",
            Self.numbered(devices.map { $0.battery.map { Double($0) / 100 } }))
    }

    private mutating func addChannels(_ house: HouseSnapshot) {
        add("channels", .gauge, "Ways to call help.", Double(house.channels.count))
        add(
            "channels_failing", .gauge, "Ways to call help whose last test or call failed.",
            Double(house.channels.count { $0.fault != nil }))
        add(
            "channel_worked_age_seconds", .gauge, "Time since a way to call help last worked; none before.",
            Self.numbered(
                house.channels.map { channel in
                    channel.lastWorked.map { Double(max(0, house.time - $0)) / 1e3 }
                }))
        add(
            "channel_text_arrived_age_seconds", .gauge,
            "Time since a text of a channel last arrived for sure; none before, and for other channels.",
            Self.numbered(
                house.channels.map { channel in
                    channel.lastTextArrived.map { Double(max(0, house.time - $0)) / 1e3 }
                }))
    }

    // MARK: The format

    private enum Kind: String {
        case gauge, counter
    }

    private typealias Sample = (labels: [(String, String)], value: Double)

    private static func numbered(_ values: [Double?]) -> [Sample] {
        values.enumerated().compactMap { index, value in value.map { ([("number", "\(index + 1)")], $0) } }
    }

    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [([], value)])
    }

    /// A metric without samples is left out.
    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        let name = "homegateway_\(name)"
        lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)"]
        for (labels, value) in samples {
            let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
            let isWhole = value.rounded() == value && abs(value) < 1e15
            let number = isWhole ? String(Int64(value)) : String(value)
            lines.append("\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(number)")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
