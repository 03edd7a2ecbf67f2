import Hub
import Synchronization

/// Choice of the source of adverts: the kernel's own reports where this process may read them, else bluetoothd.
package final class AdvertFallback: Sendable {
    private struct State {
        /// Some wearable is heard by advertising.
        var isNeeded: Bool
        /// An installer searches for broadcasters.
        var isSearching = false
        let scanners: Int
        var deaf: Set<Int> = []
        var isOn = false
        var isLessSure = false
    }

    private let state: Mutex<State>
    private let turn: @Sendable (Bool) -> Void
    private let report: @Sendable (_ isLessSure: Bool) -> Void

    /// - Parameters:
    ///   - scanners: number of radios that listen: while one of them hears, bluetoothd is not needed.
    ///   - turn: turns the adverts of bluetoothd on or off. Called on a change only, on the thread that brought it; must
    ///     return at once and not call this object.
    ///   - report: called as `turn`, with whether wearables depend on bluetoothd for their adverts. A search alone is no
    ///     reason to report it.
    package init(
        isNeeded: Bool, scanners: Int = 1, turn: @escaping @Sendable (Bool) -> Void,
        report: @escaping @Sendable (_ isLessSure: Bool) -> Void
    ) {
        state = Mutex(State(isNeeded: isNeeded, scanners: scanners))
        (self.turn, self.report) = (turn, report)
    }

    /// From any thread.
    /// - Parameter number: index of the radio, from 0 on.
    package func scanner(_ number: Int = 0, isDeaf: Bool) {
        settle { state in
            if isDeaf { state.deaf.insert(number) } else { state.deaf.remove(number) }
        }
    }

    /// From any thread.
    package func need(_ isNeeded: Bool) { settle { $0.isNeeded = isNeeded } }

    /// Hears adverts for a search too. From any thread.
    package func setSearching(_ isSearching: Bool) { settle { $0.isSearching = isSearching } }

    /// Within the lock, so that two changes keep their order.
    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            let isDeaf = state.deaf.count >= state.scanners
            let (isOn, isLessSure) = (isDeaf && (state.isNeeded || state.isSearching), isDeaf && state.isNeeded)
            if isOn != state.isOn { turn(isOn) }
            if isLessSure != state.isLessSure { report(isLessSure) }
            (state.isOn, state.isLessSure) = (isOn, isLessSure)
        }
    }
}
