/// An instant on the machine's monotonic clock that also counts suspended time (`CLOCK_BOOTTIME`).
///
/// Every window and deadline is measured in these: a step of the wall clock does not move them.
/// Meaningless on another machine and after a reboot, so it is never sent, and stored only beside the boot
/// it belongs to.
public struct BootInstant: InstantProtocol, Hashable, Codable, Sendable {
    /// Nanoseconds since the machine booted.
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The last instant there is, where the sum lies beyond it: a damaged file may hold any duration.
    public func advanced(by duration: Duration) -> BootInstant {
        let (sum, overflows) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return BootInstant(nanoseconds: overflows ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    public func duration(to other: BootInstant) -> Duration {
        let (difference, overflows) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(overflows ? (nanoseconds < 0 ? .max : .min) : difference)
    }

    /// For a decoder: a `Duration` that is added to every instant that is read, which carries instants of an
    /// earlier boot over into this one.
    public static let shift = CodingUserInfoKey(rawValue: "BootInstant.shift")

    /// Errors: what lies 30 years and more from the boot is no instant of it, and would overflow later.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let stored = try container.decode(Int64.self)
        let shift = Self.shift.flatMap { decoder.userInfo[$0] as? Duration } ?? .zero
        let (nanoseconds, isTooFar) = stored.addingReportingOverflow(shift.wholeNanoseconds)
        guard !isTooFar, nanoseconds.magnitude < 1_000_000_000_000_000_000 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no instant: \(stored)")
        }
        self.init(nanoseconds: nanoseconds)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }

    public static func < (left: BootInstant, right: BootInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in nanoseconds, rounded towards zero; beyond ±292 years the nearest that there is.
    public var wholeNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

    /// The duration in milliseconds, rounded towards zero: the unit of the contract's time lines. Good for any two times
    /// that can be written down, which nanoseconds are not.
    public var wholeMilliseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }

    /// The duration in days of 24 hours, rounded towards zero: for people.
    public var wholeDays: Int64 { Int64(clamping: attoseconds / 86_400_000_000_000_000_000_000) }
}
