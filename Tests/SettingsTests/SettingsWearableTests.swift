import GatewayModel
import SettingsReading
import SettingsSamples
import Testing

@testable import Settings

@Suite struct SettingsWearableTests {
    private func wearable(_ lines: String) -> SettingsSample {
        var sample = SettingsSample()
        sample.wearable += "\n" + lines
        return sample
    }

    private static let second =
        "[[wearable]]\nid = \"watch\"\naddress = \"C0:FF:EE:00:00:02\"\nperson = \"maria\"\n"

    @Test func `nothing is off nothing is claimed and no event calls for help unless written`() throws {
        let wearable = try #require(try SettingsSample().load().wearables.first)
        #expect(wearable.off.isEmpty && wearable.sosFor.isEmpty)
        #expect(wearable.signals == .none)
        #expect(wearable.keyFile == nil && wearable.silence == nil && !wearable.sleeps)
        #expect(wearable.linkLossAlert == nil && wearable.alarmAlert == .high)
        #expect(wearable.place == .init(file: "gateway.toml", line: 13))
    }

    @Test func `every key of a wearable arrives`() throws {
        let sample = wearable(
            """
            off = ["rr-interval", "energy-expended"]
            sos_for = ["heart-rate"]
            silence_seconds = 90
            link_loss_alert = "mild"
            alarm_alert = "none"
            [wearable.signals]
            button = "sos-button"
            """)
        let wearable = try #require(try sample.load().wearables.first)
        #expect(wearable.heardBy == .connection)
        #expect(wearable.off == [.rrInterval, .energyExpended])
        #expect(wearable.sosFor == [.heartRate])
        #expect(wearable.silence == .seconds(90))
        #expect(wearable.linkLossAlert == .mild && wearable.alarmAlert == AlertLevel.none)
        #expect(wearable.signals.button == .sosButton)
    }

    @Test func `the users of a cuff arrive`() throws {
        let written = wearable("users = { 1 = \"maria\", 254 = \"maria\" }")
        let maria = try #require(PersonID("maria"))
        #expect(try written.load().wearables.first?.users == [1: maria, 254: maria])
        #expect(try SettingsSample().load().wearables.first?.users == [:])
    }

    @Test(arguments: [
        "{ 255 = \"maria\" }", "{ 01 = \"maria\" }", "{ x = \"maria\" }", "{ 1 = 2 }", "{ 1 = \"mario\" }",
        "{ }", "\"maria\"",
    ])
    func `users that are none are refused`(users: String) {
        #expect(throws: SettingsError.self) { try wearable("users = \(users)").load() }
    }

    @Test func `every key of one that is heard by advertising arrives`() throws {
        let sample = wearable(
            """
            heard_by = "advertising"
            key_file = "/etc/homegateway/tag.key"
            [wearable.signals]
            vibration = "shaking"
            motion = "fall"
            """)
        let wearable = try #require(try sample.load().wearables.first)
        #expect(wearable.heardBy == .advertising)
        #expect(wearable.keyFile == "/etc/homegateway/tag.key")
        #expect(wearable.signals.vibration == .shaking)
        #expect(wearable.signals.motion == .fall)
        #expect(wearable.signals.moving == nil)
    }

    @Test func `a sleeping device has no limit of silence`() throws {
        #expect(try wearable("sleeps = true").load().wearables.first?.sleeps == true)
        let complaints = wearable("sleeps = true\nsilence_seconds = 90").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("gateway.toml:17: wearable.sleeps: saw true beside") == true)
    }

    @Test(arguments: [
        "key_file = \"/k\"", "[wearable.signals]\nvibration = \"shaking\"",
        "[wearable.signals]\nmotion = \"fall\"", "[wearable.signals]\nmoving = \"fall\"",
    ])
    func `keys of adverts are refused for a wearable with a connection`(lines: String) {
        let complaints = wearable(lines).complaints
        #expect(complaints.count == 1)
        #expect(
            complaints.first?.contains("write heard_by = \"advertising\" if it is not connected to") == true)
        #expect(wearable("heard_by = \"advertising\"\n" + lines).complaints.isEmpty)
    }

    @Test(arguments: ["off = [\"heart-rate\"]", "sos_for = [\"heart-rate\"]"])
    func `keys about readings are refused for a wearable without readings`(line: String) {
        #expect(
            wearable("heard_by = \"advertising\"\n" + line).complaints == [
                "gateway.toml:18: wearable.\(line.prefix { $0 != " " }): saw it with heard_by = \"advertising\", by "
                    + "which no reading comes: remove one of the two"
            ])
    }

    @Test func `a way of hearing that there is not is refused`() {
        let complaints = wearable("heard_by = \"adverts\"").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("expected one of \"connection\", \"advertising\"") == true)
    }

    @Test func `an advertising wearable that means nothing is warned of`() throws {
        let warnings = try wearable("heard_by = \"advertising\"").load().warnings
        #expect(warnings.contains { $0.line == 17 && $0.message.contains("calls for help") })
    }

    @Test(arguments: [
        ("off = \"rr-interval\"", "write it in [ ]"),
        ("off = [\"heart-rat\"]", "correct or remove \"heart-rat\" (did you mean \"heart-rate\"?)"),
        ("off = [1]", "correct or remove 1"),
        ("off = [\"glucose\", \"glucose\"]", "write \"glucose\" once"),
        ("sos_for = [[\"glucose\"]]", "correct or remove an array"),
    ])
    func `a list of kinds is read strictly`(line: String, advice: String) {
        let complaints = wearable(line).complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("gateway.toml:17: wearable.") == true)
        #expect(complaints.first?.hasSuffix(advice) == true)
    }

    @Test(arguments: ["1", "86401", "2.5", "\"5\""]) func `a silence out of range is refused`(value: String) {
        #expect(wearable("silence_seconds = \(value)").complaints.count == 1)
    }

    @Test func `the key itself is explained and never shown`() {
        let complaints = wearable("key = \"231d39c1d7cc1ab1aee224cd096db932\"").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("key_file") == true)
        #expect(complaints.first?.contains("231d") == false)
    }

    @Test func `an event of another name or meaning is refused`() {
        #expect(
            wearable("[wearable.signals]\nbuton = \"fall\"").complaints.first?.contains("\"button\"") == true)
        #expect(wearable("[wearable.signals]\nbutton = \"sos\"").complaints.count == 1)
    }

    @Test func `a measurement that is off cannot be the source for SOS`() {
        #expect(
            wearable("off = [\"heart-rate\"]\nsos_for = [\"heart-rate\"]").complaints == [
                "gateway.toml:18: wearable.sos_for: saw \"heart-rate\", which off switches off, so that nothing "
                    + "would raise an alarm: remove it from one of the two"
            ])
    }

    @Test func `a kind has one source for SOS of a person`() {
        var sample = wearable("sos_for = [\"heart-rate\"]")
        sample.more = Self.second + "sos_for = [\"glucose\", \"heart-rate\"]"
        #expect(
            sample.complaints == [
                "gateway.toml:22: wearable.sos_for: saw \"heart-rate\", which another wearable of \"maria\" claims "
                    + "at line 17, expected one source: remove it from one of the two"
            ])
        sample.person += "\n[[person]]\nid = \"enzo\"\nname = \"Enzo\""
        sample.more = sample.more.replacing("maria", with: "enzo")
        #expect(sample.complaints.isEmpty)
    }
}
