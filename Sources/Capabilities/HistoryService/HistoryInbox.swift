import GatewayModel
import RealTime
import Synchronization
import Vault

/// Inbox of the history's thread: readings and requests. From any thread; returns at once.
final class HistoryInbox: Sendable {
    enum Request: Sendable {
        case page(HistoryQuery, @Sendable (Result<HistoryPage, HistoryFailure>) -> Void)
        /// Positions of a person; the second time is not included.
        case locations(
            PersonID, WallTime, WallTime, @Sendable (Result<LocationPage, HistoryFailure>) -> Void)
        /// Answered with the number of rows deleted.
        case erase(PersonID, @Sendable (Result<Int, HistoryFailure>) -> Void)
        /// Answered with whether all readings that came before are on the disk.
        case keep(@Sendable (Bool) -> Void)
        /// Answered when the new key is in force; older rows are sealed anew after that.
        case rotate(@Sendable (Result<Void, HistoryFailure>) -> Void)
    }

    private struct State {
        var readings: [Reading] = []
        var positions: [PositionSample] = []
        var dropped = 0
        var requests: [Request] = []
    }

    /// Maximum number of waiting readings: half an hour of five wearables at 1 Hz, some 2 MB. Beyond it the oldest are
    /// dropped and counted.
    static let bound = 10_000
    /// Maximum number of waiting positions: a day of two persons at one a minute.
    private static let positionBound = 3_000

    /// Signalled for requests only: readings are taken at intervals.
    let wakeup: Wakeup
    private let state = Mutex(State())

    init() throws {
        wakeup = try Wakeup()
    }

    func put(_ reading: Reading) {
        state.withLock { state in
            if state.readings.count >= Self.bound {
                // Many at once: a removal moves all the others.
                let given = Self.bound / 10
                state.readings.removeFirst(given)
                state.dropped += given
            }
            state.readings.append(reading)
        }
    }

    /// Beyond the bound the oldest position is dropped.
    func put(_ position: PositionSample) {
        state.withLock { state in
            if state.positions.count >= Self.positionBound { state.positions.removeFirst() }
            state.positions.append(position)
        }
    }

    func takePositions() -> [PositionSample] {
        state.withLock { state in
            defer { state.positions = [] }
            return state.positions
        }
    }

    /// Puts positions back that were not written, before those that have come since.
    func putBack(_ positions: [PositionSample]) {
        state.withLock { $0.positions = Array((positions + $0.positions).suffix(Self.positionBound)) }
    }

    func ask(_ request: Request) {
        state.withLock { $0.requests.append(request) }
        wakeup.signal()
    }

    func takeReadings() -> (readings: [Reading], dropped: Int) {
        state.withLock { state in
            defer { (state.readings, state.dropped) = ([], 0) }
            return (state.readings, state.dropped)
        }
    }

    /// Puts readings back that were not written, before those that have come since.
    func putBack(_ readings: [Reading]) {
        state.withLock { state in
            let over = max(readings.count + state.readings.count - Self.bound, 0)
            state.dropped += min(over, readings.count)
            state.readings = readings.dropFirst(over) + state.readings
        }
    }

    func takeRequests() -> [Request] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }
}
