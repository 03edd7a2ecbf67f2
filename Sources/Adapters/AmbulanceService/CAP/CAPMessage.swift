import FoundationEssentials
import GatewayModel
import HelpLine
import SOSLocal

/// An `alert` of the OASIS Common Alerting Protocol 1.2 (section 3.2), as far as a home needs it.
struct CAPMessage: Hashable, Sendable {
    enum Status: String, Hashable, Sendable {
        case actual = "Actual"
        case exercise = "Exercise"
        /// Of the alerting system itself, section 3.2.1: no emergency.
        case system = "System"
        case test = "Test"
    }

    enum MessageType: String, Hashable, Sendable {
        case alert = "Alert"
        case update = "Update"
        case cancel = "Cancel"
    }

    /// Section 3.2.1, `references`: how another message is named.
    struct Reference: Hashable, Sendable, CustomStringConvertible {
        let sender: String
        let identifier: String
        let sent: String

        var description: String { "\(sender),\(identifier),\(sent)" }
    }

    let identifier: String
    let sender: String
    let sent: String
    let status: Status
    let type: MessageType
    let addresses: [String]
    var note: String?
    var reference: Reference?
    /// Joins all messages of an alarm, with any outcome of the first.
    private var incident: String?
    private var info: CAPInfo?

    /// The document; elements in the order of the schema.
    var xml: [UInt8] {
        var writer = XMLWriter()
        writer.element("alert", attributes: " xmlns=\"urn:oasis:names:tc:emergency:cap:1.2\"") { alert in
            alert.element("identifier", identifier)
            alert.element("sender", sender)
            alert.element("sent", sent)
            alert.element("status", status.rawValue)
            alert.element("msgType", type.rawValue)
            alert.element("scope", "Private")
            alert.element("addresses", addresses.map(Self.quoted).joined(separator: " "))
            alert.element("note", note)
            alert.element("references", reference?.description)
            alert.element("incidents", incident)
            info?.write(to: &alert)
        }
        return Array(writer.text.utf8)
    }

    /// Section 3.2.1: addresses are separated by spaces; one with a space in it stands in quotes.
    private static func quoted(_ address: String) -> String {
        address.contains(where: \.isWhitespace) ? "\"\(address)\"" : address
    }
}

/// The `info` of an alert (section 3.2.2) with its one `area` (section 3.2.4).
struct CAPInfo: Hashable, Sendable {
    enum Category: String, Hashable, Sendable {
        case infrastructure = "Infra"
        case health = "Health"
        case rescue = "Rescue"
    }
    enum Response: String, Hashable, Sendable {
        case prepare = "Prepare"
        case execute = "Execute"
        case assess = "Assess"
        case monitor = "Monitor"
        case allClear = "AllClear"
    }
    enum Urgency: String, Hashable, Sendable {
        case immediate = "Immediate"
        case future = "Future"
        case past = "Past"
    }
    enum Severity: String, Hashable, Sendable {
        case extreme = "Extreme"
        case moderate = "Moderate"
        case minor = "Minor"
        case unknown = "Unknown"
    }
    enum Certainty: String, Hashable, Sendable {
        case observed = "Observed"
        case likely = "Likely"
        case possible = "Possible"
        case unlikely = "Unlikely"
    }

    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    struct Area: Hashable, Sendable {
        let description: String
        /// `latitude,longitude radius`, the radius in kilometres.
        let circle: String?
    }

    let language: String
    let category: Category
    let event: String
    let response: Response
    let urgency: Urgency
    let severity: Severity
    let certainty: Certainty
    let onset: String
    private let senderName: String
    let headline: String
    let description: String
    var instruction: String?
    var contact: String?
    var parameters: [Parameter] = []
    private var area: Area?

    func write(to writer: inout XMLWriter) {
        writer.element("info") { info in
            info.element("language", language)
            info.element("category", category.rawValue)
            info.element("event", event)
            info.element("responseType", response.rawValue)
            info.element("urgency", urgency.rawValue)
            info.element("severity", severity.rawValue)
            info.element("certainty", certainty.rawValue)
            info.element("onset", onset)
            info.element("senderName", senderName)
            info.element("headline", headline)
            info.element("description", description)
            info.element("instruction", instruction)
            info.element("contact", contact)
            for parameter in parameters {
                info.element("parameter") { pair in
                    pair.element("valueName", parameter.name)
                    pair.element("value", parameter.value)
                }
            }
            guard let area else { return }
            info.element("area") { element in
                element.element("areaDesc", area.description)
                element.element("circle", area.circle)
            }
        }
    }
}

extension CAPMessage {
    /// The call for help. The first message of an alarm is its `Alert`; all others update that one.
    init(_ order: DispatchOrder, of profile: PersonProfile, place: CallHistory.Place, caller: Caller) {
        let words = CallWords(profile.language)
        let first = Reference(order, caller: caller)
        let isFirst = place == .first
        self.init(
            identifier: isFirst ? first.identifier : MessageIdentity(order).text, sender: caller.sender,
            sent: isFirst ? first.sent : CAPTime.text(order.orderedWall),
            status: order.isDrill ? .exercise : .actual, type: isFirst ? .alert : .update,
            addresses: caller.addresses, note: order.isDrill ? words.drillNote : nil,
            reference: isFirst ? nil : first, incident: order.alarm.description,
            info: CAPInfo(order, of: profile, words, caller: caller))
    }

    /// The word that the call no longer holds.
    init(_ retraction: Retraction, of profile: PersonProfile, caller: Caller) {
        let words = CallWords(profile.language)
        self.init(
            identifier: MessageIdentity(retraction).text, sender: caller.sender,
            sent: CAPTime.text(retraction.orderedWall), status: retraction.isDrill ? .exercise : .actual,
            type: .cancel, addresses: caller.addresses, note: words.ending(retraction.ending),
            reference: Reference(
                sender: caller.sender, identifier: retraction.alarm.description,
                sent: CAPTime.text(retraction.firstOrderedWall)),
            incident: retraction.alarm.description,
            info: CAPInfo(retraction, of: profile, words, caller: caller))
    }

    /// News that is no emergency. What began is an `Alert`, and its end updates it.
    init(_ message: NoticeMessage, caller: Caller) {
        let notice = message.notice
        self.init(
            identifier: notice.id.description, sender: caller.sender, sent: CAPTime.text(notice.time),
            status: .system, type: notice.ends == nil ? .alert : .update, addresses: caller.addresses,
            note: CallWords(message.profile.language).say("No emergency.", "Nessuna emergenza."),
            // The ID of a notice begins with its time.
            reference: notice.ends.map {
                Reference(
                    sender: caller.sender, identifier: $0.description, sent: CAPTime.text($0.wall))
            }, info: CAPInfo(message, caller: caller))
    }

    /// A test of the way: no person, nothing to do.
    init(testing id: MessageID, at time: WallTime, caller: Caller) {
        self.init(
            identifier: id.description, sender: caller.sender, sent: CAPTime.text(time), status: .test,
            type: .alert, addresses: caller.addresses, note: "Test of the way by the gateway; disregard.")
    }
}

extension CAPMessage.Reference {
    /// The first message of the alarm, as every later one names it.
    init(_ order: DispatchOrder, caller: Caller) {
        self.init(
            sender: caller.sender, identifier: order.alarm.description,
            sent: CAPTime.text(order.firstOrderedWall))
    }
}

extension CAPInfo {
    init(_ order: DispatchOrder, of profile: PersonProfile, _ words: CallWords, caller: Caller) {
        let isPending = order.stage == .pending
        self.init(
            language: profile.language.rawValue, category: Category(order.cause),
            event: words.event(order.cause), response: Response(order), urgency: .immediate,
            severity: Severity(order.priority), certainty: Certainty(order),
            onset: CAPTime.text(order.cause.arrival.wall), senderName: "HomeGateway \(caller.sender)",
            headline: words.headline(order.cause, of: profile, isPending: isPending),
            description: words.description(order, of: profile), instruction: words.instruction(order),
            contact: profile.contacts.isEmpty
                ? nil : profile.contacts.map(\.line).joined(separator: "; "),
            parameters: Self.parameters(order, of: profile), area: Area(order.location, words))
    }

    init(_ retraction: Retraction, of profile: PersonProfile, _ words: CallWords, caller: Caller) {
        let isFalseAlarm = if case .aborted = retraction.ending { true } else { false }
        self.init(
            language: profile.language.rawValue, category: Category(retraction.cause),
            event: words.event(retraction.cause), response: .allClear, urgency: .past, severity: .unknown,
            certainty: isFalseAlarm ? .unlikely : .observed,
            onset: CAPTime.text(retraction.cause.arrival.wall), senderName: "HomeGateway \(caller.sender)",
            headline: words.cancelled(retraction.cause, of: profile),
            description: words.ending(retraction.ending), parameters: Self.parameters(retraction))
    }
}

extension CAPInfo {
    init(_ message: NoticeMessage, caller: Caller) {
        let notice = message.notice
        let isOver = notice.phase == .ended
        let words = CallWords(message.profile.language)
        self.init(
            language: message.profile.language.rawValue, category: .infrastructure,
            event: words.say("Notice, no emergency", "Avviso, nessuna emergenza"),
            response: isOver ? .allClear : .monitor, urgency: isOver ? .past : .future, severity: .minor,
            certainty: .observed, onset: CAPTime.text(notice.time), senderName: "HomeGateway \(caller.sender)",
            headline: message.text, description: message.text, parameters: Self.parameters(message))
    }
}

extension CAPInfo.Category {
    /// A fall may in any case need someone lifted.
    init(_ cause: AlarmCause) {
        self = cause.family == .fall ? .rescue : .health
    }
}

extension CAPInfo.Response {
    init(_ order: DispatchOrder) {
        guard order.priority == .high else {
            self = .assess
            return
        }
        self = order.stage == .pending ? .prepare : .execute
    }
}

extension CAPInfo.Severity {
    init(_ priority: AlarmPriority) {
        switch priority {
        case .high: self = .extreme
        case .medium: self = .moderate
        case .low: self = .minor
        }
    }
}

extension CAPInfo.Certainty {
    /// Before the window has ended, a press of the button is more often meant than a single value.
    init(_ order: DispatchOrder) {
        switch order.stage {
        case .confirmed: self = .observed
        case .pending: self = order.cause.family == .button ? .likely : .possible
        }
    }
}

extension CAPInfo.Area {
    /// 50 m, where the receiver names no error and for a surveyed house: the error of a receiver in a town.
    private static let unknownError = 50.0

    init(_ location: AlarmLocation, _ words: CallWords) {
        let circle = location.coordinates.map { place in
            let metres = location.fix?.horizontalError?.finite.map { max($0, 1) } ?? Self.unknownError
            return "\(place.latitude.degrees),\(place.longitude.degrees) \((metres / 1_000).plain ?? "0")"
        }
        self.init(description: words.place(location), circle: circle)
    }
}

extension Double {
    /// Six decimals: 0.1 m. Never in the form `1e-05`, which is no coordinate of CAP.
    fileprivate var degrees: String {
        let millionths = Int64((self * 1_000_000).rounded())
        let fraction = String(millionths.magnitude % 1_000_000)
        return (millionths < 0 ? "-" : "") + "\(millionths.magnitude / 1_000_000)."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}

/// Wall time as CAP 1.2 writes it (section 3.3.2).
enum CAPTime {
    /// `2026-03-01T08:30:00-00:00`: whole seconds, rounded down, and UTC as `-00:00`; the standard forbids `Z`.
    static func text(_ time: WallTime) -> String {
        let seconds = (Double(time.millisecondsSince1970) / 1_000).rounded(.down)
        let text = Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle())
        return text.dropLast() + "-00:00"
    }
}

/// Wall time as RFC 3339 writes it, with milliseconds and in UTC: the JSON's form.
extension WallTime {
    var internetTime: String {
        Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
