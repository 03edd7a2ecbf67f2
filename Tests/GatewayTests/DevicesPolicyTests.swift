import ControlContract
import GatewayModel
import Hub
import ModelSamples
import Settings
import SettingsSamples
import TestSupport
import Testing

@Suite struct ReadingPolicyTests {
    private static func settings(_ strap: String = "", _ watch: String = "") throws -> [GatewaySettings
        .Wearable]
    {
        var sample = SettingsSample()
        sample.person += "\n[[person]]\nid = \"enzo\"\nname = \"Enzo\""
        sample.wearable += "\n" + strap
        sample.more = """
            [[wearable]]
            id = "watch"
            address = "C0:FF:EE:00:00:02"
            person = "maria"
            \(watch)
            [[wearable]]
            id = "belt"
            address = "C0:FF:EE:00:00:03"
            person = "enzo"
            """
        return try sample.load().wearables
    }

    private static func reading(
        _ device: String, _ kind: QuantityKind = .heartRate, of person: String = "maria",
        sampling: Reading.Sampling = .stream
    ) -> Reading {
        var random = SystemRandomNumberGenerator()
        let moment = Moment(
            boot: BootInstant(nanoseconds: 0), wall: WallTime(millisecondsSince1970: 1_700_000_000_000))
        return Reading(
            id: MessageID(wall: moment.wall, using: &random), person: PersonID(sample: person),
            device: DeviceID(sample: device), quantity: Quantity(kind, 72), contact: .detected,
            sampling: sampling, arrival: moment)
    }

    @Test func `where nothing is said everything is kept and counts`() throws {
        let policy = ReadingPolicy(try Self.settings())
        for device in ["strap", "watch", "stranger"] {
            #expect(policy.keeps(Self.reading(device)) && policy.countsForSOS(Self.reading(device)))
        }
    }

    @Test func `a measurement that is off is dropped on that wearable alone`() throws {
        let policy = ReadingPolicy(try Self.settings("off = [\"rr-interval\"]"))
        #expect(!policy.keeps(Self.reading("strap", .rrInterval)))
        #expect(policy.keeps(Self.reading("strap", .heartRate)))
        #expect(policy.keeps(Self.reading("watch", .rrInterval)))
    }

    @Test func `only the claiming wearable of a person counts for SOS`() throws {
        let policy = ReadingPolicy(try Self.settings("", "sos_for = [\"heart-rate\"]"))
        #expect(policy.countsForSOS(Self.reading("watch")))
        #expect(!policy.countsForSOS(Self.reading("strap")))
        #expect(policy.keeps(Self.reading("strap")))
        // Another kind, and another person, are not concerned.
        #expect(policy.countsForSOS(Self.reading("strap", .oxygenSaturation)))
        #expect(policy.countsForSOS(Self.reading("belt", of: "enzo")))
    }

    @Test func `counts a single measurement, but a pulse only of the source that was chosen`() throws {
        let nobodyChosen = ReadingPolicy([])
        let pulse = Self.reading("watch", sampling: .spot)
        #expect(!nobodyChosen.countsForSOS(pulse))
        #expect(nobodyChosen.keeps(pulse))
        for kind in [QuantityKind.systolicPressure, .bodyTemperature, .glucose, .oxygenSaturation] {
            #expect(nobodyChosen.countsForSOS(Self.reading("watch", kind, sampling: .spot)), "\(kind)")
        }
        let chosen = ReadingPolicy(try Self.settings("", "sos_for = [\"heart-rate\"]"))
        #expect(chosen.countsForSOS(pulse))
    }

    @Test func `a reload is in effect with the next reading and tells its changes`() throws {
        let roster = DeviceRoster(try Self.settings())
        let told = Recorder<[String]>()
        let change = try roster.reload(
            { try Self.settings("off = [\"heart-rate\"]") }, apply: { told.add($0.map(\.id.text)) })
        #expect(change.chosen.map(\.text) == ["strap"] && !change.concernsTheRadio && told.values.isEmpty)
        #expect(!roster.policy.keeps(Self.reading("strap")))
        #expect(change.lines == ["strap: what of it counts is changed from now on"])
    }

    @Test func `a reload that fails changes nothing`() throws {
        let roster = DeviceRoster(try Self.settings("off = [\"heart-rate\"]"))
        #expect(throws: (any Error).self) {
            try roster.reload({ try Self.settings("off = [\"heart\"]") }, apply: { _ in })
        }
        #expect(!roster.policy.keeps(Self.reading("strap")))
    }

    @Test func `coming and going is told to the radio once and only then`() throws {
        let all = try Self.settings()
        let roster = DeviceRoster(Array(all.dropLast()))
        let told = Recorder<[String]>()
        let apply = { (wearables: [GatewaySettings.Wearable]) in told.add(wearables.map(\.id.text)) }
        let added = roster.reload({ all }, apply: apply)
        #expect(added.added.map(\.text) == ["belt"])
        #expect(added.lines == ["belt: watched from now on"])
        let removed = roster.reload({ Array(all.dropFirst()) }, apply: apply)
        #expect(removed.removed.map(\.text) == ["strap"])
        #expect(
            roster.reload({ Array(all.dropFirst()) }, apply: apply).lines == ["nothing has changed"])
        #expect(told.values == [["strap", "watch", "belt"], ["watch", "belt"]])
    }

    @Test func `another address person or silence concerns the radio`() throws {
        let change = RosterChange(from: try Self.settings(), to: try Self.settings("silence_seconds = 60"))
        #expect(change.altered.map(\.text) == ["strap"] && change.concernsTheRadio)
        #expect(change.lines == ["strap: changed from now on"])
    }
}

@Suite struct `Text on a terminal` {
    @Test func `a name from the air cannot move the cursor`() {
        #expect(Shown.text("Band\u{1B}[2J\n\u{202E}x") == "Band[2Jx")
        #expect(Shown.table([["A", "B"], ["long", ""], ["x", "y"]]) == ["A     B", "long", "x     y"])
    }
}
