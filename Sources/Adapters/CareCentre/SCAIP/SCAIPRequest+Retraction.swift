import GatewayModel
import SOSLocal

extension SCAIPRequest {
    /// The word that a call no longer holds: a reset, with how it ended.
    init(retraction: Retraction, of profile: PersonProfile, from controller: SCAIPController) {
        reference = SCAIPReference(retraction: retraction)
        type = .reset
        self.controller = controller
        deviceType = retraction.cause.scaipDevice
        deviceID = retraction.cause.device.flatMap { SCAIPText($0.text, limit: Limit.deviceID) }
        deviceText = retraction.cause.device.flatMap { SCAIPText($0.text, limit: Limit.deviceText) }
        status = retraction.isDrill ? .testTransmission : retraction.ending.scaipStatus
        statusText = SCAIPText(
            retraction.isDrill ? "DRILL ENDED" : retraction.ending.title, limit: Limit.statusText)
        priority = retraction.priority.scaipDigit
        info = SCAIPText(
            parts: [
                (retraction.isDrill ? "DRILL: " : "")
                    + "\(retraction.ending.word) by \(retraction.ending.act.by)",
                profile.name,
            ], limit: Limit.info)
    }

    /// A sign of life, which troubles nobody.
    init(heartbeat reference: SCAIPReference, from controller: SCAIPController) {
        self.reference = reference
        type = .heartbeat
        self.controller = controller
        deviceType = .localUnitAndController
        status = .testTransmission
    }
}

extension AlarmEnding {
    fileprivate var scaipStatus: SCAIPStatusCode {
        switch self {
        case .aborted: .abort
        case .resolved: .interventionComplete
        case .accepted, .lapsed: .cancel
        }
    }

    fileprivate var title: String {
        switch self {
        case .aborted: "CANCELLED in the house"
        case .resolved: "Dealt with in the house"
        case .accepted: "Taken by another service"
        case .lapsed: "Ended by the gateway"
        }
    }
}
