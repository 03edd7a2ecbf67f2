import GatewayModel
import HelpLine
import SOSLocal

/// `<mrq>`: one message to the centre.
///
/// Names, patterns and order of the fields are those of the schema in caruhome/scaip-gateway; the standard
/// itself (SS 91100:2014, CLC/TS 50134-9:2018) was not read.
public struct SCAIPRequest: Hashable, Sendable {
    public let reference: SCAIPReference
    let type: SCAIPMessageType
    let controller: SCAIPController
    private let deviceType: SCAIPDeviceType
    private var deviceID: SCAIPText?
    private var component: SCAIPDeviceComponent?
    private var deviceText: SCAIPText?
    let status: SCAIPStatusCode
    private var statusText: SCAIPText?
    var priority: Int?
    private var locationCode: SCAIPLocationCode?
    var place: SCAIPPlace?
    private var locationText: SCAIPText?
    private var info: SCAIPText?

    /// UTF-8, without white space between the elements and without an XML declaration, as devices in the
    /// field send it.
    public var xml: String {
        element("mrq", fields.map { element($0.name, $0.content) }.joined())
    }

    /// In the order of the schema; nil members are left out.
    private var fields: [(name: String, content: String)] {
        let all: [(String, String?)] = [
            ("ref", reference.description),
            ("ver", "01.00"),
            ("cha", Self.callBackChannel),
            ("mty", type.rawValue),
            ("cid", controller.id),
            ("dty", deviceType.rawValue),
            ("did", escaped(deviceID)),
            ("dco", component?.rawValue),
            ("dte", escaped(deviceText)),
            ("crd", controller.callBack.map { escape($0) }),
            ("stc", status.rawValue),
            ("stt", escaped(statusText)),
            ("pri", priority.map(String.init)),
            ("lco", locationCode?.rawValue),
            ("lge", place?.xml),
            ("lte", escaped(locationText)),
            ("ite", escaped(info)),
        ]
        return all.compactMap { name, content in content.map { (name, $0) } }
    }

    /// 0 says that the unit calls the centre, 1 that it is called back (caruhome/scaip-gateway). The gateway never calls.
    private static let callBackChannel = "1"

    /// The longest that each text may be, in code points.
    enum Limit {
        static let deviceID = 8
        static let deviceText = 32
        static let statusText = 32
        static let locationText = 32
        static let info = 128
        static let callBack = 256
    }
}

/// Sender, as the centre knows it.
public struct SCAIPController: Hashable, Sendable {
    /// `cid`: 1 to 16 digits.
    let id: String
    /// `crd`: how the person is called back, `gsm:+39…`, `sip:…` or `no-voice:`.
    let callBack: String?

    /// Nil where `id` is not 1 to 16 digits, or `callBack` is empty or longer than 256.
    public init?(id: String, callBack: String?) {
        guard (1...16).contains(id.utf8.count),
            id.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        else { return nil }
        if let callBack {
            guard (1...SCAIPRequest.Limit.callBack).contains(callBack.unicodeScalars.count),
                callBack.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
            else { return nil }
        }
        self.id = id
        self.callBack = callBack
    }
}

/// `<name>content</name>`; the content is XML already.
func element(_ name: String, _ content: String) -> String { "<\(name)>\(content)</\(name)>" }

private func escaped(_ text: SCAIPText?) -> String? { text.map { escape($0.description) } }

private func escape(_ text: String) -> String {
    text.reduce(into: "") { xml, character in
        switch character {
        case "&": xml += "&amp;"
        case "<": xml += "&lt;"
        case ">": xml += "&gt;"
        case "\"": xml += "&quot;"
        case "'": xml += "&apos;"
        default: xml.append(character)
        }
    }
}

extension SCAIPRequest {
    /// The call for help, or its early notice.
    init(call order: DispatchOrder, of profile: PersonProfile, from controller: SCAIPController) {
        reference = SCAIPReference(call: order)
        type = .message
        self.controller = controller
        deviceType = order.cause.scaipDevice
        deviceID = order.cause.device.flatMap { SCAIPText($0.text, limit: Limit.deviceID) }
        deviceText = order.cause.device.flatMap { SCAIPText($0.text, limit: Limit.deviceText) }
        let isPress = order.cause.family == .button && order.cause.device?.isHouseInterface != true
        component = isPress ? .button1 : nil
        status = order.scaipStatus
        // Word by word: a title that is too long loses its last word and never half of it.
        statusText = SCAIPText(
            parts: order.scaipTitle.split(separator: " ").map(String.init), limit: Limit.statusText,
            separator: " ")
        priority = order.priority.scaipDigit
        tell(of: order.location)
        info = SCAIPText(
            parts: order.cause.isButtonTest
                ? ["TEST of the help button of \(profile.name): nobody needs help"]
                : order.isDrill
                    ? [
                        "DRILL, a rehearsal of the alarm of \(profile.name): nobody needs help",
                        "please answer it",
                    ]
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
        if cause.isButtonTest { return "TEST OF A BUTTON, NO EMERGENCY" }
        if isDrill { return "DRILL - NO EMERGENCY" }
        if stage == .pending { return "EARLY NOTICE, may be cancelled" }
        return certainty == .possible ? "POSSIBLE \(cause.title)" : cause.title
    }

    /// Of a call by values that nothing supports; nil for any other. As many reasons as leave room for the person's name.
    private var doubt: String? {
        guard certainty == .possible else { return nil }
        let reasons = CallWords(.english).reasons(cause.crossing?.reading.doubts ?? [])
        return SCAIPText(parts: ["sensor may be wrong"] + reasons, limit: 48, separator: ", ")?.description
    }

    /// The measurement, and the readings after it.
    fileprivate var facts: [String] {
        let repeated =
            (saidAllRight == nil ? [] : ["the person says by a button: all right"])
            + (round > 1 ? ["call no. \(round)"] : [])
        guard let crossing = cause.crossing else { return [cause.title] + repeated }
        let quantity = crossing.reading.quantity
        let limit = "limit \(number(crossing.rule.limit))"
        let now =
            newest.flatMap { $0.id == crossing.reading.id ? nil : ", now \(number($0.quantity.value))" } ?? ""
        let unit = quantity.kind.coding.displayUnit
        return ["\(quantity.kind.coding.title) \(number(quantity.value)) \(unit) (\(limit))\(now)"]
            + [doubt].compactMap(\.self) + repeated
    }
}

extension AlarmCause {
    var scaipDevice: SCAIPDeviceType {
        switch self {
        case .crossing(let crossing): crossing.reading.quantity.kind.scaipDevice
        case .signal(let signal):
            switch signal.kind {
            case .sosButton: signal.device.isHouseInterface ? .localUnitAndController : .personalTrigger
            case .fall: .fallDetector
            case .shaking: .epilepsyAlarm
            }
        case .earlyWarning, .silence: .monitoringDevice
        case .drill(let drill): drill.button == nil ? .localUnitAndController : .personalTrigger
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
            case .sosButton: signal.device.isHouseInterface ? "Call for help" : "SOS button pressed"
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
        case .systolicPressure, .diastolicPressure, .meanArterialPressure, .oxygenSaturation, .respirationRate,
            .bodyTemperature, .glucose, .bodyWeight, .bodyFat, .runningSpeed, .runningCadence, .energyExpended:
            .monitoringDevice
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

    /// News that is no emergency, as a technical alarm of the lowest priority in use.
    init(notice message: NoticeMessage, from controller: SCAIPController) {
        let notice = message.notice
        reference = SCAIPReference(notice: notice.id)
        type = .message
        self.controller = controller
        deviceType = notice.code == .batteryLow ? .monitoringDevice : .localUnitAndController
        deviceText = notice.subject.flatMap { SCAIPText($0, limit: Limit.deviceText) }
        status = notice.scaipStatus
        statusText = SCAIPText(
            notice.phase == .ended ? "NO EMERGENCY: over" : "NO EMERGENCY: notice", limit: Limit.statusText)
        priority = 3
        info = SCAIPText(parts: [notice.text.en], limit: Limit.info)
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

extension PersonNotice {
    /// A matter without a code of its own is a maintenance notice, and its text says the rest.
    fileprivate var scaipStatus: SCAIPStatusCode {
        let isOver = phase == .ended
        return switch topic {
        case .battery: isOver ? .batteryOK : .batteryLow
        case .mains: isOver ? .powerRestored : .powerFailed
        case .supervision: isOver ? .online : .offline
        case .help, .drill, .settings, .other: isOver ? .normal : .maintenance
        }
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
