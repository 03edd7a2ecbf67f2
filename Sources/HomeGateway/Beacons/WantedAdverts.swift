import Hub
import Synchronization
import WireFormats

/// What the scanner listens for: the adverts of wearables, and the tags of runs for as long as those are underway.
final class WantedAdverts: Sendable {
    private struct State {
        var needsBTHome: Bool
        var tags: [AdvertFilter.Rule] = []
        var onChange: (@Sendable (AdvertFilter?) -> Void)?

        var filter: AdvertFilter? {
            let rules = tags + (needsBTHome ? [.btHome] : [])
            return rules.isEmpty ? nil : AdvertFilter(rules)
        }
    }

    private let state: Mutex<State>

    /// - Parameter needsBTHome: every BTHome device, so that one that nobody has added is counted.
    init(needsBTHome: Bool) {
        state = Mutex(State(needsBTHome: needsBTHome))
    }

    /// Nil: nothing is listened for.
    var filter: AdvertFilter? { state.withLock(\.filter) }

    /// Some wearable is heard by advertising.
    var needsBTHome: Bool { state.withLock(\.needsBTHome) }

    /// - Parameter onChange: told on the thread that brought the change, within the lock, so that two changes are
    ///   told in their order; must return at once and come back with nothing.
    func onChange(_ onChange: @escaping @Sendable (AdvertFilter?) -> Void) {
        state.withLock { $0.onChange = onChange }
    }

    /// From any thread.
    func needBTHome(_ isNeeded: Bool) { settle { $0.needsBTHome = isNeeded } }

    /// From any thread. Empty while no run is underway.
    func want(tags rules: [AdvertFilter.Rule]) { settle { $0.tags = rules } }

    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.onChange?(state.filter)
        }
    }
}
