public import GatewayModel

/// When each of a person's sensors that stream was last heard while it was worn.
///
/// A device that measures when it is used is never missed; one that said that it was taken off is not either.
struct SilenceWatch: Hashable, Sendable {
    private let limit: Duration
    private var last: [DeviceID: Reading] = [:]

    init(_ rule: SilenceRule) {
        limit = rule.limit
    }

    var deadline: BootInstant? { last.values.map(\.arrival.boot).min()?.advanced(by: limit) }

    /// A live, plausible reading of a sensor that is worn.
    mutating func heard(_ reading: Reading) {
        if reading.sampling == .stream { last[reading.device] = reading }
    }

    mutating func takenOff(_ device: DeviceID) {
        last[device] = nil
    }

    /// Those whose limit is reached, longest silent first. Each is told once, until it is heard again.
    mutating func tick(at now: BootInstant) -> [SensorSilence] {
        let silent = last.values.map { SensorSilence(last: $0, limit: limit) }
            .filter { $0.arrival.boot <= now }
            .sorted { ($0.arrival.boot, $0.last.device.text) < ($1.arrival.boot, $1.last.device.text) }
        for silence in silent { last[silence.last.device] = nil }
        return silent
    }
}

/// When a sensor that was worn and has fallen silent becomes an alarm, besides being a condition.
public struct SilenceRule: Hashable, Sendable {
    public let limit: Duration
    public let priority: AlarmPriority

    /// - Parameter limit: 10 minutes where nothing else is said: a shower, a walk to the letter box.
    public init(limit: Duration = .seconds(600), priority: AlarmPriority = .low) {
        self.limit = limit
        self.priority = priority
    }
}

/// A sensor that was worn and sent, and has sent nothing for longer than the person's plan allows.
public struct SensorSilence: Hashable, Codable, Sendable {
    public let last: Reading
    public let limit: Duration
    /// When the limit was reached.
    public let arrival: Moment

    /// - Parameter last: the last reading there was.
    public init(last: Reading, limit: Duration) {
        self.last = last
        self.limit = limit
        arrival = last.arrival.advanced(by: limit)
    }
}
