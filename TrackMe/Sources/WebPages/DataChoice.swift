import GatewayModel
import HTML

/// Choice of a chart: kind, span and last day. From the query of its address.
struct DataChoice: Hashable {
    enum Span: String, CaseIterable {
        case day, week, month, quarter

        var days: Int {
            switch self {
            case .day: 1
            case .week: 7
            case .month: 30
            case .quarter: 90
            }
        }

        /// Minutes of a column: 288 columns a day, 336 a week, 360 in 30 and in 90 days.
        var minutes: Int {
            switch self {
            case .day: 5
            case .week: 30
            case .month: 120
            case .quarter: 360
            }
        }
    }

    let kind: QuantityKind
    let span: Span
    /// Last day, as a number from 1970-01-01.
    let end: Int
    let today: Int

    init(_ context: RouteContext, usual: QuantityKind, today: Int) {
        kind = context.query["kind"].flatMap { QuantityKind(rawValue: $0) } ?? usual
        span = context.query["span"].flatMap { Span(rawValue: $0) } ?? .day
        end = min(context.query["end"].flatMap { LocalCalendar.day(iso: $0) } ?? today, today)
        self.today = today
    }

    private init(kind: QuantityKind, span: Span, end: Int, today: Int) {
        (self.kind, self.span, self.end, self.today) = (kind, span, end, today)
    }

    func from(in calendar: LocalCalendar) -> WallTime {
        WallTime(millisecondsSince1970: calendar.instant(of: end - span.days + 1))
    }

    func to(in calendar: LocalCalendar) -> WallTime {
        WallTime(millisecondsSince1970: calendar.instant(of: end + 1))
    }

    func over(_ span: Span) -> DataChoice { DataChoice(kind: kind, span: span, end: end, today: today) }

    var earlier: DataChoice { DataChoice(kind: kind, span: span, end: end - span.days, today: today) }

    /// Nil at the present.
    var later: DataChoice? {
        end >= today
            ? nil : DataChoice(kind: kind, span: span, end: min(end + span.days, today), today: today)
    }

    func place(_ base: HTML.Place) -> HTML.Place {
        base.with("kind", kind.rawValue).with("span", span.rawValue).with("end", LocalCalendar.iso(end))
    }
}
