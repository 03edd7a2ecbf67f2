/// Proximity UUID of an iBeacon: 128 bits, most significant first.
public struct ProximityUUID: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless `text` is a UUID in its 36-character form; either case.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = groups.joined()
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

/// Namespace of an Eddystone-UID: ten bytes, the first eight and the last two.
public struct EddystoneNamespace: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt16

    public init(high: UInt64, low: UInt16) {
        self.high = high
        self.low = low
    }
}
