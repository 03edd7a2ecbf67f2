import GatewayModel
import HelpLine
import SOSLocal

/// One message to the centre, and what it is for.
struct Errand: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case call(AlarmID, DispatchStage)
        case retraction(AlarmID)
        case heartbeat
    }

    let purpose: Purpose
    let request: SCAIPRequest

    var reference: SCAIPReference { request.reference }

    /// Nil for a heartbeat.
    var alarm: AlarmID? {
        switch purpose {
        case .call(let alarm, _), .retraction(let alarm): alarm
        case .heartbeat: nil
        }
    }
}

extension Errand {
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
