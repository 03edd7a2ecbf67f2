import Contract
import ControlContract
import GatewayModel
import Hub

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
        ]
            + devices.filter { $0.person == person.id }.compactMap { device in
                guard let name = DeviceID(device.id), let level = device.battery else { return nil }
                return DashboardFact(.battery(id, name), .percent(level))
            }
    }

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
