public import GatewayModel

extension HistoryResolution {
    /// Milliseconds; nil for single readings.
    var length: Int64? {
        switch self {
        case .raw: nil
        case .minute: HistorySlot.minute
        case .hour: HistorySlot.hour
        case .day: HistorySlot.day
        }
    }

    /// Maximum number of points: about the width of a screen.
    private static let most: Int64 = 1_000

    /// Returns the finest resolution with about 1,000 points at most between two times. One reading a second is
    /// assumed.
    public static func fitting(from: WallTime, to: WallTime) -> HistoryResolution {
        let (span, isTooLong) = to.millisecondsSince1970.subtractingReportingOverflow(
            from.millisecondsSince1970)
        guard !isTooLong else { return .day }
        if span <= most * 1_000 { return .raw }
        if span <= most * HistorySlot.minute { return .minute }
        return span <= most * HistorySlot.hour ? .hour : .day
    }
}

/// Query for the history of one kind of one person, from all the person's devices.
public struct HistoryQuery: Hashable, Sendable {
    public let person: PersonID
    public let kind: QuantityKind
    /// Milliseconds since 1970, UTC.
    let from: Int64
    /// Not included.
    let to: Int64
    public let resolution: HistoryResolution
    /// Maximum number of points in one answer.
    public let limit: Int

    /// - Parameter resolution: nil for the resolution that fits the time span.
    public init(
        person: PersonID, kind: QuantityKind, from: WallTime, to: WallTime,
        resolution: HistoryResolution? = nil, limit: Int = 1_000
    ) {
        (self.person, self.kind) = (person, kind)
        self.from = HistorySlot.times.clamp(from.millisecondsSince1970)
        self.to = HistorySlot.times.clamp(to.millisecondsSince1970)
        self.resolution = resolution ?? .fitting(from: from, to: to)
        self.limit = max(limit, 1)
    }
}
