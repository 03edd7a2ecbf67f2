import Synchronization

/// Who hears the adverts: the kernel's own words wherever they can be had, else what bluetoothd shows.
final class AdvertFallback: Sendable {
    private struct State {
        /// Some wearable is heard by advertising.
        var isNeeded: Bool
        var isScannerDeaf = false
        var isOn = false
    }

    private let state: Mutex<State>
    private let turn: @Sendable (Bool) -> Void

    /// - Parameter turn: asks bluetoothd, or asks it no more. Called on a change only, on the thread that brought
    ///   it; must return at once and come back with nothing.
    init(isNeeded: Bool, turn: @escaping @Sendable (Bool) -> Void) {
        state = Mutex(State(isNeeded: isNeeded))
        self.turn = turn
    }

    /// From any thread.
    func scanner(isDeaf: Bool) { settle { $0.isScannerDeaf = isDeaf } }

    /// From any thread.
    func need(_ isNeeded: Bool) { settle { $0.isNeeded = isNeeded } }

    /// Told within the lock, so that two changes are told in their order.
    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            let isOn = state.isNeeded && state.isScannerDeaf
            guard isOn != state.isOn else { return }
            state.isOn = isOn
            turn(isOn)
        }
    }
}
