package import GatewayModel
import Synchronization

/// Turn of one change at a time, from its check until its write is answered: no change is computed from values that another
/// one is about to replace. From any thread; never waits.
package final class ChangeTurn: Sendable {
    /// A change whose write was never answered loses its turn then.
    private static let limit = Duration.seconds(10)

    package struct Ticket: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var number = 0
        var begin: BootInstant?
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns nil while another change has the turn.
    package func take(at now: BootInstant) -> Ticket? {
        state.withLock { state in
            if let begin = state.begin, begin.duration(to: now) < Self.limit { return nil }
            (state.number, state.begin) = (state.number + 1, now)
            return Ticket(number: state.number)
        }
    }

    /// Gives the turn back, unless it was lost by then.
    package func give(_ ticket: Ticket) {
        state.withLock { state in
            if state.number == ticket.number { state.begin = nil }
        }
    }
}
