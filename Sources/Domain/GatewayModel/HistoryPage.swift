/// Resolution of the history.
public enum HistoryResolution: String, CaseIterable, Codable, Sendable {
    /// Each reading, while single readings are kept.
    case raw
    case minute, hour
    /// Days of UTC.
    case day
}

/// One reading, or the statistics of several.
public struct HistoryPoint: Hashable, Codable, Sendable {
    /// Time of measurement, or the start of the minute, hour or day; milliseconds since 1970, UTC.
    public let at: Int64
    public let count: Int
    public let min, mean, max: Double
    /// Only for a single reading.
    public let device: String?
    public let contact: SensorContact?
    public let currency: Reading.Currency?
    /// Only for a single reading; nil for one that nothing doubts.
    public let doubt: Doubts?
    /// Only for several readings: how many of them are doubtful; nil where none is.
    public let doubtful: Int?

    public init(
        at: Int64, count: Int, min: Double, mean: Double, max: Double, device: String? = nil,
        contact: SensorContact? = nil, currency: Reading.Currency? = nil, doubt: Doubts? = nil,
        doubtful: Int? = nil
    ) {
        (self.at, self.count, self.device) = (at, count, device)
        (self.min, self.mean, self.max) = (min, mean, max)
        (self.contact, self.currency, self.doubt, self.doubtful) = (contact, currency, doubt, doubtful)
    }
}

/// One page of points, ordered by time.
public struct HistoryPage: Hashable, Codable, Sendable {
    public let resolution: HistoryResolution
    public let points: [HistoryPoint]
    /// Start of the next page, milliseconds since 1970; nil on the last page.
    public let next: Int64?
    /// Number of unreadable rows within the page. Their points are missing.
    public let unreadable: Int

    public init(resolution: HistoryResolution, points: [HistoryPoint], next: Int64?, unreadable: Int) {
        (self.resolution, self.points) = (resolution, points)
        (self.next, self.unreadable) = (next, unreadable)
    }
}

/// Position of a person in the history.
public struct LocationPoint: Hashable, Codable, Sendable {
    /// Milliseconds since 1970, UTC.
    public let at: Int64
    /// Degrees.
    public let latitude: Double
    public let longitude: Double
    /// ± 95 %, metres; nil where the source did not say.
    public let accuracyM: Double?
    /// The wearable; nil for the receiver of the box.
    public let device: String?

    public init(at: Int64, latitude: Double, longitude: Double, accuracyM: Double?, device: String?) {
        self.at = at
        (self.latitude, self.longitude) = (latitude, longitude)
        (self.accuracyM, self.device) = (accuracyM, device)
    }
}

/// One page of positions, ordered by time.
public struct LocationPage: Hashable, Codable, Sendable {
    public let points: [LocationPoint]
    /// Start of the next page, milliseconds since 1970; nil on the last page.
    public let next: Int64?
    /// Number of unreadable rows within the page. Their points are missing.
    public let unreadable: Int

    public init(points: [LocationPoint], next: Int64?, unreadable: Int) {
        (self.points, self.next, self.unreadable) = (points, next, unreadable)
    }
}
