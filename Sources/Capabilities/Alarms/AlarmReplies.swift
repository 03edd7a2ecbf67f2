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
        // Channels with a recipient that has a message of the alarm; nil where its timeline is not known.
        var reached: Set<ChannelID>?
        for action in actions {
            switch action {
            case .noteEnding(_, .aborted(_, _, let beforeDispatch), let timeline):
                isDone = true
                reached = Set(timeline.handedOver.keys)
                lines.append(Self.cancelled(beforeDispatch: beforeDispatch, timeline))
            case .noteEnding(_, _, let timeline):
                isDone = true
                reached = Set(timeline.handedOver.keys)
                lines.append(done)
            case .noteClosing:
                isDone = true
                lines.append(done)
            case .retract(let retraction):
                isDone = true
                let told = retraction.channels.filter { reached?.contains($0) ?? true }
                guard !told.isEmpty else { continue }
                lines.append(
                    "telling \(told.map(\.text).joined(separator: ", ")) that it is over")
            case .refuse(let refusal):
                lines.append(refusal.inWords)
                code = code ?? RefusalCode(refusal)
            default: break
            }
        }
        self.init(isDone: isDone, lines: lines, refusal: isDone ? nil : code)
    }

    private static func cancelled(beforeDispatch: Bool, _ timeline: AlarmTimeline) -> String {
        if beforeDispatch || timeline.dispatched.isEmpty && timeline.handedOver.isEmpty {
            return "cancelled: nobody was called"
        }
        if timeline.handedOver.isEmpty {
            return "cancelled: no recipient had the call; if it still arrives, it is taken back"
        }
        return timeline.callOrdered == nil
            ? "cancelled: an early notice had arrived, help was not called" : "cancelled: help had been called"
    }
}
