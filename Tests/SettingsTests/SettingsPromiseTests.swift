import Settings
import SettingsSamples
import Testing

/// T2: a plan that cannot send help within 5 seconds is refused.
@Suite struct SettingsPromiseTests {
    private func complaints(_ sos: String, _ heartRate: String) -> [String] {
        var sample = SettingsSample()
        sample.person +=
            "\n[person.sos]\n\(sos)\n[person.sos.heart_rate]\n\(heartRate)"
            + "\n[person.sos.oxygen_saturation]\nenabled = false"
        return sample.complaints
    }

    @Test func `the sum is shown at the abort window`() {
        #expect(
            complaints("abort_window_seconds = 4.0", "confirm_within_seconds = 3.0") == [
                "gateway.toml:14: person.sos.abort_window_seconds: heart-rate-low: confirmation 3.0 s + abort "
                    + "window 4.0 s + reserve 0.5 s = 7.5 s, limit 5.0 s: shorten abort_window_seconds or "
                    + "confirm_within_seconds, together they have 4.5 s, or write early_notice = true"
            ])
    }

    @Test func `where the abort window is not written the confirmation is to blame`() {
        let complaints = complaints("", "confirm_within_seconds = 3.0")
        #expect(complaints.count == 1)
        #expect(
            complaints.first?.hasPrefix(
                "gateway.toml:16: person.sos.heart_rate.confirm_within_seconds: heart-rate-low: "
                    + "confirmation 3.0 s + abort window 2.5 s + reserve 0.5 s = 6.0 s, limit 5.0 s") == true)
    }

    @Test func `five seconds are kept and a millisecond more is not`() {
        #expect(complaints("abort_window_seconds = 2.2", "confirm_within_seconds = 2.3").isEmpty)
        #expect(complaints("abort_window_seconds = 2.201", "confirm_within_seconds = 2.3").count == 1)
    }

    @Test func `one reading confirms at once and leaves all to the abort window`() {
        let slow = "confirm_readings = 1\nconfirm_within_seconds = 4.0"
        #expect(complaints("abort_window_seconds = 4.5", slow).isEmpty)
    }

    @Test func `the promise is checked beside other mistakes`() {
        var sample = SettingsSample()
        sample.person = "[[person]]\nid = \"M\"\nname = \"Maria\"\n[person.sos]\nabort_window_seconds = 4.4"
        sample.wearable = ""
        #expect(sample.complaints.count == 2)
    }

    @Test func `a window of its own is to blame for itself`() {
        #expect(
            complaints("button_window_seconds = 4.6\nfall_window_seconds = 4.5", "") == [
                "gateway.toml:14: person.sos.button_window_seconds: sos-button: confirmation 0.0 s + abort window "
                    + "4.6 s + reserve 0.5 s = 5.1 s, limit 5.0 s: shorten button_window_seconds to at most 4.5 s, "
                    + "or write early_notice = true"
            ])
    }

    @Test func `every kind is held to it by its own key`() {
        var sample = SettingsSample()
        sample.person += "\n[person.sos.oxygen_saturation]\nconfirm_within_seconds = 2.5"
        #expect(
            sample.complaints.first?.hasPrefix(
                "gateway.toml:14: person.sos.oxygen_saturation.confirm_within_seconds: oxygen-saturation-low: ")
                == true)
        #expect(sample.complaints.count == 1)
    }

    @Test func `an early notice allows a minute`() {
        #expect(complaints("abort_window_seconds = 60", "").count == 1)
        #expect(complaints("abort_window_seconds = 60\nearly_notice = true", "").isEmpty)
        #expect(complaints("button_window_seconds = 60\nearly_notice = true", "").isEmpty)
        let late = complaints("abort_window_seconds = 60.1\nearly_notice = true", "")
        #expect(late.first?.contains("abort_window_seconds: saw 60.1") == true)
    }

    @Test func `an alarm of medium priority promises no call in time`() {
        let medium = "priority = \"medium\"\nconfirm_within_seconds = 4"
        #expect(complaints("", medium).isEmpty)
    }
}
