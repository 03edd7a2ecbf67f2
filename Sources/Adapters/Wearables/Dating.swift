import GatewayModel

/// Says of a measurement whether it is of now and when it was taken, from the device's time and what is known
/// of the device's clock. Pure.
///
/// What has no time of its own is of now. What has one is of now only where that time, by a clock that is
/// known or stands near the house's, is within the limit; a time that can be meant and is older makes it history,
/// since a record that comes late must never raise an alarm as if it told how the person is.
///
/// A time that says nothing speaks for neither: what came unasked with it is undated, and its company decides
/// (`SOSLocal`). Else whoever wears a cuff whose clock was never set would be measured in vain.
struct Dating: Sendable {
    let zone: LocalZone
    let clock: DeviceClock

    /// Older than this is a record, not the person's state. A device needs until it advertises (seconds), up to
    /// a pause of a minute and half a minute for the connection, and many clocks show whole minutes; the
    /// same is allowed for how far a clock nobody compared may be ahead.
    static let currencyLimit = Duration.seconds(300)
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

    /// Of what the clock says is of now.
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
