import GatewayModel

/// Says of a measurement whether it is of now and when it was taken, from the device's time and what is known
/// of the device's clock. Pure.
struct Dating: Sendable {
    /// How the device's clock compared with ours when it was last read, before it was set.
    struct Comparison: Hashable, Sendable {
        /// What it showed, read as local time.
        let device: WallTime
        /// To be added to it.
        let offset: Duration
    }

    let zone: LocalZone
    let comparison: Comparison?

    /// Older than this is a record, not the person's state. A device needs until it advertises (seconds), up to
    /// a pause of a minute and half a minute for the connection, and many clocks show whole minutes; the
    /// same is allowed for how far a clock nobody compared may be ahead.
    static let currencyLimit = Duration.seconds(300)
    /// Devices with a clock that nobody set show the year they were made, or an epoch (2000, 2010). Nothing
    /// that this gateway talks to measured a person before 2015.
    static let earliest = WallTime(millisecondsSince1970: 1_420_070_400_000)

    /// - Parameter isStored: it is known to be a record, whatever its time.
    func date(_ stamp: ReadingMapper.Stamp?, isStored: Bool, arrival: WallTime) -> (
        currency: Reading.Currency, time: DeviceTime?
    ) {
        guard let stamp, let shown = shown(stamp) else { return (isStored ? .history : .live, nil) }
        let time = DeviceTime(wall: shown, offset: offset(of: shown))
        let age = Duration.milliseconds(
            arrival.millisecondsSince1970 - time.corrected.millisecondsSince1970)
        let isUnset = time.corrected < Self.earliest || age < .zero - Self.currencyLimit
        guard !isUnset else {
            // The time of arrival counts. For a record that is told by leaving its own out; beside a live
            // value the raw time does no harm.
            return isStored ? (.history, nil) : (.live, time)
        }
        return (isStored || age > Self.currencyLimit ? .history : .live, time)
    }

    private func shown(_ stamp: ReadingMapper.Stamp) -> WallTime? {
        switch stamp {
        case .local(let seconds): zone.wall(ofLocal: seconds)
        case .utc(let seconds): WallTime(millisecondsSince1970: seconds * 1_000)
        case .unset: nil
        }
    }

    /// What the clock showed up to the comparison is off by what was seen then; later times are by the clock
    /// that was set.
    private func offset(of shown: WallTime) -> Duration? {
        comparison.flatMap { shown <= $0.device ? $0.offset : nil }
    }
}
