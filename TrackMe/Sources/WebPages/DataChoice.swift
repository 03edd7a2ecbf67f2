import Charts
import GatewayModel
import HTML
import PageSecurity

/// Choice of a chart: kind, span and last day. From the query of its address.
struct DataChoice: Hashable {
    enum Span: String, CaseIterable {
        case day, week, month, quarter

        fileprivate var count: Int {
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
    let days: ChartDays

    init(_ context: RouteContext, usual: QuantityKind, today: Int) {
        let span = context.query["span"].flatMap { Span(rawValue: $0) } ?? .day
        let end = context.query["end"].flatMap { LocalCalendar.day(iso: $0) } ?? today
        self.init(
            context.query["kind"].flatMap { QuantityKind(rawValue: $0) } ?? usual, span,
            ChartDays(span.count, upTo: end, today: today))
    }

    private init(_ kind: QuantityKind, _ span: Span, _ days: ChartDays) {
        (self.kind, self.span, self.days) = (kind, span, days)
    }

    func over(_ span: Span) -> DataChoice { DataChoice(kind, span, days.resized(to: span.count)) }

    var earlier: DataChoice { DataChoice(kind, span, days.earlier) }

    /// Nil at the present.
    var later: DataChoice? { days.later.map { DataChoice(kind, span, $0) } }

    func place(_ base: HTML.Place) -> HTML.Place {
        base.with("kind", kind.rawValue).with("span", span.rawValue).with("end", LocalCalendar.iso(days.last))
    }
}
