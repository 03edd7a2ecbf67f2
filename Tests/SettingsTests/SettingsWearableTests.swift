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

    @Test func nothingIsOffNothingIsClaimedAndNoEventCallsForHelpUnlessWritten() throws {
        let wearable = try #require(try SettingsSample().load().wearables.first)
        #expect(wearable.off.isEmpty && wearable.sosFor.isEmpty)
        #expect(wearable.signals == .none)
        #expect(wearable.keyFile == nil && wearable.silence == nil && !wearable.sleeps)
        #expect(wearable.linkLossAlert == nil && wearable.alarmAlert == .high)
        #expect(wearable.place == .init(file: "gateway.toml", line: 13))
    }

    @Test func everyKeyOfAWearableArrives() throws {
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

    @Test func theUsersOfACuffArrive() throws {
        let written = wearable("users = { 1 = \"maria\", 254 = \"maria\" }")
        let maria = try #require(PersonID("maria"))
        #expect(try written.load().wearables.first?.users == [1: maria, 254: maria])
        #expect(try SettingsSample().load().wearables.first?.users == [:])
    }

    @Test(arguments: [
        "{ 255 = \"maria\" }", "{ 01 = \"maria\" }", "{ x = \"maria\" }", "{ 1 = 2 }", "{ 1 = \"mario\" }",
        "{ }", "\"maria\"",
    ])
    func usersThatAreNoneAreRefused(users: String) {
        #expect(throws: SettingsError.self) { try wearable("users = \(users)").load() }
    }

    @Test func everyKeyOfOneThatIsHeardByAdvertisingArrives() throws {
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

    @Test func whatSleepsIsNotToBeHeardEverySoOften() throws {
        #expect(try wearable("sleeps = true").load().wearables.first?.sleeps == true)
        let complaints = wearable("sleeps = true\nsilence_seconds = 90").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("gateway.toml:17: wearable.sleeps: saw true beside") == true)
    }

    @Test(arguments: [
        "key_file = \"/k\"", "[wearable.signals]\nvibration = \"shaking\"",
        "[wearable.signals]\nmotion = \"fall\"", "[wearable.signals]\nmoving = \"fall\"",
    ])
    func whatOnlyAdvertsTellIsRefusedOfOneThatIsConnectedTo(lines: String) {
        let complaints = wearable(lines).complaints
        #expect(complaints.count == 1)
        #expect(
            complaints.first?.contains("write heard_by = \"advertising\" if it is not connected to") == true)
        #expect(wearable("heard_by = \"advertising\"\n" + lines).complaints.isEmpty)
    }

    @Test(arguments: ["off = [\"heart-rate\"]", "sos_for = [\"heart-rate\"]"])
    func whatConcernsReadingsIsRefusedOfOneThatGivesNone(line: String) {
        #expect(
            wearable("heard_by = \"advertising\"\n" + line).complaints == [
                "gateway.toml:18: wearable.\(line.prefix { $0 != " " }): saw it with heard_by = \"advertising\", by "
                    + "which no reading comes: remove one of the two"
            ])
    }

    @Test func aWayOfHearingThatThereIsNotIsRefused() {
        let complaints = wearable("heard_by = \"adverts\"").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("expected one of \"connection\", \"advertising\"") == true)
    }

    @Test func anAdvertisingWearableThatMeansNothingIsWarnedOf() throws {
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
    func aListOfKindsIsReadStrictly(line: String, advice: String) {
        let complaints = wearable(line).complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("gateway.toml:17: wearable.") == true)
        #expect(complaints.first?.hasSuffix(advice) == true)
    }

    @Test(arguments: ["1", "86401", "2.5", "\"5\""]) func aSilenceOutOfRangeIsRefused(value: String) {
        #expect(wearable("silence_seconds = \(value)").complaints.count == 1)
    }

    @Test func theKeyItselfIsExplainedAndNeverShown() {
        let complaints = wearable("key = \"231d39c1d7cc1ab1aee224cd096db932\"").complaints
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains("key_file") == true)
        #expect(complaints.first?.contains("231d") == false)
    }

    @Test func anEventOfAnotherNameOrMeaningIsRefused() {
        #expect(
            wearable("[wearable.signals]\nbuton = \"fall\"").complaints.first?.contains("\"button\"") == true)
        #expect(wearable("[wearable.signals]\nbutton = \"sos\"").complaints.count == 1)
    }

    @Test func whatIsOffCannotBeTheSourceForSOS() {
        #expect(
            wearable("off = [\"heart-rate\"]\nsos_for = [\"heart-rate\"]").complaints == [
                "gateway.toml:18: wearable.sos_for: saw \"heart-rate\", which off switches off, so that nothing "
                    + "would raise an alarm: remove it from one of the two"
            ])
    }

    @Test func aKindHasOneSourceForSOSOfAPerson() {
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
