import Alarms
import GatewayModel
import Hub
import ModelSamples
import SOSLocal
import Settings
import SettingsSamples
import Testing

@testable import Commands

@Suite struct `The table of a plan` {
    private struct Case {
        let plan: SOSPlan
        let lines: [String]
    }

    /// The table for a person whose wearables can raise every alarm.
    private func table(_ person: String, callsHelp: Bool = true) throws -> Case {
        var sample = SettingsSample()
        sample.person += "\n" + person
        sample.more = """
            [[wearable]]
            id = "tag"
            address = "C0:FF:EE:00:00:77"
            person = "maria"
            heard_by = "advertising"
            [wearable.signals]
            button = "sos-button"
            vibration = "fall"
            motion = "shaking"
            """
        let settings = try sample.load()
        let plan = try #require(settings.persons.first?.plan)
        let all = WearableAbilities(
            kinds: QuantityKind.allCases, streams: QuantityKind.allCases,
            events: ["button", "vibration", "motion"])
        let coverage = EmergencyCoverage(
            of: plan, wearables: settings.wearables,
            abilities: Dictionary(settings.wearables.map { ($0.id, all) }) { first, _ in first })
        return Case(plan: plan, lines: PlanTable(plan: plan, coverage: coverage, callsHelp: callsHelp).lines)
    }

    @Test func `says for each alarm by when whom it reaches, and what is left of the 5 seconds`()
        throws
    {
        let found = try table("[person.sos]\nbutton_window_seconds = 2\ncarers = [\"mqtt\"]")
        let lines = found.lines
        func line(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + " ") }?.replacing(/\s+/, with: " ")
        }
        #expect(line("heart-rate-high") == "heart-rate-high ≥ 131 bpm high 2.0 s 2.25 s help 4.5 s 0.5 s strap")
        #expect(line("sos-button") == "sos-button - high at once 0.25 s help 2.0 s 3.0 s tag")
        #expect(line("glucose-low") == "glucose-low ≤ 40 mg/dL high at once 0.25 s help 2.5 s 2.5 s strap")
        #expect(
            line("body-temperature-high-warning")
                == "body-temperature-high-warning ≥ 39.1 °C medium 300.0 s 300.25 s carers 330.0 s - strap")
        #expect(
            line("heart-rate-high (exercise)")
                == "heart-rate-high (exercise) ≥ 170 bpm high 2.0 s 2.25 s help 4.5 s 0.5 s strap")
        #expect(lines.count == found.plan.timelines.count + 2)
    }

    @Test func `tells nobody where help is not agreed to`() throws {
        let lines = try table("[person.sos]\ncarers = [\"mqtt\"]", callsHelp: false).lines
        #expect(lines.contains { $0.hasPrefix("heart-rate-high ") && $0.contains(" nobody ") })
        #expect(!lines.contains { $0.contains("help ") || $0.contains("Help ") || $0.contains("carers") })
    }

    @Test func `shows an early notice, and who is not told`() throws {
        let found = try table("[person.sos]\nabort_window_seconds = 60\nearly_notice = true")
        let text = found.lines.map { $0.replacing(/\s+/, with: " ") }
        #expect(
            text.contains("heart-rate-low ≤ 40 bpm high 2.0 s 2.25 s notice 4.5 s, help 62.0 s 0.5 s strap"))
        #expect(text.contains { $0.hasPrefix("glucose-low-warning") && $0.hasSuffix("nobody outside - strap") })
    }
}

@Suite struct `The plan of a person of whom a pulse alone is judged` {
    private func plans(_ sos: String, kinds: [QuantityKind]) throws -> (SOSPlan, String?) {
        var sample = SettingsSample()
        sample.person += "\n[person.sos]\n" + sos
        let settings = try sample.load()
        let strap = WearableAbilities(kinds: kinds, streams: kinds, events: [])
        let known = Dictionary(settings.wearables.map { ($0.id, strap) }) { first, _ in first }
        let person = try #require(settings.persons.first)
        return (
            person.wearing(settings.wearables, known).plan, person.pulseLine(settings.wearables, known)
        )
    }

    private static let pulse: [QuantityKind] = [.heartRate, .rrInterval]

    @Test func `lets help hear early and the person answer, and says so`() throws {
        let (plan, line) = try plans("", kinds: Self.pulse)
        #expect(plan.hasEarlyNotice && plan.windows[.vitalSign] == .seconds(30))
        #expect(plan.windows[.button] == .milliseconds(2_500) && plan.windows[.drill] == .milliseconds(2_500))
        let timeline = try #require(plan.timelines.first { $0.name == "heart-rate-high" })
        #expect(timeline.notice == .milliseconds(4_500) && timeline.dispatch == .seconds(32))
        #expect(plan.timelines.allSatisfy { $0.keepsPromise })
        #expect(line?.contains("a pulse alone is judged of maria") == true)
    }

    @Test(arguments: ["abort_window_seconds = 2.5", "early_notice = false"])
    func `is that of the settings where they decide`(sos: String) throws {
        let (plan, line) = try plans(sos, kinds: Self.pulse)
        #expect(!plan.hasEarlyNotice && plan.windows[.vitalSign] == .milliseconds(2_500) && line == nil)
    }

    @Test func `is the usual one where another vital sign supports the pulse`() throws {
        let (plan, line) = try plans("", kinds: [.heartRate, .oxygenSaturation])
        #expect(!plan.hasEarlyNotice && line == nil)
    }
}

@Suite struct `The emergencies of a person` {
    @Test func `that nothing they wear can raise are each named, the signals too`() throws {
        let settings = try SettingsSample().load()
        let plan = try #require(settings.persons.first?.plan)
        let strap = WearableAbilities(kinds: [.heartRate], streams: [.heartRate], events: [])
        let coverage = EmergencyCoverage(
            of: plan, wearables: settings.wearables, abilities: [DeviceID(sample: "strap"): strap])
        for signal in WearableSignal.Kind.allCases {
            let words =
                switch signal {
                case .sosButton: "nothing maria wears has a button that calls for help"
                case .fall: "nothing maria wears can detect a fall"
                case .shaking: "nothing maria wears can detect shaking"
                }
            #expect(coverage.lines.contains(words), "\(coverage.lines)")
            let timeline = plan.timelines.first { $0.name == signal.rawValue }
            #expect(coverage.sources(of: try #require(timeline))?.isEmpty == true)
        }
        #expect(!coverage.lines.contains { $0.hasPrefix("nothing maria wears measures heart rate") })
    }

    @Test(arguments: WearableSignal.Kind.allCases)
    func `are raised by every event of a wearable that the settings give that meaning`(
        signal: WearableSignal.Kind
    ) throws {
        var found: [String] = []
        for event in ["button", "double_press", "long_press", "vibration", "motion", "moving"] {
            var sample = SettingsSample()
            sample.more = """
                [[wearable]]
                id = "tag"
                address = "C0:FF:EE:00:00:77"
                person = "maria"
                heard_by = "advertising"
                [wearable.signals]
                \(event) = "\(signal.rawValue)"
                """
            let settings = try sample.load()
            let plan = try #require(settings.persons.first?.plan)
            let heard = WearableAbilities(events: [event.hasSuffix("press") ? "button" : event])
            let coverage = EmergencyCoverage(
                of: plan, wearables: settings.wearables, abilities: [DeviceID(sample: "tag"): heard])
            let timeline = try #require(plan.timelines.first { $0.name == signal.rawValue })
            if coverage.sources(of: timeline)?.sure.map(\.text) == ["tag"] { found.append(event) }
        }
        #expect(found == ["button", "double_press", "long_press", "vibration", "motion", "moving"])
    }
}
