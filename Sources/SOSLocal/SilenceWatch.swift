import GatewayModel

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
