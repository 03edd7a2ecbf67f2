import Contract
import ControlContract
import GatewayModel
import HelpState
import Hub
import Phrases
import SOSLocal

extension HouseSnapshot {
    /// States of all persons and of the box, for the home's own dashboard. The consents are not applied yet.
    var dashboardFacts: [DashboardFact] {
        persons.flatMap(facts(of:)) + [boxFact]
    }

    private func facts(of person: Person) -> [DashboardFact] {
        guard let id = PersonID(person.id) else { return [] }
        // A drill is not to hide an emergency.
        let alarms = alarms.filter { $0.person == person.id }
        let alarm = alarms.first { !$0.isDrill } ?? alarms.first
        let isAsked =
            requests.contains { $0.person == person.id && $0.state == "pending" }
            || limitQuestions.contains { $0.person == person.id }
        return [
            DashboardFact(
                .state(id, .alarm), .holds(alarm != nil),
                since: alarm.map { WallTime(millisecondsSince1970: $0.crossed) },
                isDrill: alarm?.isDrill ?? false),
            DashboardFact(
                .state(id, .supervision), .holds(person.supervision?.isPaused ?? true),
                reasons: person.supervision?.reasons ?? []),
            DashboardFact(.state(id, .request), .holds(isAsked)),
        ] + [helpFact(of: person, id)].compactMap(\.self)
            + devices.filter { $0.person == person.id }.compactMap { device in
                guard let name = DeviceID(device.id), let level = device.battery else { return nil }
                return DashboardFact(.battery(id, name), .percent(level))
            }
    }

    /// State of the help for the alarm that matters most; without one, whether help can be called. Nil where it is not known.
    private func helpFact(of person: Person, _ id: PersonID) -> DashboardFact? {
        let language = PersonProfile.Language(rawValue: person.language) ?? .english
        let sentence = { (statements: [Statement]) in
            statements.isEmpty
                ? nil : statements.map { $0.text(.shown).in(language) }.joined(separator: " ")
        }
        guard let alarm = alarmToShow(of: person.id), let help = alarm.help, let state = help.helpState,
            let priority = AlarmPriority(rawValue: alarm.priority)
        else {
            return person.help.flatMap { help in
                help.readiness.map { readiness in
                    DashboardFact(
                        .state(id, .help), .word(help.state), reasons: [help.because].compactMap(\.self),
                        sentence: sentence([readiness.statement(of: person.name)].compactMap(\.self)))
                }
            }
        }
        let drill: [Statement] = alarm.isDrill ? [.drill] : []
        return DashboardFact(
            .state(id, .help), .word(help.state), reasons: [help.because].compactMap(\.self),
            at: help.at.map(WallTime.init(millisecondsSince1970:)),
            sentence: sentence(drill + state.statements(for: priority, isDrill: alarm.isDrill)),
            isDrill: alarm.isDrill)
    }

    /// The gravest open alarm, else one that somebody has taken, else a note, else a drill, else one that ended within a
    /// minute.
    private func alarmToShow(of person: String) -> Alarm? {
        let open = alarms.filter { $0.person == person }
        let recent = recentAlarms.filter { $0.person == person }
        let priority = { (alarm: Alarm) in AlarmPriority(rawValue: alarm.priority) ?? .low }
        return open.filter { !$0.isDrill && priority($0) > .low }.max { priority($0) < priority($1) }
            ?? recent.first { !$0.isDrill && $0.help?.state == "taken" }
            ?? open.first { !$0.isDrill } ?? open.first
            ?? recent.first { alarm in
                guard case .over(_, let end, _) = alarm.help?.helpState else { return false }
                return time - end.millisecondsSince1970 < Self.overShown
            }
    }

    /// Time for which the end of an alarm is shown, in milliseconds: as long as on the screen of the room.
    private static var overShown: Int64 { 60_000 }

    /// Conditions of wearables reveal whether a person is at home. Conditions of the severity `notice` need no act. Neither is
    /// counted.
    private var boxFact: DashboardFact {
        let reasons = conditions.filter { condition in
            guard let code = HealthCode(rawValue: condition.code) else { return true }
            return !code.isOfAWearable && code.declaration.severity != .notice
        }.map(\.code)
        // A condition holds once for each subject.
        let distinct = reasons.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return DashboardFact(.box, .holds(!distinct.isEmpty), reasons: distinct)
    }
}
