import Contract
package import GatewayModel
package import SOSLocal

/// Event of the feed as one line of JSON, for `homegateway watch --json` and other programs.
///
/// A flat record with the fields that its `event` has. The names of the fields are public.
package struct FeedRecord: Codable, Sendable {
    package struct Place: Codable, Sendable {
        package var source: String
        package var latitude: Double?
        package var longitude: Double?
        package var ageSeconds: Double?
        /// `wearable` (the person's own) or `box`.
        package var of: String?
        package var device: String?
        package var errorM: Double?
        package var address: String?

        package init(
            source: String, latitude: Double? = nil, longitude: Double? = nil, ageSeconds: Double? = nil,
            of: String? = nil, device: String? = nil, errorM: Double? = nil, address: String? = nil
        ) {
            self.source = source
            self.latitude = latitude
            self.longitude = longitude
            self.ageSeconds = ageSeconds
            self.of = of
            self.device = device
            self.errorM = errorM
            self.address = address
        }
    }

    package var at: String
    package var bootNs: Int64
    package var event: String
    package var person: String?
    package var device: String?
    package var kind: String?
    /// Of the message that tells the cloud of it, where it may leave.
    package var id: String?
    package var value: Double?
    package var unit: String?
    /// Of a reading that the rules leave out: `contact-lost`, `implausible` or `history`.
    package var notJudged: String?
    package var rule: String?
    package var limit: Double?
    package var alarm: String?
    package var repetition: Int?
    /// `pending` or `confirmed`.
    package var stage: String?
    package var round: Int?
    package var confirmedAfterMs: Int64?
    package var abortWindowMs: Int64?
    package var afterConfirmationMs: Int64?
    package var afterCrossingMs: Int64?
    package var channel: String?
    package var by: String?
    package var beforeDispatch: Bool?
    package var location: Place?
    package var latitude: Double?
    package var longitude: Double?
    package var code: String?
    package var subject: String?
    package var raised: Bool?
    package var title: String?
    package var text: String?
    // Of a passing, or of where a runner is.
    package var run: String?
    package var checkpoint: String?
    package var bib: Int?
    /// Nil where it does not count.
    package var order: Int?
    /// When the runner was nearest; of a position, when the checkpoint is likely to be reached.
    package var time: String?
    /// Nil where nobody knows how wrong the clock is.
    package var boundMs: Int64?
    package var flags: [String]?
    /// Metres from the start along the course.
    package var distanceM: Double?
    /// Seconds.
    package var paceSPerKm: Double?

    package init(_ event: String, at moment: Moment) {
        self.event = event
        self.at = moment.wall.rfc3339
        self.bootNs = moment.boot.nanoseconds
    }

    /// A copy with some fields filled in.
    package func with(_ change: (inout FeedRecord) -> Void) -> FeedRecord {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FeedRecord.Place {
    package init(_ location: AlarmLocation) {
        let installed: InstalledPlace? = if case .installed(let place) = location { place } else { nil }
        let coordinates = location.fix?.coordinates ?? installed?.coordinates
        self.init(
            source: location.source, latitude: coordinates?.latitude, longitude: coordinates?.longitude,
            ageSeconds: location.age.map { Double($0.wholeMilliseconds) / 1_000 }, of: location.bearer?.word,
            device: location.bearer?.device?.text, errorM: location.fix?.horizontalError,
            address: installed?.address)
    }
}

extension FeedRecord {
    /// Nil for events that watchers do not see.
    package init?(_ event: FeedEvent) {
        let record: FeedRecord? =
            switch event {
            case .reading(let reading): .reading(reading)
            case .position(let fix): .position(fix)
            case .health(let condition, let isRaised, let moment):
                .health(condition, isRaised: isRaised, at: moment)
            case .decided(let action, let moment): FeedRecord(action, at: moment)
            case .dispatch(let order, let channel, let moment): .dispatch(order, through: channel, at: moment)
            case .cancelled(let retraction, let channel, let moment):
                .cancelled(retraction, through: channel, at: moment)
            case .notCalled(let alarm, let person, let reason, let moment):
                .notCalled(alarm, of: person, why: reason, at: moment)
            case .open(let alarm, let help, let moment): .open(alarm, help, at: moment)
            case .noOpenAlarm(let moment): .noOpenAlarm(at: moment)
            case .passing(let passing, let moment): .passing(passing, at: moment)
            case .overdue(let runner, let moment): .overdue(runner, at: moment)
            case .runner(let owner, let position, let id): .runner(owner, at: position, id: id)
            }
        guard let record else { return nil }
        self = record
    }
}
