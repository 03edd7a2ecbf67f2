public import GatewayModel

extension RaceTracker {
    /// Until when persons of the house are in a run of their own (`RunCatalog.exercise`). Nil while that cannot be told: by a
    /// clock that nobody has set nobody's limits are changed.
    public func ownRuns(at now: BootInstant) -> [PersonID: BootInstant]? {
        guard clock.isSet else { return book.runs.isEmpty ? [:] : nil }
        let wall = clock.time(of: now).time
        return book.exercise(at: wall).mapValues { end in
            now.advanced(by: .milliseconds(end.millisecondsSince1970 - wall.millisecondsSince1970))
        }
    }
}
