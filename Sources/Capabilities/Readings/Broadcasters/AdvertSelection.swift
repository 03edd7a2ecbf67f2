import Synchronization
package import WireFormats

/// Adverts that the scanners let through: those of broadcasters, and of the tags of runs while these are underway.
package final class AdvertSelection: Sendable {
    private struct State {
        var needsBTHome: Bool
        /// An installer searches for broadcasters.
        var isSearching = false
        var tags: [AdvertFilter.Rule] = []

        var filter: AdvertFilter? {
            let rules = tags + (needsBTHome || isSearching ? [.btHome] : [])
            return rules.isEmpty ? nil : AdvertFilter(rules)
        }
    }

    private let state: Mutex<State>
    private let scanners: [AdvertService]

    /// - Parameters:
    ///   - needsBTHome: lets through every BTHome device, so that unknown ones are counted.
    ///   - scanners: scanners that follow each change, on the thread that brings it.
    package init(needsBTHome: Bool, scanners: [AdvertService]) {
        state = Mutex(State(needsBTHome: needsBTHome))
        self.scanners = scanners
        settle { _ in }
    }

    /// Whether adverts of broadcasters are let through.
    package var needsBTHome: Bool { state.withLock(\.needsBTHome) }

    /// No advert is let through, and no scanner runs.
    var isIdle: Bool { state.withLock { $0.filter == nil } }

    /// Lets the adverts of broadcasters through for a search, beside those that are needed. From any thread.
    func setSearching(_ isSearching: Bool) { settle { $0.isSearching = isSearching } }

    /// From any thread.
    package func setNeedsBTHome(_ isNeeded: Bool) { settle { $0.needsBTHome = isNeeded } }

    /// Replaces the rules for tags; empty while no run is underway. From any thread.
    package func setTagRules(_ rules: [AdvertFilter.Rule]) { settle { $0.tags = rules } }

    /// Within the lock, so that two changes reach the scanners in their order.
    private func settle(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            for scanner in scanners { scanner.setFilter(state.filter) }
        }
    }
}
