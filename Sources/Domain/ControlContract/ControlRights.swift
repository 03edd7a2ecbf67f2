package import GatewayModel
package import SOSLocal
import Synchronization

/// Check of the rights of the console's sessions, which each verb declares. The gateway makes it for every request, also
/// where the console has made it before. It keeps the wrong PINs alone. From any thread.
package final class ControlRights: Sendable {
    /// Extent to which a role may use a verb: see `Rights`.
    package enum Extent: Hashable, Sendable {
        case no
        /// The answer shows the part that the role may see.
        case any
        /// Of the session's person; of everybody for a room of several persons.
        case own
        /// As `own`, and a reason has to be given.
        case ownWithReason
        /// Readings of the session's person, if the person shows them on the pages of the house.
        case ownReadings
        /// For the session's person, by a name that the person's settings name as a decider.
        case asDecider
        /// As `own`, with the PIN of the person whose data it is about.
        case ownWithPIN
        /// Only drills.
        case drills
        /// Without the names of runners.
        case withoutNames
    }

    /// State of the house that rights depend on. Each look-up returns at once.
    package struct Facts: Sendable {
        /// Alarm that is open or ended a short time ago.
        let alarm: @Sendable (AlarmID) -> Alarm?
        /// Person of a request of a third party.
        let request: @Sendable (RequestID) -> PersonID?
        /// Wearer of a wearable.
        let wearer: @Sendable (DeviceID) -> PersonID?
        /// Whether the person has accepted that readings are shown on the pages of the house.
        let showsReadings: @Sendable (PersonID) -> Bool
        /// Whether the settings name a decider for the person.
        let isDecider: @Sendable (PersonID, _ name: String) -> Bool
        /// Digits by which the person decides at the room's screen; nil where there are none.
        let screenPIN: @Sendable (PersonID) -> String?

        package init(
            alarm: @escaping @Sendable (AlarmID) -> Alarm?,
            request: @escaping @Sendable (RequestID) -> PersonID?,
            wearer: @escaping @Sendable (DeviceID) -> PersonID?,
            showsReadings: @escaping @Sendable (PersonID) -> Bool,
            isDecider: @escaping @Sendable (PersonID, _ name: String) -> Bool,
            screenPIN: @escaping @Sendable (PersonID) -> String?
        ) {
            (self.alarm, self.request, self.wearer) = (alarm, request, wearer)
            (self.showsReadings, self.isDecider, self.screenPIN) = (showsReadings, isDecider, screenPIN)
        }
    }

    private let facts: Facts
    private let tries = Mutex(PINTries())

    package init(_ facts: Facts) {
        self.facts = facts
    }

    /// Returns the request as the session may make it: bound to the session's person, under the session's name and means.
    ///
    /// - Throws: the reason of a refusal, in words for a person.
    package func admit<Request: ControlVerb>(
        _ request: Request, of session: ControlSession, at now: BootInstant
    ) throws(ControlError) -> Request {
        let scope = request.scope
        var caller = Caller(session)
        let named = request.named(by: caller)
        switch Request.rights[session.role] ?? .no {
        case .no: throw Self.refused(Request.verb, session)
        case .any: return named
        case .own: return try bind(named, session)
        case .ownWithReason:
            guard scope.hasReason else {
                throw ControlError(
                    "reason: missing, expected a word on how the alarm was dealt with; write one and send it again",
                    .reasonMissing)
            }
            return try bind(named, session)
        case .ownReadings:
            // The consent is to show readings: a position is none.
            guard !scope.isOfPositions else { throw Self.refused(Request.verb, session) }
            let bound = try bind(named, session)
            guard let person = session.person, facts.showsReadings(person) else {
                throw ControlError(
                    "readings are not shown to this session: the person has not accepted home-dashboard; see: "
                        + "homegateway consent accept home-dashboard", .readingsNotShown)
            }
            return bound
        case .asDecider:
            let bound = try bind(named, session)
            guard let person = session.person, facts.isDecider(person, session.name) else {
                throw ControlError(
                    "'\(Shown.text(session.name))' may not decide for this person: expected a name of decided_by in "
                        + "[[person]]; the installer adds it", .notADecider)
            }
            return bound
        case .ownWithPIN:
            let bound = try bind(named, session)
            let subject = scope.decided.map(facts.request) ?? bound.scope.person
            guard let person = subject, session.person ?? person == person else {
                throw ControlError("\(Request.verb): there is no such request", .unknownRequest)
            }
            try checkPIN(scope.pin, of: person, at: now)
            caller.decider = person.text
            return bound.named(by: caller)
        case .drills:
            guard let id = scope.alarm, facts.alarm(id)?.cause.isDrill == true else {
                throw ControlError(
                    "\(Request.verb): saw no drill, expected the id of a drill in 'alarm': this role ends drills "
                        + "only", .drillsOnly)
            }
            return named
        case .withoutNames:
            guard !scope.namesRunners else { throw Self.refused(Request.verb, session) }
            return named
        }
    }

    private static func refused(_ verb: String, _ session: ControlSession) -> ControlError {
        ControlError(
            "\(verb): not for a session of the role \(session.role.rawValue); use a session that was paired for it",
            .notForRole)
    }

    private func checkPIN(_ given: String?, of person: PersonID, at now: BootInstant) throws(ControlError) {
        guard let pin = facts.screenPIN(person) else {
            throw ControlError(
                "screen_pin: this screen takes no answer; answer on a device of the person or of who decides for them, or "
                    + "have the installer write screen_pin in [[person]]", .noAnswersHere)
        }
        guard let given, !given.isEmpty else {
            throw ControlError("pin: missing, expected the digits of screen_pin of the person", .pinMissing)
        }
        switch tries.withLock({ $0.judge(given == pin, of: person, at: now) }) {
        case .right: return
        case .wrong: throw ControlError("pin: these are not the person's digits; try again", .pinWrong)
        case .locked:
            throw ControlError(
                "pin: \(PINTries.most) wrong tries; wait \(PINTries.pause.components.seconds / 60) minutes, or answer on a "
                    + "device of the person", .pinLocked)
        }
    }

    /// Binds a request to the person of the session.
    private func bind<Request: ControlVerb>(
        _ request: Request, _ session: ControlSession
    ) throws(ControlError) -> Request {
        guard let own = session.person else { return request }
        let scope = request.scope
        let about =
            scope.alarm.map { facts.alarm($0)?.cause.person }
            // A call for help never fails because the alarm before it is forgotten.
            ?? scope.earlierAlarm.map { facts.alarm($0)?.cause.person ?? own }
            ?? scope.request.map(facts.request)
            ?? scope.wearable.map(facts.wearer)
            // A request of a third party is bound below; its person is compared where it is decided.
            ?? .some(scope.person ?? own)
        guard about == own, scope.person ?? own == own else {
            throw ControlError(
                "\(Request.verb): not for this session, which was paired for another person; or there is no such "
                    + "alarm, request or wearable", .otherPerson)
        }
        return request.about(own)
    }
}
