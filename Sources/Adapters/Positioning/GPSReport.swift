import GatewayModel

/// One TPV report of gpsd (gpsd_json(5)), as libgps unpacked it; what was not reported is nil.
struct GPSReport: Hashable, Sendable {
    /// 0 and 1: no fix, 2: two-dimensional, 3: three-dimensional. gpsd's `status` says 0 with a good
    /// fix as well, so it is not asked.
    let mode: Int32
    /// The receiver's time of the fix, nanoseconds since 1970; nil where it has none.
    let time: Int64?
    let latitude: Double?
    let longitude: Double?
    /// Metres above mean sea level.
    let altitude: Double?
    /// gpsd's `eph`, metres.
    let horizontalError: Double?

    /// Nil without a fix, or with one that is no point of the globe. NaN, gpsd's "unknown", goes no
    /// further than this.
    func fix(arrival: Moment) -> Fix? {
        guard mode >= 2, let latitude, let longitude,
            let coordinates = Coordinates(latitude: latitude, longitude: longitude)
        else { return nil }
        return Fix(
            coordinates: coordinates, altitude: mode >= 3 ? altitude?.known(within: Self.heights) : nil,
            horizontalError: horizontalError?.known(within: Self.errors), arrival: arrival)
    }

    /// From below the deepest sea to where satellites fly, and up to half way round the earth, in metres: what is beyond
    /// says nothing, and has no room in a whole number.
    private static let (heights, errors) = (-20_000.0...20_000_000, 0.0...20_000_000)
}

extension Double {
    /// Nil for NaN as well.
    fileprivate func known(within range: ClosedRange<Double>) -> Double? { range.contains(self) ? self : nil }
}
