import GatewayModel
import HelpLine
import SOSLocal

extension SCAIPRequest {
    /// The call for help, or its early notice.
    init(call order: DispatchOrder, of profile: PersonProfile, from controller: SCAIPController) {
        reference = SCAIPReference(call: order)
        type = .message
        self.controller = controller
        deviceType = order.cause.scaipDevice
        deviceID = order.cause.device.flatMap { SCAIPText($0.text, limit: Limit.deviceID) }
        deviceText = order.cause.device.flatMap { SCAIPText($0.text, limit: Limit.deviceText) }
        component = order.cause.family == .button ? .button1 : nil
        status = order.scaipStatus
        statusText = SCAIPText(order.scaipTitle, limit: Limit.statusText)
        priority = order.priority.scaipDigit
        tell(of: order.location)
        info = SCAIPText(
            parts: order.isDrill
                ? ["DRILL, a rehearsal of the alarm of \(profile.name): nobody needs help", "please answer it"]
                : order.facts + profile.facts + order.location.facts + profile.medicalNotes,
            limit: Limit.info)
    }

    private mutating func tell(of location: AlarmLocation) {
        switch location {
        case .fix(let fix, _, _), .lastKnown(let fix, _, _):
            let place = SCAIPPlace(
                coordinates: fix.coordinates, altitude: fix.altitude, time: fix.arrival.wall)
            self.place = place
            locationCode = place.isNMEA ? .gpsAttached : .geoAttached
        case .installed(let installed):
            place = installed.coordinates.map { SCAIPPlace(coordinates: $0, altitude: nil, time: nil) }
            locationCode = .home
        }
        locationText = SCAIPText(location.words, limit: Limit.locationText)
    }
}

extension DispatchOrder {
    fileprivate var scaipStatus: SCAIPStatusCode {
        if isDrill { return .testTransmission }
        return stage == .pending ? .alert : cause.scaipStatus
    }

    fileprivate var scaipTitle: String {
        if isDrill { return "DRILL - NO EMERGENCY" }
        return stage == .pending ? "EARLY NOTICE, may be cancelled" : cause.title
    }

    /// What was measured, and what came after it.
    fileprivate var facts: [String] {
        let repeated = round > 1 ? ["call no. \(round)"] : []
        guard let crossing = cause.crossing else { return [cause.title] + repeated }
        let quantity = crossing.reading.quantity
        let limit = "limit \(number(crossing.rule.limit))"
        let now =
            newest.flatMap { $0.id == crossing.reading.id ? nil : ", now \(number($0.quantity.value))" } ?? ""
        let unit = quantity.kind.coding.displayUnit
        return ["\(quantity.kind.coding.title) \(number(quantity.value)) \(unit) (\(limit))\(now)"] + repeated
    }
}

extension AlarmCause {
    var scaipDevice: SCAIPDeviceType {
        switch self {
        case .crossing(let crossing): crossing.reading.quantity.kind.scaipDevice
        case .signal(let signal):
            switch signal.kind {
            case .sosButton: .personalTrigger
            case .fall: .fallDetector
            case .shaking: .epilepsyAlarm
            }
        case .earlyWarning, .silence: .monitoringDevice
        case .drill: .localUnitAndController
        }
    }

    fileprivate var scaipStatus: SCAIPStatusCode {
        switch self {
        case .crossing(let crossing): crossing.rule.side == .high ? .highLevel : .lowLevel
        case .signal(let signal): signal.kind == .sosButton ? .manualAlarm : .automaticAlarm
        case .earlyWarning: .alert
        case .silence: .disconnected
        case .drill: .testTransmission
        }
    }

    /// For the operator's screen; 32 characters are shown.
    fileprivate var title: String {
        switch self {
        case .crossing(let crossing):
            "\(crossing.reading.quantity.kind.coding.title) \(crossing.rule.side.rawValue)"
        case .signal(let signal):
            switch signal.kind {
            case .sosButton: "SOS button pressed"
            case .fall: "Fall detected"
            case .shaking: "Shaking, as in a seizure"
            }
        case .earlyWarning(let warning): "Early warning score \(warning.points)"
        case .silence: "Sensor silent"
        case .drill: "Drill"
        }
    }
}

extension QuantityKind {
    fileprivate var scaipDevice: SCAIPDeviceType {
        switch self {
        case .heartRate, .rrInterval: .heartRateMonitor
        default: .monitoringDevice
        }
    }
}

extension AlarmPriority {
    /// Every implementation that was read sends 0 for an alarm; which way the digits run is not confirmed.
    var scaipDigit: Int {
        switch self {
        case .high: 0
        case .medium: 1
        case .low: 2
        }
    }
}

extension PersonProfile {
    fileprivate var facts: [String] { [name + (birthYear.map { ", born \($0)" } ?? "")] }
}

extension AlarmLocation {
    /// Owner and age of the position, always (T9). At most 32 characters.
    fileprivate var words: String {
        switch self {
        case .fix(_, let bearer, let age): "\(bearer.title) position, \(age.words) old"
        case .lastKnown(_, let bearer, let age): "\(bearer.title) last pos., \(age.words) old"
        case .installed(let place): place.address
        }
    }

    fileprivate var facts: [String] {
        switch self {
        case .fix(let fix, let bearer, _), .lastKnown(let fix, let bearer, _):
            [
                "position of \(bearer.owner) within "
                    + (fix.horizontalError?.wholeMetres.map { "\($0) m" } ?? "? m")
            ]
        case .installed: ["at the installed address"]
        }
    }
}

extension AlarmLocation.Bearer {
    fileprivate var title: String {
        switch self {
        case .wearable: "Person's"
        case .box: "Box's"
        }
    }

    fileprivate var owner: String {
        switch self {
        case .wearable: "the person's wearable"
        case .box: "the box"
        }
    }
}

extension Duration {
    fileprivate var words: String {
        let seconds = components.seconds
        return seconds < 120 ? "\(seconds) s" : seconds < 7_200 ? "\(seconds / 60) min" : "\(seconds / 3_600) h"
    }
}

/// Without decimals where it has none.
private func number(_ value: Double) -> String {
    guard value.magnitude < 1e9 else { return "\(value)" }
    let tenths = (value * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))" : "\(tenths / 10)"
}
