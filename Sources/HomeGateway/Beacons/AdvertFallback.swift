import Hub
import Synchronization

/// Who hears the adverts: the kernel's own words wherever they can be had, else what bluetoothd shows.
final class AdvertFallback: Sendable {
    private struct State {
        /// Some wearable is heard by advertising.
        var isNeeded: Bool
        let scanners: Int
        var deaf: Set<Int> = []
        var isOn = false
    }

    private let state: Mutex<State>
    private let turn: @Sendable (Bool) -> Void

    /// - Parameters:
    ///   - scanners: how many radios listen: while one of them hears, nothing else is needed.
    ///   - turn: asks bluetoothd, or asks it no more. Called on a change only, on the thread that brought
    ///     it; must return at once and come back with nothing.
    init(isNeeded: Bool, scanners: Int = 1, turn: @escaping @Sendable (Bool) -> Void) {
        state = Mutex(State(isNeeded: isNeeded, scanners: scanners))
        self.turn = turn
    }

    /// From any thread.
    /// - Parameter number: which of them, from 0 on.
    func scanner(_ number: Int = 0, isDeaf: Bool) {
        settle { state in
            if isDeaf { state.deaf.insert(number) } else { state.deaf.remove(number) }
        }
    }

    /// From any thread.
    func need(_ isNeeded: Bool) { settle { $0.isNeeded = isNeeded } }

    /// Told within the lock, so that two changes are told in their order.
    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            let isOn = state.isNeeded && state.deaf.count >= state.scanners
            guard isOn != state.isOn else { return }
            state.isOn = isOn
            turn(isOn)
        }
    }
}
