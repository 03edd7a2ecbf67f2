import GatewayModel
import Hub
import SOSLocal

/// What raises an alarm of a person and by when whom it reaches, as `homegateway check` shows it. Pure.
struct PlanTable {
    let plan: SOSPlan

    /// Seconds after the crossing, each the latest.
    var lines: [String] {
        let rows = plan.timelines.map(row)
        return Shown.table([["alarm", "limit", "priority", "believed", "sounds", "told", "in reserve"]] + rows)
            + [promise]
    }

    private func row(_ timeline: SOSPlan.Timeline) -> [String] {
        [
            timeline.isInExercise ? "\(timeline.name) (exercise)" : timeline.name,
            timeline.rule.map(limit) ?? "-", timeline.priority.rawValue,
            timeline.confirmation == .zero ? "at once" : seconds(timeline.confirmation),
            seconds(timeline.alarm), told(timeline),
            timeline.priority == .high ? seconds(timeline.reserve) : "-",
        ]
    }

    private func limit(_ rule: LimitRule) -> String {
        let sign = rule.side == .low ? "≤" : "≥"
        let whole = rule.limit == rule.limit.rounded()
        let value = whole ? String(Int(rule.limit)) : String(rule.limit)
        return "\(sign) \(value) \(rule.kind.coding.displayUnit)"
    }

    private func told(_ timeline: SOSPlan.Timeline) -> String {
        switch timeline.priority {
        case .high:
            let notice = timeline.notice.map { "notice \(seconds($0)), " } ?? ""
            return "\(notice)help \(seconds(timeline.dispatch))"
        case .medium:
            return plan.ways.carers.isEmpty ? "nobody outside" : "carers \(seconds(timeline.dispatch))"
        case .low: return "nobody outside"
        }
    }

    private var promise: String {
        "In seconds after the crossing, at the latest. Help is told first by \(seconds(Promise.dispatchLimit)), "
            + "less \(seconds(Promise.reserve)) kept free."
    }

    private func seconds(_ duration: Duration) -> String { "\(Double(duration.wholeMilliseconds) / 1_000) s" }
}
