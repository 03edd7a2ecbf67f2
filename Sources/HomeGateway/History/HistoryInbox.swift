import Consent
import GatewayModel
import OutboxService
import RealTime
import Synchronization
import Vault

/// What waits for the thread of the history: readings, and what is asked of it. From any thread; returns at once.
final class HistoryInbox: Sendable {
    enum Errand: Sendable {
        case page(HistoryQuery, @Sendable (Result<HistoryPage, HistoryFailure>) -> Void)
        /// Answered with the number of rows deleted.
        case erase(PersonID, @Sendable (Result<Int, HistoryFailure>) -> Void)
        /// Answered when the new key is in force; older rows are sealed anew after that.
        case rotate(@Sendable (Result<Void, HistoryFailure>) -> Void)
    }

    private struct State {
        var readings: [Reading] = []
        var dropped = 0
        var errands: [Errand] = []
    }

    /// Readings that wait while the disk takes none: half an hour of five wearables at 1 Hz, some 2 MB. Beyond it
    /// the oldest give way, and are counted: what is unsent is in the outbox besides.
    static let bound = 10_000

    /// Not signalled for readings: they are taken in groups, by the clock.
    let wakeup: Wakeup
    private let state = Mutex(State())

    init() throws {
        wakeup = try Wakeup()
    }

    func put(_ reading: Reading) {
        state.withLock { state in
            if state.readings.count >= Self.bound {
                // Many at once: one by one each would move all the others.
                let given = Self.bound / 10
                state.readings.removeFirst(given)
                state.dropped += given
            }
            state.readings.append(reading)
        }
    }

    func ask(_ errand: Errand) {
        state.withLock { $0.errands.append(errand) }
        wakeup.signal()
    }

    func takeReadings() -> (readings: [Reading], dropped: Int) {
        state.withLock { state in
            defer { (state.readings, state.dropped) = ([], 0) }
            return (state.readings, state.dropped)
        }
    }

    /// Puts back what the disk did not take, before what has come since.
    func putBack(_ readings: [Reading]) {
        state.withLock { state in
            let over = max(readings.count + state.readings.count - Self.bound, 0)
            state.dropped += min(over, readings.count)
            state.readings = readings.dropFirst(over) + state.readings
        }
    }

    func takeErrands() -> [Errand] {
        state.withLock { state in
            defer { state.errands = [] }
            return state.errands
        }
    }
}
