import CAP
import FoundationEssentials
import GatewayModel
import HelpLine
import SOSLocal

/// The call as JSON; its shape is described in docs/channels/https.md and held by a test.
struct CallDocument: Encodable {
    /// `actual`, `drill`, `notice` or `test`. Only the first is an emergency.
    let status: String
    /// `pending`, `confirmed`; of a call that no longer holds `aborted`, `accepted`, `resolved`, `lapsed`; of a notice
    /// `began`, `ended`, `news`.
    let state: String
    /// The same for every attempt of this message.
    let id: String
    /// The same in all messages of an alarm.
    var alarm: String?
    let sender: String
    let addresses: [String]
    let sent: String
    private var firstSent: String?
    /// Nothing of this alarm is known to have reached the service before.
    var first: Bool?
    var round: Int?
    var priority: String?
    /// `possible` where the values are doubtful and nothing supports them; nil otherwise.
    private var certainty: String?
    var headline: String?
    /// Sentence for people about a call that is possible only, with its reasons.
    private var doubt: String?
    var instruction: String?
    var person: PersonDocument?
    var cause: CauseDocument?
    var newest: ValueDocument?
    var trend: [TrendDocument]?
    var location: LocationDocument?
    private var timeline: Timeline?
    /// When the person said by a button that they are all right, after the call had arrived.
    private var saidAllRight: String?
    var ending: Ending?
    var notice: NoticeDocument?

    struct Timeline: Encodable {
        let crossing: String
        let confirmedAfterMs: Int64
        let orderedAfterMs: Int64
    }

    struct Ending: Encodable {
        let how: String
        let by: String
        let means: String
    }

    /// Keys in snake case and sorted, so that equal calls are equal bytes.
    func bytes() throws(AmbulanceServiceError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        do {
            return [UInt8](try encoder.encode(self))
        } catch {
            throw .system("the call cannot be written as JSON: \(error)")
        }
    }
}

extension CallDocument {
    /// The call for help.
    init(_ order: DispatchOrder, of profile: PersonProfile, place: CallHistory.Place, caller: Caller) {
        let words = CallWords(profile.language)
        let cause = order.cause
        self.init(
            status: order.isDrill ? "drill" : "actual", state: order.stage.rawValue,
            id: MessageIdentity(order).text, alarm: order.alarm.description, sender: caller.sender,
            addresses: caller.addresses, sent: order.orderedWall.internetTime,
            firstSent: order.firstOrderedWall.internetTime, first: place == .first, round: order.round,
            priority: order.priority.rawValue,
            certainty: order.certainty == .possible ? order.certainty.rawValue : nil,
            headline: words.headline(order, of: profile), doubt: words.doubt(order),
            instruction: words.instruction(order), person: PersonDocument(profile),
            cause: CauseDocument(cause), newest: order.newest.map(ValueDocument.init),
            trend: TrendLine.lines(order.trend).map { TrendDocument($0, before: order.ordered) },
            location: LocationDocument(order.location),
            timeline: Timeline(
                crossing: cause.arrival.wall.internetTime,
                confirmedAfterMs: cause.instant.duration(to: order.confirmation).wholeMilliseconds,
                orderedAfterMs: cause.instant.duration(to: order.ordered).wholeMilliseconds),
            saidAllRight: order.saidAllRightWall?.internetTime)
    }

    /// The word that the call no longer holds: no more of the person than whose it was.
    init(_ retraction: Retraction, of profile: PersonProfile, caller: Caller) {
        let ending = retraction.ending
        self.init(
            status: retraction.isDrill ? "drill" : "actual", state: ending.word,
            id: MessageIdentity(retraction).text, alarm: retraction.alarm.description, sender: caller.sender,
            addresses: caller.addresses, sent: retraction.orderedWall.internetTime,
            firstSent: retraction.firstOrderedWall.internetTime,
            headline: CallWords(profile.language).cancelled(retraction.cause, of: profile),
            ending: Ending(how: ending.word, by: ending.act.by, means: ending.act.means.rawValue))
    }

    /// News that is no emergency: the person's name, and no other fact about them.
    init(_ message: NoticeMessage, caller: Caller) {
        let notice = message.notice
        self.init(
            status: "notice", state: notice.phase.rawValue, id: notice.id.description, sender: caller.sender,
            addresses: caller.addresses, sent: notice.time.internetTime, headline: message.text,
            notice: NoticeDocument(message))
    }

    /// A test of the way: no person, nothing to do.
    init(testing id: MessageID, at time: WallTime, caller: Caller) {
        self.init(
            status: "test", state: "test", id: id.description, sender: caller.sender,
            addresses: caller.addresses, sent: time.internetTime)
    }
}

/// The matter of a notice.
struct NoticeDocument: Encodable {
    let person: String
    private let personName: String
    let matter: String
    let topic: String
    let code: String?
    let subject: String?
    /// ID of the notice that this one ends.
    let ends: String?

    init(_ message: NoticeMessage) {
        let notice = message.notice
        (person, personName, matter) = (notice.person.text, message.profile.name, notice.matter)
        (topic, code, subject) = (notice.topic.rawValue, notice.code?.rawValue, notice.subject)
        ends = notice.ends?.description
    }
}

struct PersonDocument: Encodable {
    struct Contact: Encodable {
        let name: String
        let phone: String
        let relation: String?
    }

    let id: String
    let name: String
    let birthYear: Int?
    let gender: String?
    /// The person's own.
    let phone: String?
    let language: String
    private let homeAddress: String
    let contacts: [Contact]
    let medicalNotes: [String]

    init(_ profile: PersonProfile) {
        id = profile.id.text
        name = profile.name
        birthYear = profile.birthYear
        gender = profile.gender?.rawValue
        phone = profile.phone
        language = profile.language.rawValue
        homeAddress = profile.home.address
        contacts = profile.contacts.map { Contact(name: $0.name, phone: $0.phone, relation: $0.relation) }
        medicalNotes = profile.medicalNotes
    }
}

/// A measured value with its UCUM unit and, where there is one, its LOINC code.
struct ValueDocument: Encodable {
    let device: String
    let kind: String
    let value: Double?
    let unit: String
    private let loinc: String?
    let time: String
    /// Reasons to doubt the value, in the words of the contract; nil where there are none.
    private let doubt: [String]?

    init(_ reading: Reading) {
        let kind = reading.quantity.kind
        device = reading.device.text
        self.kind = kind.rawValue
        value = reading.quantity.value.finite
        unit = kind.coding.unit
        loinc = kind.coding.loinc
        time = reading.measured.internetTime
        doubt = reading.doubts.isEmpty ? nil : reading.doubts.words
    }
}

struct CauseDocument: Encodable {
    struct Score: Encodable {
        let points: Int
        let parameters: Int
        let limit: Int
    }

    /// `heart-rate-high`, `sos-button`, `early-warning-score`, `sensor-silent`, `drill`.
    let name: String
    let family: String
    let device: String?
    /// What raised the alarm, of a silent sensor the last there was.
    let value: ValueDocument?
    /// In the unit of `value`.
    let limit: Double?
    let score: Score?
    private let silentForS: Int64?

    init(_ cause: AlarmCause) {
        name = cause.name
        family = cause.family.rawValue
        device = cause.device?.text
        value = cause.reading.map(ValueDocument.init)
        limit = cause.crossing?.rule.limit.finite
        if case .earlyWarning(let warning) = cause {
            score = Score(points: warning.points, parameters: warning.parameters, limit: warning.limit)
        } else {
            score = nil
        }
        if case .silence(let silence) = cause {
            silentForS = silence.limit.components.seconds
        } else {
            silentForS = nil
        }
    }
}

struct TrendDocument: Encodable {
    let device: String
    let kind: String
    let unit: String
    private let loinc: String?
    /// How many milliseconds before the order each of `values` came, the oldest first.
    private let beforeMs: [Int64]
    let values: [Double]
    /// Number of values that are doubtful; nil where none is.
    private let doubtful: Int?

    init(_ line: TrendLine, before order: BootInstant) {
        let known = line.readings.filter { $0.quantity.value.isFinite }
        device = line.device.text
        kind = line.kind.rawValue
        unit = line.kind.coding.unit
        loinc = line.kind.coding.loinc
        beforeMs = known.map { $0.arrival.boot.duration(to: order).wholeMilliseconds }
        values = known.map(\.quantity.value)
        let doubted = known.count { !$0.doubts.isEmpty }
        doubtful = doubted == 0 ? nil : doubted
    }
}

struct LocationDocument: Encodable {
    /// `fix`, `last-known` or `installed` (T9): always said.
    let source: String
    let latitude: Double?
    let longitude: Double?
    private let altitudeM: Double?
    /// The receiver's own estimate, in most receivers at 95 %.
    private let errorM: Double?
    /// How old the position is; nil for the installed address.
    private let ageS: Double?
    /// Owner of the position: `wearable` (the person's own) or `box`; nil for the installed address.
    let of: String?
    /// The wearable.
    let device: String?
    let address: String?

    init(_ location: AlarmLocation) {
        source = location.source
        latitude = location.coordinates?.latitude
        longitude = location.coordinates?.longitude
        altitudeM = location.fix?.altitude?.finite
        errorM = location.fix?.horizontalError?.finite
        ageS = location.age.map { Double($0.wholeMilliseconds) / 1_000 }
        of = location.bearer?.word
        device = location.bearer?.device?.text
        if case .installed(let place) = location { address = place.address } else { address = nil }
    }
}
