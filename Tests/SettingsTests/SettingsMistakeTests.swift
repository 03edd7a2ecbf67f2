import Settings
import SettingsSamples
import Testing

@Suite struct SettingsMistakeTests {
    @Test func `three mistakes are all reported with their lines`() {
        var sample = SettingsSample()
        sample.gateway = "[gateway]\nid = \"House 12\""
        sample.broker += "\nkeep_alive_seconds = 2"
        sample.wearable = "[[wearable]]\nid = \"strap\"\naddress = \"C0:FF:EE:00:00:01\"\nperson = \"marla\""
        #expect(
            sample.complaints == [
                "gateway.toml:2: gateway.id: saw \"House 12\", expected a name: 1 to 32 characters out of a-z, "
                    + "0-9 and '-', beginning with a letter or a digit: leave out every other character",
                "gateway.toml:10: broker.keep_alive_seconds: saw 2, expected whole seconds, 5...300: "
                    + "choose a value in this range",
                "gateway.toml:17: wearable.person: saw \"marla\", expected the id of a [[person]] "
                    + "(did you mean \"maria\"?): correct it, or add the person",
            ])
    }

    @Test func `an unknown key is named with the one it is close to`() {
        var sample = SettingsSample()
        sample.broker += "\nkeep_alive_second = 30"
        #expect(sample.complaints.count == 1)
        #expect(sample.complaints.first?.contains(":10: broker.keep_alive_second: ") == true)
        #expect(sample.complaints.first?.contains("(did you mean \"keep_alive_seconds\"?)") == true)
    }

    @Test func `an unknown key far from all is answered with the known ones`() {
        var sample = SettingsSample()
        sample.more = "[gpsd]\nbaud = 9600"
        #expect(
            sample.complaints == [
                "gateway.toml:18: gpsd.baud: there is no such key in [gpsd]: expected one of enabled, host, "
                    + "port; correct or remove it"
            ])
    }

    @Test func `an unknown section is reported`() {
        #expect(SettingsSample(more: "[brokers]\nhost = \"x\"").complaints.count == 1)
        #expect(SettingsSample(more: "[[persons]]\nid = \"x\"").complaints.count == 1)
    }

    @Test func `a password in the settings is explained and never shown`() {
        var sample = SettingsSample()
        sample.broker += "\npassword = \"s3cret\""
        #expect(sample.complaints.count == 1)
        #expect(sample.complaints.first?.contains("password_file") == true)
        #expect(sample.complaints.first?.contains("s3cret") == false)
    }

    @Test func `personal data is not repeated in a message`() {
        let long = String(repeating: "Maria ", count: 20)
        let sample = SettingsSample(person: "[[person]]\nid = \"maria\"\nname = \"\(long)\"")
        #expect(
            sample.complaints == [
                "gateway.toml:12: person.name: saw a text of 120 characters, expected a text of 1 to 100 "
                    + "characters: shorten it"
            ])
    }

    @Test(arguments: [
        ("port = \"8883\"", "write it without quotes"), ("port = 1.5", "write it without a fraction"),
        ("tls = 1", "write true or false, without quotes"), ("username = 12", "write one text in quotes"),
        ("port = 1979-05-27", "write one whole number"), ("port = [1]", "write one whole number"),
        ("port = {a = 1}", "write one whole number"),
    ])
    func `a wrong type is reported with how to write it`(line: String, advice: String) {
        var sample = SettingsSample()
        sample.broker += "\n" + line
        #expect(sample.complaints.count == 1)
        #expect(sample.complaints.first?.hasSuffix(advice) == true)
        #expect(sample.complaints.first?.hasPrefix("gateway.toml:10: broker.") == true)
    }

    @Test func `a missing required key is reported at its section`() {
        let sample = SettingsSample(installed: "[installed]\nlatitude = 1\nlongitude = 2")
        #expect(
            sample.complaints == [
                "gateway.toml:3: installed.address: is missing: add address, a text of 1 to 200 characters"
            ])
    }

    @Test func `an empty file is told every section it needs`() {
        let keys = ["gateway", "installed", "broker", "person"]
        #expect(settingsComplaints("").map { $0.split(separator: " ")[1] } == keys.sorted().map { "\($0):" })
    }

    @Test func `a section that is missing is told with the keys it needs`() {
        let complaints = settingsComplaints("")
        let ends = [
            "gateway: the section [gateway] is missing: add it, with id",
            "installed: the section [installed] is missing: add it, with address",
            "broker: the section [broker] is missing: add it, with host (required without hosts), ca_file (required "
                + "with tls, forbidden without)",
            "person: the section [[person]] is missing: add it, with id, name",
        ]
        for end in ends { #expect(complaints.contains { $0.hasSuffix(" " + end) }, "\(end)") }
    }

    @Test func `ids and addresses are given once`() {
        var sample = SettingsSample()
        sample.person += "\n[[person]]\nid = \"maria\"\nname = \"Another\""
        sample.more = "[[wearable]]\nid = \"strap\"\naddress = \"c0:ff:ee:00:00:01\"\nperson = \"maria\""
        #expect(
            sample.complaints == [
                "gateway.toml:14: person.id: saw \"maria\" again, expected another than at line 11: "
                    + "give each [[person]] its own",
                "gateway.toml:21: wearable.id: saw \"strap\" again, expected another than at line 17: "
                    + "give each [[wearable]] its own",
                "gateway.toml:22: wearable.address: saw \"C0:FF:EE:00:00:01\" again, expected another than at "
                    + "line 18: give each [[wearable]] its own",
            ])
    }

    @Test func `a wrong person id does not make their wearable a stranger`() {
        let sample = SettingsSample(person: "[[person]]\nid = \"Maria\"\nname = \"Maria\"")
        #expect(sample.complaints.count == 1)
    }

    @Test func `a section of the wrong shape is reported`() {
        #expect(SettingsSample(gateway: "gateway = 3").complaints.count == 1)
        #expect(
            SettingsSample(person: "[person]\nid = \"maria\"\nname = \"M\"").complaints.first?.contains(
                "[[person]]") == true)
        #expect(SettingsSample(more: "[[gpsd]]\nport = 1").complaints.count == 1)
    }
}
