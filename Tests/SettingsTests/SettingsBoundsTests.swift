import Settings
import SettingsSamples
import Testing

/// One key, the last value that is allowed on each side and the first that is not.
struct SettingsBound: Sendable, CustomTestStringConvertible {
    let section: String
    let key: String
    let allowed: [String]
    let refused: [String]

    var testDescription: String { "\(section) \(key)" }
}

@Suite struct SettingsBoundsTests {
    static let bounds = [
        SettingsBound(
            section: "broker", key: "port", allowed: ["1", "65535"],
            refused: ["0", "65536", "-9223372036854775808", "9223372036854775807"]),
        SettingsBound(
            section: "broker", key: "keep_alive_seconds", allowed: ["5", "300"], refused: ["4", "301", "30.0"]),
        SettingsBound(
            section: "gateway", key: "heartbeat_seconds", allowed: ["10", "86400"], refused: ["9", "86401"]),
        SettingsBound(
            section: "house", key: "waking_hours",
            allowed: ["\"07:00-22:00\"", "\"22:00-06:00\"", "\"00:00-23:59\""],
            refused: ["\"7-22\"", "\"07:00-07:00\"", "\"07:00-24:00\"", "\"07:00\"", "7", "07:00:00"]),
        SettingsBound(
            section: "help", key: "test_channels_hours", allowed: ["1", "168"], refused: ["0", "169", "1.5"]),
        SettingsBound(
            section: "help", key: "test_buttons_days", allowed: ["0", "1", "365"],
            refused: ["-1", "366", "0.5"]),
        SettingsBound(section: "sos.drill", key: "every_days", allowed: ["1", "365"], refused: ["0", "366"]),
        SettingsBound(
            section: "sos.drill", key: "at", allowed: ["\"00:00\"", "\"23:59\""],
            refused: ["\"24:00\"", "\"11\"", "11"]),
        SettingsBound(section: "gpsd", key: "port", allowed: ["1", "65535"], refused: ["0", "65536"]),
        SettingsBound(
            section: "sos", key: "abort_window_seconds", allowed: ["0.5", "2.5", "1"],
            refused: ["0.49", "60.1", "nan", "inf", "-inf"]),
        SettingsBound(
            section: "sos", key: "warning_window_seconds", allowed: ["0.5", "600"], refused: ["0.4", "601"]),
        SettingsBound(
            section: "broker", key: "session_expiry_seconds", allowed: ["0", "2592000"],
            refused: ["-1", "2592001", "1.5"]),
        SettingsBound(
            section: "sos", key: "handover_seconds", allowed: ["1", "60"], refused: ["0", "61", "2.5"]),
        SettingsBound(
            section: "oxygen_saturation", key: "low", allowed: ["70", "88"], refused: ["69", "96", "true"]),
        SettingsBound(
            section: "glucose", key: "warning_high", allowed: ["140", "499.9"], refused: ["139", "591"]),
        SettingsBound(
            section: "body_temperature", key: "high", allowed: ["39.2", "43"], refused: ["37.4", "43.1"]),
        SettingsBound(
            section: "exercise", key: "high", allowed: ["90", "220"], refused: ["89", "221"]),
        SettingsBound(
            section: "silence", key: "after_seconds", allowed: ["60", "86400"], refused: ["59", "86401"]),
        SettingsBound(
            section: "early_warning", key: "limit", allowed: ["3", "12"], refused: ["2", "13", "5.0"]),
        SettingsBound(
            section: "person", key: "birth_year", allowed: ["1900", "1941"], refused: ["1899", "\"1941\""]),
        SettingsBound(section: "sos", key: "repeat_seconds", allowed: ["10", "300"], refused: ["9", "301"]),
        SettingsBound(section: "sos", key: "rearm_seconds", allowed: ["60", "3600"], refused: ["59", "3601"]),
        SettingsBound(
            section: "heart_rate", key: "low", allowed: ["25", "80", "25.0"],
            refused: ["24.9", "80.1", "0", "nan"]),
        SettingsBound(
            section: "heart_rate", key: "high", allowed: ["90", "220"], refused: ["89.9", "220.1", "inf"]),
        SettingsBound(
            section: "heart_rate", key: "confirm_readings", allowed: ["1", "10"], refused: ["0", "11", "3.0"]),
        SettingsBound(
            section: "heart_rate", key: "confirm_within_seconds", allowed: ["0.5", "2"],
            refused: ["0.4", "4.1", "-1", "nan"]),
    ]

    private func complaints(_ bound: SettingsBound, _ value: String) -> [String] {
        var sample = SettingsSample()
        let line = "\n\(bound.key) = \(value)"
        switch bound.section {
        case "broker": sample.broker += line
        case "gateway": sample.gateway += line
        case "help": sample.more = "[sos]" + line
        case "sos": sample.person += "\n[person.sos]" + line
        case "person": sample.person += line
        case "heart_rate", "oxygen_saturation", "glucose", "body_temperature", "exercise", "silence",
            "early_warning":
            sample.person += "\n[person.sos.\(bound.section)]" + line
        default: sample.more = "[\(bound.section)]" + line
        }
        return sample.complaints
    }

    @Test(arguments: bounds) func `the last allowed value is accepted`(bound: SettingsBound) {
        for value in bound.allowed { #expect(complaints(bound, value).isEmpty, "\(value)") }
    }

    @Test(arguments: bounds) func `the first value beyond is refused`(bound: SettingsBound) {
        for value in bound.refused {
            let complaints = complaints(bound, value)
            #expect(complaints.count == 1, "\(value)")
            #expect(complaints.first?.contains("\(bound.key): saw") == true, "\(value)")
        }
    }

    @Test func `coordinates stay on the globe`() {
        func complaints(_ north: String, _ east: String) -> Int {
            SettingsSample(installed: "[installed]\naddress = \"a\"\nlatitude = \(north)\nlongitude = \(east)")
                .complaints.count
        }
        #expect(complaints("-90", "180") == 0)
        #expect(complaints("90", "-180") == 0)
        #expect(complaints("90.1", "180.1") == 2)
        #expect(complaints("nan", "-inf") == 2)
    }

    @Test func `texts have their lengths`() {
        func address(_ count: Int) -> Int {
            let text = String(repeating: "è", count: count)
            return SettingsSample(installed: "[installed]\naddress = \"\(text)\"").complaints.count
        }
        #expect([0, 1, 200, 201].map(address) == [1, 0, 0, 1])
        func name(_ text: String) -> Int {
            SettingsSample(person: "[[person]]\nid = \"maria\"\nname = \"\(text)\"").complaints.count
        }
        #expect(["", "   ", "M\\u0000", "M\\n"].map(name) == [1, 1, 1, 1])
    }

    @Test func `the control socket fits into a socket address`() {
        func complaints(_ path: String) -> Int {
            SettingsSample(gateway: "[gateway]\nid = \"h\"\ncontrol_socket = \"\(path)\"").complaints.count
        }
        #expect(complaints("/" + String(repeating: "a", count: 106)) == 0)
        #expect(complaints("/" + String(repeating: "a", count: 107)) == 1)
        #expect(["run/control.sock", "", "/run/"].map(complaints) == [1, 1, 1])
    }

    @Test func `the console socket is another one that fits`() {
        func complaints(_ path: String) -> [String] {
            SettingsSample(gateway: "[gateway]\nid = \"h\"\nconsole_socket = \"\(path)\"").complaints
        }
        #expect(complaints("/run/pages.sock").isEmpty)
        #expect(complaints("/" + String(repeating: "a", count: 107)).count == 1)
        #expect(complaints("pages.sock").count == 1)
        let same = complaints("/run/homegateway/control.sock")
        #expect(same.count == 1 && same.first?.contains("console_socket: saw") == true, "\(same)")
    }

    @Test(arguments: [
        "", " ", "mqtts://broker", "broker.example:8883", "bro ker", "broker.example/", "bröker", "a\\tb",
    ])
    func `a text that is no host is refused`(host: String) {
        let broker = "[broker]\nca_file = \"/a\"\nhost = \"\(host)\""
        #expect(SettingsSample(broker: broker).complaints.count == 1)
    }

    @Test(arguments: ["session", "unix", ":a=b", "unix:", ""]) func `a text that is no bus is refused`(
        bus: String
    ) {
        #expect(SettingsSample(more: "[bluetooth]\nbus = \"\(bus)\"").complaints.count == 1)
    }

    @Test(arguments: ["hci", "eth0", "hciX", "hci-1", "0", "00:1B:DC:07:31"])
    func `a text that is no adapter is refused`(
        adapter: String
    ) {
        #expect(SettingsSample(more: "[bluetooth]\nadapter = \"\(adapter)\"").complaints.count == 1)
    }

    @Test(arguments: ["C0:FF:EE:00:00", "C0-FF-EE-00-00-01", "C0:FF:EE:00:00:0G", ""])
    func `a text that is no device address is refused`(address: String) {
        let wearable = "[[wearable]]\nid = \"s\"\nperson = \"maria\"\naddress = \"\(address)\""
        #expect(SettingsSample(wearable: wearable).complaints.count == 1)
    }
}
