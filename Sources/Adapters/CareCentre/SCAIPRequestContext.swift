import GatewayModel
import HelpLine
import SOSLocal

/// One message to the centre with its purpose.
struct SCAIPRequestContext: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case call(AlarmID, DispatchStage)
        case retraction(AlarmID)
        case notice(NoticeMessage)
        case heartbeat
    }

    let purpose: Purpose
    let request: SCAIPRequest

    var reference: SCAIPReference { request.reference }

    /// Nil for a notice and a heartbeat.
    var alarm: AlarmID? {
        switch purpose {
        case .call(let alarm, _), .retraction(let alarm): alarm
        case .notice, .heartbeat: nil
        }
    }
}

extension SCAIPRequestContext {
    init(_ message: HelpMessage, from controller: SCAIPController) {
        switch message {
        case .call(let order, let profile):
            self.init(
                purpose: .call(order.alarm, order.stage),
                request: SCAIPRequest(call: order, of: profile, from: controller))
        case .retraction(let retraction, let profile):
            self.init(
                purpose: .retraction(retraction.alarm),
                request: SCAIPRequest(retraction: retraction, of: profile, from: controller))
        }
    }
}

extension SCAIPRequestContext {
    init(_ message: NoticeMessage, from controller: SCAIPController) {
        self.init(purpose: .notice(message), request: SCAIPRequest(notice: message, from: controller))
    }
}

/// Event for the log that changes nothing.
public enum SCAIPNote: Hashable, Sendable, CustomStringConvertible {
    /// An answer to nothing that waits for one: it accepts nothing.
    case ignoredAnswer(SCAIPReference, SCAIPResponse.Status)
    /// The centre took the message before and now says otherwise; the next round asks again.
    case lateRefusal(SCAIPReference, SCAIPResponse.Status)
    case unreadableAnswer(reason: String)
    case registered
    case registrationFailed(reason: String)

    public var description: String {
        switch self {
        case .ignoredAnswer(let reference, let status):
            "the centre answered \(status.number) to '\(reference)', for which nothing waits: ignored"
        case .lateRefusal(let reference, let status):
            "the centre had taken '\(reference)' and now answers: \(status.reason)"
        case .unreadableAnswer(let reason): "what came is no answer of SCAIP: \(reason)"
        case .registered: "registered at the centre's SIP server"
        case .registrationFailed(let reason): "not registered at the centre's SIP server: \(reason)"
        }
    }
}
