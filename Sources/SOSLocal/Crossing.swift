public import GatewayModel

/// The reading that first broke a rule: the instant from which the promise is counted.
public struct Crossing: Hashable, Codable, Sendable {
    public let reading: Reading
    public let rule: LimitRule

    public init(reading: Reading, rule: LimitRule) {
        self.reading = reading
        self.rule = rule
    }

    public var instant: BootInstant { reading.arrival.boot }
}
