import GatewayModel
import RealTime

/// Decides whether a measurement is of now and when it was taken, from the device's time and the knowledge of
/// its clock. Pure.
/// A measurement without a time of its own is of now. One with a time is of now only where that time, by a
/// clock that is known or stands near the house's, is within the limit; a time that can be meant and is older
/// makes it history, since a record that comes late must never raise an alarm as if it told how the person is.
///
/// A time that says nothing speaks for neither: an unasked measurement with it is undated, and its company
/// decides (`SOSLocal`). Else the wearer of a cuff with an unset clock would be measured in vain.
struct Dating: Sendable {
    let zone: LocalZone
    let clock: DeviceClock

    /// Older than this is a record, not the person's state. A device needs until it advertises (seconds), up to
    /// a pause of a minute and half a minute for the connection, and many clocks show whole minutes; the
    /// same is allowed for how far a clock nobody compared may be ahead.
    private static let currencyLimit = Duration.seconds(300)
    /// Devices with a clock that nobody set show an epoch (2000, 2010), or the year they were made. Nothing
    /// that this gateway talks to measured a person before 2015. A later one could as well be meant.
    static let earliest = WallTime(millisecondsSince1970: 1_420_070_400_000)

    func date(_ stamp: ReadingMapper.Stamp?, _ origin: ReadingMapper.Origin, arrival: WallTime) -> (
        currency: Reading.Currency, time: DeviceTime?
    ) {
        guard let stamp else { return (origin == .notified ? .live : .history, nil) }
        let unknown = origin == .notified ? Reading.Currency.undated : .history
        // Without a time that can be meant, that of the arrival counts.
        guard let (time, isSure) = time(stamp), time.corrected >= Self.earliest else { return (unknown, nil) }
        let age = Duration.milliseconds(
            arrival.millisecondsSince1970 - time.corrected.millisecondsSince1970)
        // Later than a clock shows that was looked at, it is of before somebody put that back: a record.
        guard age >= .zero - Self.currencyLimit else { return (isSure == nil ? unknown : .history, nil) }
        guard age <= Self.currencyLimit else { return (.history, time) }
        return (currency(of: origin, isSure), time)
    }

    /// Currency of a measurement that is of now by the clock.
    private func currency(of origin: ReadingMapper.Origin, _ isSure: Bool?) -> Reading.Currency {
        switch (origin, isSure) {
        case (.notified, true), (.notified, nil): .live
        // By a clock that was found otherwise than it was left, as after a change of the battery.
        case (.notified, false): .undated
        // Asked for by us, so that nothing but its time speaks for its being new.
        case (.record, let isSure): isSure == true ? .live : .history
        case (.store, _): .history
        }
    }

    /// - Returns: with whether the clock is known to have been off by so much; nil for a clock nobody compared.
    private func time(_ stamp: ReadingMapper.Stamp) -> (time: DeviceTime, isSure: Bool?)? {
        switch stamp {
        case .unset: return nil
        case .utc(let seconds):
            return (DeviceTime(wall: WallTime(millisecondsSince1970: seconds * 1_000), offset: nil), nil)
        case .local(let seconds):
            let wall = zone.wall(ofLocal: seconds)
            guard let known = clock.offset(of: seconds) else {
                return (DeviceTime(wall: wall, offset: nil), nil)
            }
            let corrected = (seconds + known.seconds) * 1_000
            let offset = Duration.milliseconds(corrected - wall.millisecondsSince1970)
            return (DeviceTime(wall: wall, offset: offset), known.isSure)
        }
    }
}

/// How far a device's own clock is off, and how sure that is. Pure.
///
/// The clock is read on each connection and then set, where the device has it to be read and set. Its present
/// error by now says nothing yet of when a stored record was made: a battery may have been changed or the hour
/// put back since. Only a clock that is found as the connection before left it has run undisturbed in between.
///
/// It is compared with UTC: a device that nobody puts forward in spring is off by the same all year.
struct DeviceClock: Hashable, Sendable {
    private struct Comparison: Hashable {
        /// Shown time, seconds since 1970 as if its local time were UTC.
        let shown: Int64
        /// Seconds to be added to the shown time to get UTC.
        let offset: Int64
        /// It was found as it was left, or right from the start.
        let isSure: Bool
        /// Seconds to be added since it was set, on the same connection.
        var setOffset: Int64?
    }

    /// Of this connection.
    private var comparison: Comparison?
    /// Of the connection before that had one.
    private var last: Comparison?
    /// Times that it has shown twice, since it was set back over them: which of the two times is meant is not
    /// told.
    private var twice: ClosedRange<Int64>?
    /// It says yes to being set and goes on as before.
    private var takesNoNotice = false

    /// Seconds. A read takes up to a few, some clocks show whole minutes only, and a cheap one loses a minute in
    /// weeks.
    private static let tolerance: Int64 = 60

    /// It was read.
    /// - Parameters:
    ///   - shown: seconds since 1970 as if its local time were UTC.
    ///   - now: seconds since 1970.
    /// - eastOfUTC: offset of the house's clocks, in seconds.
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

    /// Returns the seconds to add to a shown time to get UTC; nil for a clock that was never read.
    /// - Returns: `isSure` where the clock is known to have been off by so much at that time.
    func offset(of shown: Int64) -> (seconds: Int64, isSure: Bool)? {
        // Before it is read on this connection, the comparison of the last one holds.
        guard let known = comparison ?? last else { return nil }
        let isTwice = twice?.contains(shown) ?? false
        guard let setOffset = known.setOffset, shown > known.shown || isTwice else {
            return (known.offset, known.isSure && !isTwice)
        }
        return (setOffset, !isTwice)
    }
}
