package import ControlContract
import GatewayModel
import SOSLocal

extension EventRow {
    /// Row for the log of an installer; nil for an event that is not in it. Alarms of a person are health data: only drills
    /// are in it.
    package init?(_ event: FeedEvent) {
        switch event {
        case .health(let condition, let isRaised, let moment):
            self.init(
                time: moment.wall.millisecondsSince1970,
                event: isRaised ? "condition-raised" : "condition-cleared", code: condition.code.rawValue,
                subject: condition.subject, title: condition.code.declaration.title.en)
        case .dispatch(let order, let channel, let moment) where order.isDrill:
            self.init(time: moment.wall.millisecondsSince1970, event: "drill-call", code: channel.text)
        case .cancelled(let retraction, let channel, let moment) where retraction.isDrill:
            self.init(
                time: moment.wall.millisecondsSince1970, event: "drill-call-cancelled", code: channel.text)
        default: return nil
        }
    }
}
