import CAP
import GatewayModel
import HelpLine
import SOSLocal

/// The `parameter` pairs: what CAP has no element for, by the names of the JSON.
extension CAPInfo {
    static func parameters(_ order: DispatchOrder, of profile: PersonProfile) -> [Parameter] {
        var pairs = Pairs()
        pairs.add(order.cause, alarm: order.alarm, priority: order.priority, isDrill: order.isDrill)
        pairs.add("stage", order.stage.rawValue)
        pairs.add("round", "\(order.round)")
        pairs.add("said_all_right", order.saidAllRightWall?.internetTime)
        pairs.addValues(order)
        pairs.add("person", profile.id.text)
        pairs.add("person_name", profile.name)
        pairs.add("birth_year", profile.birthYear.map(String.init))
        pairs.add("gender", profile.gender?.rawValue)
        pairs.add("phone", profile.phone)
        pairs.add("home_address", profile.home.address)
        for contact in profile.contacts { pairs.add("contact", contact.line) }
        for note in profile.medicalNotes { pairs.add("medical_note", note) }
        pairs.addPlace(order.location)
        for line in TrendLine.lines(order.trend) {
            pairs.add("trend_\(line.kind.rawValue.snake)", line.text(before: order.ordered))
        }
        return pairs.list
    }

    static func parameters(_ message: NoticeMessage) -> [Parameter] {
        let notice = message.notice
        var pairs = Pairs()
        pairs.add("person", notice.person.text)
        pairs.add("person_name", message.profile.name)
        pairs.add("matter", notice.matter)
        pairs.add("topic", notice.topic.rawValue)
        pairs.add("state", notice.phase.rawValue)
        pairs.add("code", notice.code?.rawValue)
        pairs.add("subject", notice.subject)
        pairs.add("ends", notice.ends?.description)
        return pairs.list
    }

    static func parameters(_ retraction: Retraction) -> [Parameter] {
        var pairs = Pairs()
        pairs.add(
            retraction.cause, alarm: retraction.alarm, priority: retraction.priority,
            isDrill: retraction.isDrill)
        pairs.add("ending", retraction.ending.word)
        pairs.add("ended_by", retraction.ending.act.by)
        pairs.add("ended_means", retraction.ending.act.means.rawValue)
        return pairs.list
    }
}

private struct Pairs {
    private(set) var list: [CAPInfo.Parameter] = []

    mutating func add(_ name: String, _ value: String?) {
        if let value { list.append(CAPInfo.Parameter(name: name, value: value)) }
    }

    mutating func add(
        _ cause: AlarmCause, alarm: AlarmID, priority: AlarmPriority, isDrill: Bool
    ) {
        add("alarm", alarm.description)
        add("drill", isDrill ? "true" : "false")
        add("cause", cause.name)
        add("priority", priority.rawValue)
        add("device", cause.device?.text)
    }

    /// The value that raised the alarm with its doubts, the limit and the newest value, each with its UCUM unit.
    mutating func addValues(_ order: DispatchOrder) {
        if let reading = order.cause.reading {
            add(reading.quantity.kind.rawValue.snake, reading.quantity.coded)
        }
        if let doubts = order.cause.reading?.doubts, !doubts.isEmpty {
            add("doubt", doubts.words.joined(separator: " "))
        }
        if case .earlyWarning(let warning) = order.cause {
            add("score", "\(warning.points)")
            add("score_parameters", "\(warning.parameters)")
            add("score_limit", "\(warning.limit)")
        }
        if let rule = order.cause.crossing?.rule { add("limit", Quantity(rule.kind, rule.limit).coded) }
        add("newest", order.newest?.quantity.coded)
    }

    mutating func addPlace(_ location: AlarmLocation) {
        add("location_source", location.source)
        add("location_of", location.bearer?.word)
        add("location_device", location.bearer?.device?.text)
        add("location_age_s", location.age.map { "\($0.components.seconds)" })
        add("location_error_m", location.fix?.horizontalError?.plain)
        add("location_altitude_m", location.fix?.altitude?.plain)
        if case .installed(let place) = location { add("location_address", place.address) }
    }
}

extension TrendLine {
    /// `strap /min: -10 96, -5 97`: the device, the UCUM unit, then seconds before the order and the value.
    fileprivate func text(before order: BootInstant) -> String {
        let pairs = readings.compactMap { reading in
            reading.quantity.value.plain.map { value in
                "\(order.duration(to: reading.arrival.boot).components.seconds) \(value)"
            }
        }
        return "\(device) \(kind.coding.unit): \(pairs.joined(separator: ", "))"
    }
}

extension Quantity {
    /// `150 /min`, with the UCUM unit.
    fileprivate var coded: String? { value.plain.map { "\($0) \(kind.coding.unit)" } }
}

extension String {
    /// A name of the table as JSON keys are written.
    fileprivate var snake: String { String(map { $0 == "-" ? "_" : $0 }) }
}

extension PersonProfile.Contact {
    /// `Anna (daughter) +39…`.
    var line: String { relation.map { "\(name) (\($0)) \(phone)" } ?? "\(name) \(phone)" }
}
