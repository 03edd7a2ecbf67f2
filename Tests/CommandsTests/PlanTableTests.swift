import Alarms
import GatewayModel
import Hub
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
    private func table(_ person: String) throws -> Case {
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
        return Case(plan: plan, lines: PlanTable(plan: plan, coverage: coverage).lines)
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

    @Test func `shows an early notice, and who is not told`() throws {
        let found = try table("[person.sos]\nabort_window_seconds = 60\nearly_notice = true")
        let text = found.lines.map { $0.replacing(/\s+/, with: " ") }
        #expect(
            text.contains("heart-rate-low ≤ 40 bpm high 2.0 s 2.25 s notice 4.5 s, help 62.0 s 0.5 s strap"))
        #expect(text.contains { $0.hasPrefix("glucose-low-warning") && $0.hasSuffix("nobody outside - strap") })
    }
}
