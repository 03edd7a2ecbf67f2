import Alarms
import GatewayModel
import Hub
import Logging
import RealTime
import SOSLocal

// What the house tells the alarm of beforehand: that somebody exercises, or that it is a drill. On the control
// thread.
extension Gateway {
    /// As the command line has it, for whoever speaks to the socket without it.
    private static let longestExercise = 480

    func exercise(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let person = Self.person(of: request) else { return reply(Self.noPerson) }
        let now = Clock.boot()
        guard (1...Self.longestExercise).contains(request.minutes ?? 1) else {
            return reply(.refused("for 1 to \(Self.longestExercise) minutes"))
        }
        let end = request.minutes.map { now.advanced(by: .seconds($0 * 60)) }
        inbox.ask(.exercise(person, until: end), at: now) { [log] actions in
            if let refusal = actions.refusal { return reply(.refused(refusal.inWords)) }
            log.notice("exercise", metadata: ["minutes": "\(request.minutes ?? 0)"])
            reply(
                request.minutes.map { .done("the limits of exercise hold for \($0) minutes") }
                    ?? .done("the limits at rest hold"))
        }
    }

    func drill(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let person = Self.person(of: request) else { return reply(Self.noPerson) }
        let now = Clock.moment()
        let act = PersonAct(by: Self.name(of: request), means: .commandLine)
        let drill = Drill(id: .random(at: now.wall), person: person, act: act, arrival: now)
        inbox.ask(.drill(drill), at: now.boot) { actions in
            if let refusal = actions.refusal { return reply(.refused(refusal.inWords)) }
            let isRaised = actions.contains { if case .annunciate = $0 { true } else { false } }
            reply(
                isRaised
                    ? .done(
                        "the drill has begun: watch it with homegateway watch, end it with homegateway abort")
                    : .refused("a drill of this person goes on already: homegateway abort ends it"))
        }
    }

    private static func person(of request: ControlRequest) -> PersonID? {
        request.person.flatMap { PersonID($0) }
    }

    private static let noPerson = ControlReply.refused("say whose, with --person ID; expected \(PersonID.form)")
}
