package import GatewayModel
import RealTime
package import Settings
package import SettingsReading
import Synchronization

/// The settings that run now, and the text behind them: those of the file, under the values that persons have set. From any
/// thread.
package final class RunningSettings: Sendable {
    private struct State {
        /// Settings of the file.
        var written: GatewaySettings
        var choices: [PersonID: PersonChoices] = [:]
        /// `written` with `choices`.
        var settings: GatewaySettings
        var copy: SettingsCopy?
        /// Settings that wait for open alarms to be over before all of them holds.
        var waiting: GatewaySettings?
        /// The session with the broker is to be made anew as well.
        var renewsSession = false
        /// Since when no alarm has been open, while something waits for that.
        var quietSince: BootInstant?
        var refused: [SettingsProblem]
    }

    package let setAside: [SalvagedSettings.SetAside]
    private let state: Mutex<State>
    /// Held through a reload, files and all.
    let reloading = Mutex(())

    package init(_ start: StartSettings) {
        setAside = start.setAside
        state = Mutex(
            State(
                written: start.settings, settings: start.settings, copy: start.copy, refused: start.refused))
    }

    /// Settings in force, with the values that persons have set.
    package var settings: GatewaySettings { state.withLock(\.settings) }
    /// Settings of the file alone.
    package var written: GatewaySettings { state.withLock(\.written) }
    /// Values that persons have set.
    package var choices: [PersonID: PersonChoices] { state.withLock(\.choices) }
    package var copy: SettingsCopy? { state.withLock(\.copy) }
    /// Mistakes of the file for which earlier settings run.
    package var refused: [SettingsProblem] { state.withLock(\.refused) }
    /// Settings of the file that wait for the end of an alarm.
    package var waiting: GatewaySettings? { state.withLock(\.waiting) }

    /// - Parameter written: settings of the file.
    package func replace(_ written: GatewaySettings, waiting: GatewaySettings?) {
        state.withLock { state in
            (state.written, state.settings) = (written, written.with(state.choices))
            (state.waiting, state.quietSince) = (waiting, nil)
        }
    }

    /// Replaces the values that one person has set.
    package func replace(_ choices: PersonChoices?, of person: PersonID) {
        state.withLock { state in
            state.choices[person] = choices
            state.settings = state.written.with(state.choices)
        }
    }

    /// A session that works is left to an open alarm.
    package func renewSessionLater() { state.withLock { $0.renewsSession = true } }

    package func takeSessionRenewal() -> Bool {
        state.withLock { state in
            defer { state.renewsSession = false }
            return state.renewsSession
        }
    }

    /// After the last alarm: its last words are on their way by then.
    private static let quiet = Duration.seconds(5)

    /// Whether settings that wait for the end of alarms may be applied now.
    package func maySettle(isAlarmOpen: Bool, at now: BootInstant) -> Bool {
        state.withLock { state in
            guard state.waiting != nil, !isAlarmOpen else {
                state.quietSince = nil
                return false
            }
            let since = state.quietSince ?? now
            state.quietSince = since
            return since.duration(to: now) >= Self.quiet
        }
    }

    package func replace(copy: SettingsCopy) { state.withLock { $0.copy = copy } }

    /// The file itself runs again.
    package func acceptFile() { state.withLock { $0.refused = [] } }
}
