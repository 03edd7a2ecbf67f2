public import Foundation
import Glibc
import TestSupport

/// One mistake in the settings of a house, or in a file that they name.
public struct SettingsMistake: Sendable, CustomStringConvertible {
    public enum Place: Sendable {
        /// A text of the settings file, and the text in its place.
        case text(String, String)
        /// Text added at the end of the settings file.
        case end(String)
        /// Another content of a file beside it; nil if the file is missing.
        case file(String, String?, mode: Int)
    }

    public enum Outcome: Sendable {
        /// A part is set aside; the rest runs.
        case setAside
        /// The last settings that worked run instead.
        case earlier
    }

    public let description: String
    public let place: Place
    /// Text of the line that the condition names; in `devices.toml` if `isOfDevices`.
    public let line: String
    public var outcome = Outcome.setAside
    public var isOfDevices = false

    public init(
        _ description: String, _ place: Place, line: String, _ outcome: Outcome = .setAside,
        isOfDevices: Bool = false
    ) {
        self.description = description
        self.place = place
        self.line = line
        self.outcome = outcome
        self.isOfDevices = isOfDevices
    }

    public static let all: [SettingsMistake] = [
        // Wearables.
        Self(
            "an address that is none", change("address = \"C0:FF:EE:00:00:06\"", "address = \"C0:FF:EE\""),
            line: "address = \"C0:FF:EE\""),
        Self("an address that is taken", change("00:00:06", "00:00:05"), line: "00:00:05\"#2"),
        Self("no address", change("address = \"C0:FF:EE:00:00:06\"\n", ""), line: "[[wearable]]#2"),
        Self("an id that is taken", change("id = \"pendant\"", "id = \"button\""), line: "id = \"button\"#2"),
        Self("a person who is not there", change("person = \"paolo\"", "person = \"pablo\""), line: "pablo"),
        Self("a way of hearing that is none", change("\"advertising\" # pendant", "\"smell\""), line: "smell"),
        Self("a misspelt key file", change("key_file", "keyfile"), line: "keyfile"),
        Self(
            "a meaning of a button that is none", change("\"sos-button\" # pendant", "\"sos\""),
            line: "\"sos\""),
        Self(
            "a silence that is too short", change("silence_seconds = 3600", "silence_seconds = 0"),
            line: "silence_seconds = 0"),
        Self("a section that there is not", end("[wearables]\nid = \"strap\"\n"), line: "[wearables]"),
        Self(
            "the mode of a button's key file", file("pendant.key", key, mode: 0o644),
            line: "[[wearable]]#2"),
        Self("a button's key file that is missing", file("pendant.key", nil), line: "[[wearable]]#2"),
        Self("a button's key that is none", file("pendant.key", "secret\n"), line: "[[wearable]]#2"),
        // Devices that were added by command.
        Self(
            "a devices file that is no TOML", file("state/devices.toml", "[[wearable]]\nid = \"x\nw"),
            line: "id = \"x", isOfDevices: true),
        Self(
            "an added device whose person is gone",
            file(
                "state/devices.toml",
                "[[wearable]]\nid = \"band\"\naddress = \"C0:FF:EE:00:00:99\"\nperson = \"nobody\"\n"),
            line: "nobody", isOfDevices: true),
        // Ways to help.
        Self("a token that is missing", file("token", nil), line: "[[channel]]"),
        Self("an authority that is missing", change("# ca_file", "ca_file"), line: "[[channel]]"),
        Self("a type of channel that is none", change("type = \"https\"", "type = \"pigeon\""), line: "pigeon"),
        Self(
            "an address of a service that is none", change("https://127.0.0.1:9/", "127.0.0.1"),
            line: "url = \"127.0.0.1"),
        Self("a misspelt token", change("token_file", "tokenfile"), line: "tokenfile"),
        // The box.
        Self("a loudness of 2.0", change("loudness_max = 1.0", "loudness_max = 2.0"), line: "2.0"),
        Self("waking hours that are none", change("07:00-22:00", "7-22"), line: "\"7-22\""),
        Self("a log level that is none", change("log_level = \"info\"", "log_level = \"loud\""), line: "loud"),
        Self(
            "a heartbeat that is too fast", change("heartbeat_seconds = 60", "heartbeat_seconds = 1"),
            line: "heartbeat_seconds"),
        Self("a latitude beyond the pole", change("45.4661", "145.4661"), line: "145."),
        Self("a history of no day", change("raw_days = 30", "raw_days = 0"), line: "raw_days"),
        Self(
            "a keep-alive that is too short", change("keep_alive_seconds = 30", "keep_alive_seconds = 1"),
            line: "keep_alive_seconds"),
        Self("an issuer whose keys are missing", file("issuer.json", nil), line: "[[commands.issuers]]"),
        Self("an issuer whose keys are none", file("issuer.json", "nonsense"), line: "[[commands.issuers]]"),
        Self("a clock that is none", change("assumed-right", "assumed"), line: "assumed"),
        // Persons, as far as helpers are informed of them.
        Self("a telephone number that is none", change("+39021234567", "021"), line: "\"021\""),
        Self("a year of birth before the telephone", change("1940", "1840"), line: "= 1840"),
        Self(
            "a language that the house does not speak", change("language = \"it\"", "language = \"xx\""),
            line: "\"xx\""),
        Self("a medical note that is no text", change("[\"asthma\"]", "[\"asthma\", 7]"), line: "asthma"),
        // Mistakes that would weaken safety or security.
        Self(
            "a window that breaks the promise",
            change("abort_window_seconds = 0.5", "abort_window_seconds = 9"),
            line: "abort_window_seconds = 9", .earlier),
        Self("a limit that is no number", change("high = 130", "high = \"13O\""), line: "13O", .earlier),
        Self(
            "a channel that is not there", change("\"ambulance\"] #", "\"ambulanse\"] #"), line: "ambulanse",
            .earlier),
        Self(
            "an acceptance that is misspelt",
            change("automated_sos = \"accepted\" # maria", "automated_sos = \"acepted\""), line: "acepted",
            .earlier),
        Self("a person without a name", change("name = \"Paolo Rossi\"\n", ""), line: "[[person]]#2", .earlier),
        Self("a box without an id", change("[gateway]\nid", "[gateway]\n# id"), line: "[gateway]", .earlier),
        Self(
            "a state directory that is no path", change("state_directory = \"/", "state_directory = \""),
            line: "state_directory", .earlier),
        Self(
            "a port that is none", change("port = ", "port = 99999 #"), line: "port = 99999",
            .earlier),
        Self(
            "a protection that is neither on nor off", change("tls = false", "tls = \"no\""), line: "\"no\"",
            .earlier),
        Self(
            "an address that is missing", change("address = \"Via Dante 7, 20123 Milano\"\n", ""),
            line: "[installed]", .earlier),
        Self(
            "a quota that is too small", change("quota_megabytes = 64", "quota_megabytes = 1"),
            line: "quota_megabytes", .earlier),
        Self(
            "a quote that is not closed", change("host = \"127.0.0.1\"", "host = \"127.0.0.1"),
            line: "host = \"127.0.0.1", .earlier),
    ]

    private static func change(_ old: String, _ new: String) -> Place { .text(old, new) }
    private static func end(_ text: String) -> Place { .end(text) }
    private static func file(_ name: String, _ content: String?, mode: Int = 0o600) -> Place {
        .file(name, content, mode: mode)
    }

    public static let key = "231d39c1d7cc1ab1aee224cd096db932\n"

    /// Lines from 1 on; `#2` at the end of `line` means its second occurrence.
    public func lineNumber(in text: String) -> Int? {
        let parts = line.split(separator: "#")
        let isSecond = line.hasSuffix("#2")
        let needle = isSecond ? String(parts[0]) : line
        let found = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(needle) }.map { $0.offset + 1 }
        return isSecond ? found.dropFirst().first : found.first
    }
}

/// The files of a house with several of everything; `button` of Maria calls help despite any other mistake.
public struct MistakenHouse {
    public let directory: URL
    public let settings: URL

    /// Writes all files without a mistake.
    public init(
        in directory: URL, bus: String = "unix:path=/nonexistent", brokerPort: UInt16 = 1883,
        box: String = "house-12"
    ) throws {
        self.directory = directory
        settings = directory.appending(path: "gateway.toml")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "state"), withIntermediateDirectories: true)
        try Self.write(Self.text(directory.path, bus, brokerPort, box), to: settings)
        try Self.write(SettingsMistake.key, to: directory.appending(path: "pendant.key"))
        try Self.write("token\n", to: directory.appending(path: "token"))
        // The public key of RFC 8037, appendix A.
        try Self.write(
            #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"a","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#,
            to: directory.appending(path: "issuer.json"))
    }

    public var text: String { get throws { try String(contentsOf: settings, encoding: .utf8) } }
    public var controlSocket: String { directory.appending(path: "control.sock").path }
    public var devices: URL { directory.appending(path: "state/devices.toml") }

    /// - Returns: `gateway.toml:12`, as conditions name the place.
    public func make(_ mistake: SettingsMistake) throws -> String {
        switch mistake.place {
        case .text(let old, let new):
            let before = try text
            guard before.contains(old) else { throw Missing(description: "'\(old)' in the settings") }
            try Self.write(before.replacingOccurrences(of: old, with: new), to: settings)
        case .end(let more): try Self.write(try text + more, to: settings)
        case .file(let name, let content, let mode):
            let file = directory.appending(path: name)
            try? FileManager.default.removeItem(at: file)
            if let content { try Self.write(content, to: file, mode: mode) }
        }
        let shown = mistake.isOfDevices ? try String(contentsOf: devices, encoding: .utf8) : try text
        guard let line = mistake.lineNumber(in: shown) else {
            throw Missing(description: "'\(mistake.line)' in the file")
        }
        return "\(mistake.isOfDevices ? "devices" : "gateway").toml:\(line)"
    }

    private static func write(_ text: String, to file: URL, mode: Int = 0o600) throws {
        try text.write(to: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    private static func text(_ directory: String, _ bus: String, _ brokerPort: UInt16, _ box: String) -> String
    {
        """
        [gateway]
        id = "\(box)"
        state_directory = "\(directory)/state"
        control_socket = "\(directory)/control.sock"
        log_level = "info"
        heartbeat_seconds = 60

        [installed]
        address = "Via Dante 7, 20123 Milano"
        latitude = 45.4661
        longitude = 9.1860

        [bluetooth]
        bus = "\(bus)"
        trackside_adapter = "hci99"

        [gpsd]
        enabled = false

        [broker]
        host = "127.0.0.1"
        port = \(brokerPort)
        tls = false
        keep_alive_seconds = 30

        [outbox]
        quota_megabytes = 64

        [history]
        raw_days = 30

        [house]
        sound = false
        loudness_max = 1.0
        waking_hours = "07:00-22:00"

        [commands]
        clock = "assumed-right"
        [[commands.issuers]]
        id = "cloud"
        keys = "\(directory)/issuer.json"

        [[channel]]
        id = "ambulance"
        type = "https"
        url = "https://127.0.0.1:9/calls"
        addresses = ["118-milano"]
        token_file = "\(directory)/token"
        # ca_file = "\(directory)/authority.pem"

        [[person]]
        id = "maria"
        name = "Maria Rossi"
        birth_year = 1940
        language = "it"
        medical_notes = ["asthma"]
        data_policy = "accepted"
        automated_sos = "accepted" # maria
        [[person.contact]]
        name = "Anna"
        phone = "+39021234567"
        [person.sos]
        channels = ["mqtt", "ambulance"] # maria
        abort_window_seconds = 0.5
        [person.sos.heart_rate]
        high = 130

        [[person]]
        id = "paolo"
        name = "Paolo Rossi"

        [[wearable]]
        id = "button"
        address = "C0:FF:EE:00:00:05"
        person = "maria"
        heard_by = "advertising"
        [wearable.signals]
        button = "sos-button"

        [[wearable]]
        id = "pendant"
        address = "C0:FF:EE:00:00:06"
        person = "paolo"
        heard_by = "advertising" # pendant
        silence_seconds = 3600
        key_file = "\(directory)/pendant.key"
        [wearable.signals]
        button = "sos-button" # pendant

        """
    }
}
