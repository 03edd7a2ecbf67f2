package import ControlContract
import GatewayModel
import Hub
package import SOSLocal

extension ControlReply {
    /// Makes the answer to a request to cancel or resolve an alarm.
    ///
    /// - Parameter done: line for an alarm that ended in the way that was asked for.
    package init(to actions: [SOSAction], done: String) {
        var lines: [String] = []
        var isDone = false
        var code: RefusalCode?
        for action in actions {
            switch action {
            case .noteEnding(_, .aborted(_, _, let beforeDispatch), let timeline):
                isDone = true
                lines.append(Self.cancelled(beforeDispatch: beforeDispatch, timeline))
            case .noteEnding:
                isDone = true
                lines.append(done)
            case .noteClosing:
                isDone = true
                lines.append(done)
            case .retract(let retraction):
                isDone = true
                lines.append(
                    "telling \(retraction.channels.map(\.text).joined(separator: ", ")) that the call no longer holds"
                )
            case .refuse(let refusal):
                lines.append(refusal.inWords)
                code = code ?? RefusalCode(refusal)
            default: break
            }
        }
        self.init(isDone: isDone, lines: lines, refusal: isDone ? nil : code)
    }

    private static func cancelled(beforeDispatch: Bool, _ timeline: AlarmTimeline) -> String {
        if beforeDispatch { return "cancelled: nobody was called" }
        return timeline.handedOver.isEmpty
            ? "cancelled: help had been called, but the call had not arrived"
            : "cancelled: help had been called"
    }
}
