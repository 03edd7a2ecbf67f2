import Contract
import GatewayModel
import SOSLocal

/// One line of `homegateway watch`: something that has just happened in the house.
///
/// A flat record with the fields its `event` has; the names are the public form of `watch --json`.
struct FeedEvent: Codable, Sendable {
    struct Place: Codable, Sendable {
        var source: String
        var latitude: Double?
        var longitude: Double?
        var ageSeconds: Double?
        /// `wearable` (the person's own) or `box`.
        var of: String?
        var device: String?
        var errorM: Double?
        var address: String?
    }

    var at: String
    var bootNs: Int64
    var event: String
    var person: String?
    var device: String?
    var kind: String?
    /// Of the message that tells the cloud of it, where it may leave.
    var id: String?
    var value: Double?
    var unit: String?
    /// Of a reading that the rules leave out: `contact-lost`, `implausible` or `history`.
    var notJudged: String?
    var rule: String?
    var limit: Double?
    var alarm: String?
    var repetition: Int?
    /// `pending` or `confirmed`.
    var stage: String?
    var round: Int?
    var confirmedAfterMs: Int64?
    var abortWindowMs: Int64?
    var afterConfirmationMs: Int64?
    var afterCrossingMs: Int64?
    var channel: String?
    var by: String?
    var beforeDispatch: Bool?
    var location: Place?
    var latitude: Double?
    var longitude: Double?
    var code: String?
    var subject: String?
    var raised: Bool?
    var title: String?
    var text: String?
    // Of a passing, or of where a runner is.
    var run: String?
    var checkpoint: String?
    var bib: Int?
    /// Nil where it does not count.
    var order: Int?
    /// When the runner was nearest; of a position, when the checkpoint is likely to be reached.
    var time: String?
    /// Nil where nobody knows how wrong the clock is.
    var boundMs: Int64?
    var flags: [String]?
    /// Metres from the start along the course.
    var distanceM: Double?
    /// Seconds.
    var paceSPerKm: Double?

    init(_ event: String, at moment: Moment) {
        self.event = event
        self.at = moment.wall.rfc3339
        self.bootNs = moment.boot.nanoseconds
    }

    /// A copy with some fields filled in.
    func with(_ change: (inout FeedEvent) -> Void) -> FeedEvent {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FeedEvent.Place {
    init(_ location: AlarmLocation) {
        let installed: InstalledPlace? = if case .installed(let place) = location { place } else { nil }
        let coordinates = location.fix?.coordinates ?? installed?.coordinates
        self.init(
            source: location.source, latitude: coordinates?.latitude, longitude: coordinates?.longitude,
            ageSeconds: location.age.map { Double($0.wholeMilliseconds) / 1_000 }, of: location.bearer?.word,
            device: location.bearer?.device?.text, errorM: location.fix?.horizontalError,
            address: installed?.address)
    }
}
