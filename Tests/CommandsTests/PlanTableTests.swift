import SOSLocal
import Settings
import SettingsSamples
import Testing

@testable import Commands

@Suite struct `The table of a plan` {
    private func plan(_ person: String) throws -> SOSPlan {
        var sample = SettingsSample()
        sample.person += "\n" + person
        return try #require(try sample.load().persons.first?.plan)
    }

    @Test func `says for each alarm by when whom it reaches, and what is left of the 5 seconds`()
        throws
    {
        let plan = try plan("[person.sos]\nbutton_window_seconds = 2\ncarers = [\"mqtt\"]")
        let lines = PlanTable(plan: plan).lines
        func line(_ name: String) -> String? {
            lines.first { $0.hasPrefix(name + " ") }?.replacing(/\s+/, with: " ")
        }
        #expect(line("heart-rate-high") == "heart-rate-high ≥ 131 bpm high 2.0 s 2.25 s help 4.5 s 0.5 s")
        #expect(line("sos-button") == "sos-button - high at once 0.25 s help 2.0 s 3.0 s")
        #expect(line("glucose-low") == "glucose-low ≤ 40 mg/dL high at once 0.25 s help 2.5 s 2.5 s")
        #expect(
            line("body-temperature-high-warning")
                == "body-temperature-high-warning ≥ 39.1 °C medium 300.0 s 300.25 s carers 330.0 s -")
        #expect(
            line("heart-rate-high (exercise)")
                == "heart-rate-high (exercise) ≥ 170 bpm high 2.0 s 2.25 s help 4.5 s 0.5 s")
        #expect(lines.count == plan.timelines.count + 2)
    }

    @Test func `shows an early notice, and who is not told`() throws {
        let plan = try plan("[person.sos]\nabort_window_seconds = 60\nearly_notice = true")
        let text = PlanTable(plan: plan).lines.map { $0.replacing(/\s+/, with: " ") }
        #expect(text.contains("heart-rate-low ≤ 40 bpm high 2.0 s 2.25 s notice 4.5 s, help 62.0 s 0.5 s"))
        #expect(text.contains { $0.hasPrefix("glucose-low-warning") && $0.hasSuffix("nobody outside -") })
    }
}
