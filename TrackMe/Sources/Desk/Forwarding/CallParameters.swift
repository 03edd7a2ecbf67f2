import CAP
import ContractReading
import GatewayModel
import HelpLine
import SOSLocal

/// The `parameter` pairs of a call, by the names of `docs/channels/https.md`; those of the desk besides.
struct CallParameters {
    private(set) var list: [CAPInfo.Parameter] = []

    /// - Parameters:
    ///   - most: contacts and notes.
    ///   - hasTrend: whether the values of the last minutes belong to it.
    init(_ call: EmergencyCall, most: Int, hasTrend: Bool) {
        let newest = call.newest
        let profile = newest?.profile
        addCall(call)
        add("stage", "confirmed")
        add("round", "\(call.rounds)")
        if let cause = newest?.cause, let value = cause.value?.plain {
            let unit = cause.unit.map { " \($0)" } ?? ""
            add(Self.snake(cause.kind ?? "value"), value + unit)
            if let doubts = cause.doubts { add("doubt", doubts.words.joined(separator: " ")) }
            add("limit", cause.limit?.plain.map { $0 + unit })
            add("newest", cause.newest?.plain.map { $0 + unit })
        }
        add("person", call.person.text)
        add("person_name", profile?.name)
        add("birth_year", profile?.birthYear.map(String.init))
        add("gender", profile?.gender)
        add("phone", profile?.phone)
        add("home_address", profile?.address)
        for contact in profile?.contacts.prefix(most) ?? [] { add("contact", contact.line) }
        for note in profile?.medicalNotes.prefix(most) ?? [] { add("medical_note", note) }
        addPlace(newest?.location)
        if hasTrend { addTrend(newest?.trend ?? [], before: newest) }
    }

    /// Of the message that a call no longer holds.
    init(ending call: EmergencyCall) {
        addCall(call)
        guard case .over(let state, let ending) = call.house else { return }
        add("ending", ending?.how ?? state.rawValue)
        add("ended_by", ending?.by)
        add("ended_means", ending?.means)
    }

    private mutating func addCall(_ call: EmergencyCall) {
        add("alarm", call.id.alarm.description)
        add("gateway", call.id.gateway.text)
        add("drill", call.isDrill ? "true" : "false")
        add("cause", call.newest?.cause?.rule)
        add("device", call.newest?.cause?.device)
        switch call.work {
        case .waiting: add("desk", "waiting")
        case .taken(let holder, _):
            add("desk", "taken")
            add("desk_by", holder.name)
        case .closed(let closing):
            add("desk", "closed")
            add("desk_by", closing.by.name)
            add("desk_outcome", closing.outcome.rawValue)
        }
    }

    private mutating func addPlace(_ location: EmergencyMessage.Location?) {
        guard let location else { return }
        add("location_source", location.source)
        add("location_of", location.of)
        add("location_age_s", location.ageSeconds?.plain)
        add("location_error_m", location.errorMetres?.plain)
        add("location_address", location.address)
    }

    /// One line for each kind: the unit, then pairs of seconds relative to the message and the value.
    private mutating func addTrend(_ trend: [EmergencyMessage.TrendValue], before message: EmergencyMessage?) {
        guard let time = message?.time else { return }
        var kinds: [String] = []
        for value in trend where !kinds.contains(value.kind) { kinds.append(value.kind) }
        for kind in kinds {
            let values = trend.filter { $0.kind == kind }
            let pairs = values.compactMap { value in
                value.value.plain.map {
                    "\((value.time.millisecondsSince1970 - time.millisecondsSince1970) / 1_000) \($0)"
                }
            }
            add("trend_\(Self.snake(kind))", "\(values[0].unit): \(pairs.joined(separator: ", "))")
        }
    }

    private mutating func add(_ name: String, _ value: String?) {
        if let value { list.append(CAPInfo.Parameter(name: name, value: value)) }
    }

    private static func snake(_ name: String) -> String { String(name.map { $0 == "-" ? "_" : $0 }) }
}

extension EmergencyMessage.Contact {
    /// `Anna (daughter) +39…`.
    var line: String {
        [name, relation.map { "(\($0))" } ?? "", phone].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
