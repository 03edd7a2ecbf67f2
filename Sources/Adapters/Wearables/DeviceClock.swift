import GatewayModel

/// How far a device's own clock is off, and how sure that is. Pure.
///
/// The clock is read on each connection and then set, where the device has it to be read and set. What it is off
/// by now says nothing yet of when a stored record was made: a battery may have been changed or the hour put
/// back since. Only a clock that is found as the connection before left it has run undisturbed in between.
///
/// It is compared with UTC: a device that nobody puts forward in spring is off by the same all year.
struct DeviceClock: Hashable, Sendable {
    private struct Comparison: Hashable {
        /// What it showed, seconds since 1970 as if its local time were UTC.
        let shown: Int64
        /// Seconds to be added to what it shows to get UTC.
        let offset: Int64
        /// It was found as it was left, or right from the start.
        let isSure: Bool
        /// What is to be added since it was set, on the same connection.
        var setOffset: Int64?
    }

    /// Of this connection.
    private var comparison: Comparison?
    /// Of the connection before that had one.
    private var last: Comparison?
    /// What it has shown twice, since it was set back over it: which of the two times is meant is not told.
    private var twice: ClosedRange<Int64>?
    /// It says yes to being set and goes on as before.
    private var takesNoNotice = false

    /// Seconds. A read takes up to a few, some clocks show whole minutes only, and a cheap one loses a minute in
    /// weeks.
    static let tolerance: Int64 = 60

    /// It was read.
    /// - Parameters:
    ///   - shown: seconds since 1970 as if its local time were UTC.
    ///   - now: seconds since 1970.
    ///   - eastOfUTC: what the house's clocks are ahead, in seconds.
    mutating func read(showing shown: Int64, at now: Int64, eastOfUTC: Int64) {
        let offset = now - shown
        func isFound(_ expected: Int64) -> Bool { abs(expected - offset) <= Self.tolerance }
        let isAsLeft = isFound(last.map { $0.setOffset ?? $0.offset } ?? -eastOfUTC)
        let isAsBefore = last.map { isFound($0.offset) } ?? false
        if isAsBefore, !isAsLeft { (takesNoNotice, twice) = (true, nil) }
        comparison = Comparison(shown: shown, offset: offset, isSure: isAsLeft || isAsBefore)
    }

    /// It has taken the house's time.
    mutating func wasSet(eastOfUTC: Int64) {
        guard let comparison, !takesNoNotice else { return }
        self.comparison?.setOffset = -eastOfUTC
        let back = -eastOfUTC - comparison.offset
        if back > Self.tolerance { twice = comparison.shown - back...comparison.shown }
    }

    mutating func connectionEnded() {
        last = comparison ?? last
        comparison = nil
    }

    /// What to add to a time that it showed to get UTC; nil for one that was never read.
    /// - Returns: `isSure` where the clock is known to have been off by so much at that time.
    func offset(of shown: Int64) -> (seconds: Int64, isSure: Bool)? {
        // Before it is read on this connection, what the last one saw of it holds.
        guard let known = comparison ?? last else { return nil }
        let isTwice = twice?.contains(shown) ?? false
        guard let setOffset = known.setOffset, shown > known.shown || isTwice else {
            return (known.offset, known.isSure && !isTwice)
        }
        return (setOffset, !isTwice)
    }
}
