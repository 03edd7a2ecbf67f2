import RunBeacon
import Synchronization
import Vault

/// What is written down of the clock: while a run is underway, and nothing in a house where nobody runs.
final class ClockRecord: Sendable {
    private struct State {
        var isOn = false
        var latest: ClockMark?
    }

    private let recorder: PassingRecorder
    private let state = Mutex(State())

    init(_ recorder: PassingRecorder) {
        self.recorder = recorder
    }

    /// From any thread, at once.
    func note(_ mark: ClockMark) {
        let isOn = state.withLock { state in
            state.latest = mark
            return state.isOn
        }
        if isOn { recorder.note(.clock(mark)) }
    }

    /// A run has begun, or the last has ended. From any thread, at once.
    func turn(on isOn: Bool) {
        let latest = state.withLock { state -> ClockMark? in
            defer { state.isOn = isOn }
            return isOn && !state.isOn ? state.latest : nil
        }
        if let latest { recorder.note(.clock(latest)) }
    }
}
