import Foundation

/// Settings of a gateway for a test: one person with one strap, all policies accepted, an alarm that is confirmed at
/// once, and a window as short as the settings allow.
struct HouseSettings: Sendable {
    struct Resident: Sendable {
        var id: String
        var name: String
        var strap: Rig.Wearable
        var dataPolicy = true
        var automatedSOS = true
        var homeDashboard = false
        /// Nil if the settings do not name a decider.
        var decidedBy: String?
        /// Nil for the language of the house.
        var language: String?
    }

    var residents = [HouseSettings.maria]
    /// Broadcasters of the first resident.
    var beacons: [Beacon] = []
    /// Wearables on the air that are not in the settings.
    var strangers: [Rig.Wearable] = []
    /// More lines of `[bluetooth]`.
    var bluetooth = ""
    /// More lines of `[broker]`.
    var broker = ""
    /// Milliseconds; nil for the default. Short, because most tests wait for each reading.
    var gathering: Int? = 50
    /// Most tests accept without a signature.
    var takesUnsignedAcceptances = true
    /// More sections, at the end.
    var more = ""
    /// Path; nil for a socket in the house's own directory.
    var controlSocket: String?
    /// Port of a gpsd beside the rig's; nil for the rig's.
    var gpsdPort: UInt16?
    var abortWindow = 0.5
    /// Number of consecutive readings; 1 confirms at once.
    var confirmReadings = 1
    var confirmWithin = 2.0
    var repeatSeconds = 30
    /// More lines of `[gateway]`.
    var gateway = ""
    /// Keys of [house]: silent, so that the tests make no noise.
    var sound = "sound = false"
    /// A screen of the room that cancels is declared, so that nobody is without a way within reach.
    var hasScreen = true
    /// More keys of each [[person]].
    var person = ""
    /// Keys of [person.sos].
    var calls = ""

    struct Beacon: Sendable {
        var id = "button"
        var address = "C0:FF:EE:00:00:05"
        /// Lines of its [[wearable]].
        var more = ""
        /// Its key is in the file `button.key`, see `House.useKey`.
        var hasKey = false
        var signals = "button = \"sos-button\""
    }

    static let keyFile = "button.key"
    static let gateway = "house-12"
    static let address = "Via Dante 7, 20123 Milano"
    static let maria = Resident(
        id: "maria", name: "Maria Rossi", strap: Rig.Wearable(id: "strap", address: "C0:FF:EE:00:00:01"))
    static let paolo = Resident(
        id: "paolo", name: "Paolo Rossi", strap: Rig.Wearable(id: "belt", address: "C0:FF:EE:00:00:02"))

    func text(bus: String, gpsdPort: UInt16, brokerPort: UInt16, directory: URL) -> String {
        """
        [gateway]
        id = "\(Self.gateway)"
        state_directory = "\(directory.appending(path: "state").path)"
        control_socket = "\(controlSocket ?? directory.appending(path: "control.sock").path)"
        log_level = "debug"
        \(gateway)

        [installed]
        address = "\(Self.address)"
        latitude = 45.4661
        longitude = 9.1860

        [bluetooth]
        bus = "\(bus)"
        \(bluetooth)
        \(beacons.isEmpty ? "" : Self.noScanner)

        [gpsd]
        port = \(gpsdPort)

        [broker]
        host = "127.0.0.1"
        port = \(brokerPort)
        \(broker.contains("ca_file") ? "" : "tls = false")
        unsigned_acceptances = \(takesUnsignedAcceptances)
        \(gathering.map { "gather_milliseconds = \($0)" } ?? "")
        \(broker)

        [house]
        screen = \(hasScreen)
        \(sound)

        \(residents.map(section).joined(separator: "\n"))
        \(more)
        \(beacons.map { section(of: $0, directory) }.joined(separator: "\n"))
        """
    }

    /// An adapter that no machine has: the scanner is not to hear devices in the neighbourhood of the test machine.
    private static let noScanner = "trackside_adapter = \"hci99\""

    private func section(of beacon: Beacon, _ directory: URL) -> String {
        let keyFile = beacon.hasKey ? "key_file = \"\(directory.appending(path: Self.keyFile).path)\"" : ""
        return """
            [[wearable]]
            id = "\(beacon.id)"
            address = "\(beacon.address)"
            person = "\(residents.first?.id ?? "")"
            heard_by = "advertising"
            \(beacon.more)
            \(keyFile)
            [wearable.signals]
            \(beacon.signals)

            """
    }

    private func section(of resident: Resident) -> String {
        func word(_ isAccepted: Bool) -> String { isAccepted ? "accepted" : "not-accepted" }
        return """
            [[person]]
            id = "\(resident.id)"
            name = "\(resident.name)"
            data_policy = "\(word(resident.dataPolicy))"
            automated_sos = "\(word(resident.automatedSOS))"
            home_dashboard = "\(word(resident.homeDashboard))"
            \(resident.decidedBy.map { "decided_by = [\"\($0)\"]" } ?? "")
            \(resident.language.map { "language = \"\($0)\"" } ?? "")
            \(person)

            [person.sos]
            abort_window_seconds = \(abortWindow)
            repeat_seconds = \(repeatSeconds)
            \(calls)

            [person.sos.heart_rate]
            confirm_readings = \(confirmReadings)
            confirm_within_seconds = \(confirmWithin)

            # Its confirmation would not fit beside the longest windows of the tests.
            [person.sos.oxygen_saturation]
            enabled = false

            [[wearable]]
            id = "\(resident.strap.id)"
            address = "\(resident.strap.address)"
            person = "\(resident.id)"

            """
    }
}
