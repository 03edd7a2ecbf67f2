package import GatewayModel
import RealTime
package import Settings
import Synchronization

/// The settings that run now, and the text behind them. From any thread.
package final class RunningSettings: Sendable {
    private struct State {
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
        state = Mutex(State(settings: start.settings, copy: start.copy, refused: start.refused))
    }

    package var settings: GatewaySettings { state.withLock(\.settings) }
    package var copy: SettingsCopy? { state.withLock(\.copy) }
    /// Mistakes of the file for which earlier settings run.
    package var refused: [SettingsProblem] { state.withLock(\.refused) }
    package var waiting: GatewaySettings? { state.withLock(\.waiting) }

    package func replace(_ settings: GatewaySettings, waiting: GatewaySettings?) {
        state.withLock { ($0.settings, $0.waiting, $0.quietSince) = (settings, waiting, nil) }
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
