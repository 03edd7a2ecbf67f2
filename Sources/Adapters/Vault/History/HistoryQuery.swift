public import GatewayModel

/// How finely history is told.
public enum HistoryResolution: String, CaseIterable, Codable, Sendable {
    /// Each reading, as long as those are kept.
    case raw
    case minute, hour
    /// Of UTC.
    case day

    /// Milliseconds; nil for readings as they came.
    var length: Int64? {
        switch self {
        case .raw: nil
        case .minute: HistorySlot.minute
        case .hour: HistorySlot.hour
        case .day: HistorySlot.day
        }
    }

    /// As many points as a screen is wide.
    private static let most: Int64 = 1_000

    /// The finest of which some 1,000 points at most fall between two times; a reading each second is thought of.
    public static func fitting(from: WallTime, to: WallTime) -> HistoryResolution {
        let (span, isTooLong) = to.millisecondsSince1970.subtractingReportingOverflow(
            from.millisecondsSince1970)
        guard !isTooLong else { return .day }
        if span <= most * 1_000 { return .raw }
        if span <= most * HistorySlot.minute { return .minute }
        return span <= most * HistorySlot.hour ? .hour : .day
    }
}

/// What is asked of history: one kind of one person, from all their devices.
public struct HistoryQuery: Hashable, Sendable {
    public let person: PersonID
    public let kind: QuantityKind
    /// Milliseconds since 1970, UTC.
    let from: Int64
    /// Not included.
    let to: Int64
    public let resolution: HistoryResolution
    /// The most points that come back at once.
    public let limit: Int

    /// - Parameter resolution: nil for the one that fits.
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

/// One reading, or what is left of several.
public struct HistoryPoint: Hashable, Codable, Sendable {
    /// When it was measured, or the minute, hour or day begins; milliseconds since 1970, UTC.
    public let at: Int64
    public let count: Int
    public let min, mean, max: Double
    /// Of a single reading.
    public let device: String?
    public let contact: SensorContact?
    public let currency: Reading.Currency?
}

/// Points by time.
public struct HistoryPage: Hashable, Codable, Sendable {
    public let resolution: HistoryResolution
    public let points: [HistoryPoint]
    /// Where the next page begins, milliseconds since 1970; nil where this one is the last.
    public let next: Int64?
    /// Rows in between that could not be read, and are missing.
    public let unreadable: Int
}
