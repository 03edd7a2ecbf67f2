import GatewayModel
import SOSLocal

/// One message to the centre, and what it is for.
struct Errand: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        /// `isConfirmed` is false for an early notice.
        case call(AlarmID, isConfirmed: Bool)
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
