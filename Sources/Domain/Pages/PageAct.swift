package import ControlContract
import GatewayModel
package import HTML

/// Act that a page offers: a form that is posted. The gateway checks the rights again, with the person.
package struct PageAct: Sendable {
    package enum Work: Sendable {
        /// The gateway carries out a verb; a page follows that depends on the role.
        case verb(
            @Sendable (PostedForm) throws(ControlError) -> any ControlVerb,
            then: @Sendable (ControlSession.Role) -> HTML.Place)
        /// Asks the gateway and answers by itself. Where the gateway does not answer, `then` follows.
        case visit(@Sendable (PageVisit, PostedForm) throws -> PageAnswer, then: HTML.Place)
        case own(OwnWork)
    }

    /// Work of the console.
    package enum OwnWork: Sendable {
        /// Leaves a question open.
        case putOff
        /// Says that a device of the person is known, or ends it.
        case knowDevice, endDevice
        case correctRace
        /// A code for one more device, and the end of a device's session.
        case newCode, revoke
    }

    package let place: HTML.Place
    /// Roles from which the gateway may admit it.
    package let roles: Set<ControlSession.Role>
    /// False for the cancel of an alarm: a page that was pressed often must still obey.
    package let isLimited: Bool
    package let work: Work

    /// - Parameters:
    ///   - next: page that follows.
    ///   - request: the verb of a form. Errors: the field that is missing or wrong, in words for a person.
    init<Request: ControlVerb>(
        _ place: HTML.Place, isLimited: Bool = true, then next: HTML.Place = Pages.Route.room,
        _ request: @escaping @Sendable (PostedForm) throws(ControlError) -> Request
    ) {
        self.init(place, isLimited: isLimited, then: { _ in next }, request)
    }

    init<Request: ControlVerb>(
        _ place: HTML.Place, isLimited: Bool = true,
        then next: @escaping @Sendable (ControlSession.Role) -> HTML.Place,
        _ request: @escaping @Sendable (PostedForm) throws(ControlError) -> Request
    ) {
        (self.place, self.isLimited, roles) = (place, isLimited, Request.rights.roles)
        work = .verb({ (form) throws(ControlError) in try request(form) }, then: next)
    }

    init(
        _ place: HTML.Place, for roles: Set<ControlSession.Role>, then next: HTML.Place,
        _ work: @escaping @Sendable (PageVisit, PostedForm) throws -> PageAnswer
    ) {
        (self.place, self.roles, isLimited) = (place, roles, true)
        self.work = .visit(work, then: next)
    }

    init(_ place: HTML.Place, _ work: OwnWork, for roles: Set<ControlSession.Role>) {
        (self.place, self.work, self.roles, isLimited) = (place, .own(work), roles, true)
    }
}

extension Rights {
    /// Roles that may use the verb, with or without conditions.
    var roles: Set<ControlSession.Role> { Set(filter { $0.value != .no }.keys) }
}

/// Fields of a posted form, and the session that sent it.
package struct PostedForm: Sendable {
    let fields: [String: String]
    /// Name of the session.
    let caller: String

    package init(_ fields: [String: String], by caller: String) {
        (self.fields, self.caller) = (fields, caller)
    }

    subscript(_ name: String) -> String? { fields[name] }

    var person: PersonID { get throws(ControlError) { try ControlField.person.id(fields["person"]) } }

    var onPerson: Verb.OnPerson {
        get throws(ControlError) { try Verb.OnPerson(person: fields["person"], by: caller) }
    }

    var device: DeviceID {
        get throws(ControlError) {
            try ControlField(
                "device", expected: DeviceID.form, remedy: "go back, and type a short word such as strap"
            ).id(fields["device"])
        }
    }

    var address: DeviceAddress {
        get throws(ControlError) {
            try ControlField(
                "address", expected: "an address of the scan", remedy: "look for wearables again"
            ).value(fields["address"]) { DeviceAddress($0) }
        }
    }

    var alarmEnd: Verb.AlarmEnd {
        get throws(ControlError) {
            try Verb.AlarmEnd(
                alarm: fields["alarm"], person: fields["person"], reason: fields["reason"], by: caller)
        }
    }

    var decision: Verb.Decision {
        get throws(ControlError) {
            try Verb.Decision(subject: fields["request"], person: nil, by: caller, pin: fields["pin"])
        }
    }

    var limitDecision: Verb.LimitDecision {
        get throws(ControlError) {
            try Verb.LimitDecision(
                person: fields["person"], kind: fields["kind"], by: caller, pin: fields["pin"])
        }
    }
}
