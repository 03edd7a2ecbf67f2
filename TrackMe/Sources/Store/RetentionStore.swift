public import GatewayModel

/// Time for which each form of a person's data is kept.
public struct Retention: Hashable, Sendable {
    public let raw: Duration
    public let minutes: Duration
    /// Also of gaps, notices, documents, and of the log of views.
    public let hours: Duration
    /// Time for which the ID of a reading is known after its making. A later one is refused, since it may be a
    /// repetition.
    public let late: Duration

    public init(raw: Duration, minutes: Duration, hours: Duration, late: Duration) {
        (self.raw, self.minutes, self.hours, self.late) = (raw, minutes, hours, late)
    }

    /// Times until which everything may be removed. Hours begin on the hour, so that no hour is half there.
    public func limits(at now: WallTime) -> KeptSince {
        func limit(_ life: Duration, _ unit: Int64) -> WallTime {
            let time = max(now.advanced(by: .zero - life).millisecondsSince1970, 0)
            return WallTime(millisecondsSince1970: time - time % unit)
        }
        return KeptSince(
            raw: limit(raw, 1), minutes: limit(minutes, RollUp.hour.rawValue),
            hours: limit(hours, RollUp.hour.rawValue), live: limit(late, 1), history: limit(hours, 1))
    }
}

/// Removal of old rows.
public protocol RetentionStore: Sendable {
    /// Raises the limits; they never fall again. Older readings are refused from this commit on.
    func raise(_ limits: KeptSince) async throws
    /// Removes at most `most` rows below the limits, in one commit. Returns their number: 0 at the end.
    func removeSome(most: Int) async throws -> Int
    /// Empties the log of the database, where erased rows may still be. False if a reader was in the way.
    func emptyLog() async throws -> Bool
}
