package import Alarms
package import GatewayModel
import Hub
package import Logging
import RealTime
import SOSLocal

/// Way of a signal or a cancel press through the gateway: the SOS rules first, then the log.
package final class SignalPipeline: Sendable {
    private let sos: SOSInbox
    private let nameOfPerson: @Sendable (PersonID) -> String?
    private let log: Logger

    /// - Parameter nameOfPerson: returns the name of a person of the house.
    package init(sos: SOSInbox, nameOfPerson: @escaping @Sendable (PersonID) -> String?, log: Logger) {
        self.sos = sos
        self.nameOfPerson = nameOfPerson
        self.log = log
    }

    package func submit(_ signal: WearableSignal) {
        sos.submit(.signal(signal), at: signal.arrival.boot)
    }

    package func logSignal(_ signal: WearableSignal) {
        log.notice(
            "signal of a wearable",
            metadata: ["device": "\(signal.device)", "kind": "\(signal.kind.rawValue)"])
    }

    /// A press that is no call for help: the person is all right, or is about to move.
    package func submit(_ press: WearablePress) {
        let instant = press.arrival.boot
        if press.means == .exercise {
            let end = instant.advanced(by: SOSPlan.standardExercise)
            sos.submit(.exercise(press.person, until: end), at: instant)
            log.notice("exercise, by a wearable", metadata: ["device": "\(press.device)"])
            return
        }
        let name = nameOfPerson(press.person) ?? press.person.text
        let act = PersonAct(by: "\(name), on \(press.device)", means: .wearable)
        sos.submit(.abort(.openOf(press.person, pressedOn: press.device), act), at: instant)
        log.notice("cancelled on a wearable", metadata: ["device": "\(press.device)"])
    }
}
