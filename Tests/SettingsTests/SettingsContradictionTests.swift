import Settings
import SettingsReading
import SettingsSamples
import Testing

@Suite struct SettingsContradictionTests {
    private func broker(_ lines: String) -> [String] {
        SettingsSample(broker: "[broker]\nhost = \"b.example\"\n" + lines).complaints
    }

    @Test func `tls without a certificate authority is refused`() {
        #expect(broker("tls = true").count == 1)
        #expect(broker("").first?.contains("broker.ca_file: is missing") == true)
    }

    @Test func `files of TLS without TLS are refused`() {
        let files = "ca_file = \"/a\"\nclient_certificate_file = \"/b\"\nclient_key_file = \"/c\""
        #expect(broker("tls = false\n" + files).count == 3)
    }

    @Test func `a certificate and its key go together`() {
        #expect(broker("ca_file = \"/a\"\nclient_certificate_file = \"/b\"").count == 1)
        #expect(broker("ca_file = \"/a\"\nclient_key_file = \"/c\"").count == 1)
    }

    @Test func `a password needs a username`() {
        #expect(broker("ca_file = \"/a\"\npassword_file = \"/p\"").count == 1)
        #expect(broker("ca_file = \"/a\"\nusername = \"u\"").isEmpty)
    }

    @Test func `the controllers of a race stand instead of the one beside the track, none twice`() {
        func complaints(_ list: String, bluetooth: String = "") -> [String] {
            var sample = SettingsSample()
            sample.more = bluetooth + "\n[race]\nadapters = " + list
            return sample.complaints
        }
        #expect(complaints("[\"hci0\", \"hci1\"]").isEmpty)
        #expect(complaints("[\"00:1b:dc:07:31:01\", \"00:1B:DC:07:31:02\"]").isEmpty)
        for list in [
            "[\"hci0\", \"hci0\"]", "[\"00:1b:dc:07:31:01\", \"00:1B:DC:07:31:01\"]",
            "[\"hci0\", \"00:1B:DC:07:31:02\"]", "[\"eth0\"]", "\"hci0\"",
            "[\"hci0\", \"hci1\", \"hci2\", \"hci3\", \"hci4\"]",
        ] { #expect(complaints(list).count == 1, "\(list)") }
        let trackside = "[bluetooth]\ntrackside_adapter = \"hci1\""
        #expect(complaints("[\"hci0\"]", bluetooth: trackside).count == 1)
        #expect(complaints("[]", bluetooth: trackside).isEmpty)
    }

    @Test func `coordinates are both or none`() {
        let address = "[installed]\naddress = \"Via Dante 7\"\n"
        #expect(
            SettingsSample(installed: address + "latitude = 45.0").complaints == [
                "gateway.toml:5: installed.latitude: saw it without longitude, expected both or none: add longitude"
            ])
        #expect(SettingsSample(installed: address + "longitude = 9.0").complaints.count == 1)
        #expect(SettingsSample(installed: address).complaints.isEmpty)
    }

    @Test func `AutomatedSOS needs the data policy first`() {
        var sample = SettingsSample()
        sample.person += "\nautomated_sos = \"accepted\""
        #expect(
            sample.complaints == [
                "gateway.toml:13: person.automated_sos: saw \"accepted\" while data_policy is not accepted, and "
                    + "AutomatedSOS sends personal data: accept the data policy first, or write \"not-accepted\""
            ])
        sample.person += "\ndata_policy = \"accepted\""
        #expect(sample.complaints.isEmpty)
    }

    @Test func `calls_nobody contradicts an accepted AutomatedSOS`() {
        var sample = SettingsSample()
        sample.person += "\ndata_policy = \"accepted\"\nautomated_sos = \"accepted\"\ncalls_nobody = true"
        #expect(sample.complaints.count == 1)
        #expect(
            sample.complaints.first?.contains(
                ":15: person.calls_nobody: saw true while automated_sos is \"accepted\"")
                == true)
        sample.person = sample.person.replacing(
            "automated_sos = \"accepted\"", with: "automated_sos = \"not-accepted\"")
        #expect(sample.complaints.isEmpty)
    }

    @Test func `the limits on the pulse leave room between`() {
        var sample = SettingsSample()
        sample.person += "\n[person.sos.heart_rate]\nlow = 80\nhigh = 99.5"
        #expect(sample.complaints.count == 1)
        #expect(sample.complaints.first?.contains(":15: person.sos.heart_rate.high: saw 99.5") == true)
        sample.person = sample.person.replacing("99.5", with: "100")
        #expect(sample.complaints.isEmpty)
    }

    @Test func `a value that is allowed and likely a mistake is a warning`() throws {
        var sample = SettingsSample()
        sample.installed = "[installed]\naddress = \"Via Dante 7\""
        sample.broker = "[broker]\nhost = \"b.example\"\ntls = false"
        sample.wearable = ""
        let warnings = try sample.load().warnings
        #expect(warnings.map(\.key) == ["wearable", "installed.address", "broker.tls"])
        #expect(warnings.map(\.line) == [1, 4, 7])
    }

    @Test func `a person without a wearable is a warning`() throws {
        var sample = SettingsSample()
        sample.person += "\n[[person]]\nid = \"enzo\"\nname = \"Enzo\""
        let warnings = try sample.load().warnings
        #expect(warnings.map(\.description).first?.hasPrefix("gateway.toml:14: person.id: \"enzo\"") == true)
    }
}
