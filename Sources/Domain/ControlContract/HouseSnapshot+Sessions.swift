package import GatewayModel

extension HouseSnapshot {
    package func seen(by session: ControlSession) -> HouseSnapshot {
        seen(by: session.role, of: session.person)
    }

    /// The part of the state that sessions of a role and a person may see.
    ///
    /// - Parameter person: nil for a session that was paired for nobody.
    package func seen(by role: ControlSession.Role, of person: PersonID?) -> HouseSnapshot {
        var state = self
        let own = person?.text
        let isOfPersons = role == .room || role.isPersonal
        func isSeen(_ person: String) -> Bool { isOfPersons && (own == nil || person == own) }
        state.persons = persons.filter { isSeen($0.id) || role == .installer }
        // Telephone numbers are of the profile: a role without a right to it learns none.
        if role == .carer || role == .installer {
            for index in state.persons.indices { state.persons[index].contacts = nil }
        }
        let showing = Set(
            persons.filter { role == .room || role == .person || $0.agreements.contains("home-dashboard") }
                .map(\.id))
        func isShown(_ person: String) -> Bool { isSeen(person) && showing.contains(person) }
        state.alarms = alarms.filter { isSeen($0.person) || role == .installer && $0.isDrill }
        state.recentAlarms = recentAlarms.filter { isSeen($0.person) || role == .installer && $0.isDrill }
        state.devices = devices.filter { isSeen($0.person) || role == .installer }
        state.buttons = buttons.filter { isSeen($0.person) || role == .installer }
        state.readings = readings.filter { isShown($0.person) }
        state.unnamedMeasurements = isOfPersons ? unnamedMeasurements : nil
        state.limits = limits.filter { isShown($0.person) }
        state.usual = usual.filter { isShown($0.person) }
        let decides = role == .room || role == .person || role == .family
        state.requests = requests.filter { decides && isSeen($0.person) }
        state.limitQuestions = limitQuestions.filter { decides && isSeen($0.person) }
        let makesCodes = role == .room || role == .person
        state.linkCodes = makesCodes ? linkCodes?.filter { isSeen($0.person) } : nil
        let cancelled = (cancelledAlarms ?? []).filter { isShown($0.person) || role == .installer }
        state.cancelledAlarms = cancelled.isEmpty ? nil : cancelled
        if role == .anyone || role == .organiser { state.channels = [] }
        if role == .anyone { state.conditions = [] }
        if role != .installer { (state.check, state.walks) = (nil, nil) }
        if role != .organiser, role != .anyone { state.runs = [] }
        return state
    }
}
