import Charts
package import GatewayModel

/// Points of a choice as the gateway gave them.
package struct HistoryData: Hashable, Sendable {
    /// Points in the order of time. Readings off the skin are left out, as in the statistics of the history.
    package let points: [HistoryPoint]
    let resolution: HistoryResolution
    /// Rows of the history that do not open.
    let unreadable: Int

    package init(points: [HistoryPoint], resolution: HistoryResolution, unreadable: Int) {
        self.points = points.filter { $0.contact != .lost && $0.mean.isFinite && $0.count > 0 }
        (self.resolution, self.unreadable) = (resolution, unreadable)
    }

    /// Each point is one reading.
    package var isSingle: Bool { resolution == .raw }

    /// Whether these single readings are all of which the statistics tell.
    package func isComplete(beside statistics: HistoryData) -> Bool { count >= statistics.count }

    /// Number of readings, also where one point stands for many.
    package var count: Int { HistorySummary(points)?.count ?? 0 }

    /// Instant in the middle of a point: its day is the day of most of it.
    func middle(of point: HistoryPoint) -> Int64 {
        switch resolution {
        case .raw: point.at
        case .minute: point.at + 30_000
        case .hour: point.at + 1_800_000
        case .day: point.at + 43_200_000
        }
    }

    /// Columns of equal width between two times; nil where nothing was measured.
    func columns(_ count: Int, from: Int64, to: Int64) -> [HistorySummary?] {
        guard to > from, count > 0 else { return [] }
        var columns = [[HistoryPoint]](repeating: [], count: count)
        for point in points {
            let share = Double(middle(of: point) - from) / Double(to - from)
            guard (0..<1).contains(share) else { continue }
            columns[Int(share * Double(count))].append(point)
        }
        return columns.map { HistorySummary($0) }
    }

    /// Statistics by a part of the calendar, the earliest first.
    func groups<Key: Comparable & Hashable>(
        by key: (Int64) -> Key
    ) -> [(key: Key, first: HistoryPoint, summary: HistorySummary)] {
        Dictionary(grouping: points) { key(middle(of: $0)) }.sorted { $0.key < $1.key }.compactMap {
            key, points in
            HistorySummary(points).map { (key, points[0], $0) }
        }
    }
}

/// Least, mean and greatest value of some points, with the number of readings.
struct HistorySummary: Hashable {
    let count: Int
    let min, mean, max: Double

    /// Nil for no points.
    init?(_ points: [HistoryPoint]) {
        guard let first = points.first else { return nil }
        var (count, sum, least, most) = (0, 0.0, first.min, first.max)
        for point in points {
            count &+= point.count
            sum += point.mean * Double(point.count)
            (least, most) = (Swift.min(least, point.min), Swift.max(most, point.max))
        }
        guard count > 0 else { return nil }
        (self.count, min, mean, max) = (count, least, sum / Double(count), most)
    }

    var column: Chart.Column { Chart.Column(min: min, mean: mean, max: max) }
}
