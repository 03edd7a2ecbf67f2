package import Charts
package import GatewayModel
import HTML

/// Part of the history that a page shows: one kind over whole local days.
package struct HistoryChoice: Hashable, Sendable {
    package enum Span: String, CaseIterable, Sendable {
        case day, week, month, year

        fileprivate var count: Int {
            switch self {
            case .day: 1
            case .week: 7
            case .month: 31
            case .year: 365
            }
        }

        /// Columns of its chart: 4 minutes, an hour, 2 hours, a day.
        var columns: Int {
            switch self {
            case .day: 360
            case .week: 168
            case .month: 372
            case .year: 365
            }
        }

        /// Resolution that gives each column a point. Days of the history are those of UTC.
        package var resolution: HistoryResolution {
            switch self {
            case .day: .minute
            case .week, .month: .hour
            case .year: .day
            }
        }

        /// Rows that the table beside the chart offers, the usual one first.
        var groupings: [Grouping] {
            switch self {
            case .day: [.hour, .reading]
            case .week: [.day, .week, .reading]
            case .month: [.day, .week, .month]
            case .year: [.month, .week]
            }
        }
    }

    /// Part of the history of which the table has one row.
    package enum Grouping: String, CaseIterable, Sendable { case reading, hour, day, week, month }

    /// Days before today that a page can reach: twice the time for which a history is kept at first.
    private static let farthest = 800
    /// Maximum number of readings that are shown one by one.
    package static let fewReadings = 400

    package let kind: QuantityKind
    package let span: Span
    package let days: ChartDays
    let grouping: Grouping

    /// - Parameters:
    ///   - query: `kind`, `span`, `end` (a date) and `by`; what is missing has a default. Nil for a value that no page
    ///     links to. An end after today is today.
    ///   - usual: kind without a choice.
    package init?(_ query: [String: String], usual: QuantityKind, today: Int) {
        let kind = query["kind"].map { QuantityKind(rawValue: $0) } ?? usual
        let span = query["span"].map { Span(rawValue: $0) } ?? .week
        let end = query["end"].flatMap { $0.isEmpty ? nil : $0 }.map { LocalCalendar.day(iso: $0) } ?? today
        guard let kind, let span, let end else { return nil }
        let grouping = query["by"].map { Grouping(rawValue: $0) } ?? span.groupings[0]
        guard let grouping else { return nil }
        self.init(
            kind, span, ChartDays(span.count, upTo: max(end, today - Self.farthest), today: today),
            by: span.groupings.contains(grouping) ? grouping : span.groupings[0])
    }

    private init(_ kind: QuantityKind, _ span: Span, _ days: ChartDays, by grouping: Grouping) {
        (self.kind, self.span, self.days, self.grouping) = (kind, span, days, grouping)
    }

    /// Whether the readings are few enough to be shown one by one, by their statistics.
    package func showsReadings(of points: [HistoryPoint]) -> Bool {
        guard span != .year else { return false }
        let count = points.reduce(0) { $0 + min(max($1.count, 0), Self.fewReadings + 1) }
        return (1...Self.fewReadings).contains(count)
    }

    var earlier: HistoryChoice? {
        days.earlier.last < days.today - Self.farthest ? nil : over(days.earlier)
    }

    /// Nil at today.
    var later: HistoryChoice? { days.later.map(over) }

    private func over(_ days: ChartDays) -> HistoryChoice {
        HistoryChoice(kind, span, days, by: grouping)
    }

    func over(_ span: Span) -> HistoryChoice {
        HistoryChoice(kind, span, days.resized(to: span.count), by: span.groupings[0])
    }

    func by(_ grouping: Grouping) -> HistoryChoice {
        HistoryChoice(kind, span, days, by: grouping)
    }

    func link(_ place: HTML.Place) -> HTML.Place {
        place.with("kind", kind.rawValue).with("span", span.rawValue).with("end", LocalCalendar.iso(days.last))
            .with("by", grouping.rawValue)
    }
}
