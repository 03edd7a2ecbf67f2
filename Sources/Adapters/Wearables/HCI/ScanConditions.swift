/// How the controller scans, by whoever's orders.
public struct ScanConditions: Hashable, Sendable {
    /// Asks advertisers for more (scan requests); a passive scan only listens.
    public let isActive: Bool
    /// The radio listens for `window` out of each `interval`.
    public let interval: Duration
    public let window: Duration
    /// Only devices of the controller's list are reported: so the kernel waits for bonded devices. Beacons
    /// and buttons are not heard.
    public let hearsListedOnly: Bool
    /// An advertiser is reported once, then not again until the scan is started anew, unless its data changes.
    public let filtersDuplicates: Bool

    /// What this scanner asks for: hear everything, all the time, and let nobody know.
    ///
    /// 30 ms are the fast scan window and the shortest fast scan interval of the Generic Access Profile
    /// (Core 5.4, Vol 3, Part C, Appendix A). Equal, they leave no gap; the radio changes channel with each.
    static let own = ScanConditions(
        isActive: false, interval: .milliseconds(30), window: .milliseconds(30), hearsListedOnly: false,
        filtersDuplicates: false)
}
