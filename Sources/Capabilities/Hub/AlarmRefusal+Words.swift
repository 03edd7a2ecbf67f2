import GatewayModel
package import SOSLocal

extension Alarm.Refusal {
    /// For the person who asked.
    package var inWords: String {
        switch self {
        case .notDispatchedYet:
            "help has not been called yet for this alarm, so nobody can have accepted it"
        case .alreadyEnded(let ending):
            "this alarm is over already: \(ending.word) by \(ending.act.by)"
        case .alreadyRetracted:
            "everyone who was called has been told already that this alarm no longer holds"
        case .unknownAlarm:
            "no alarm of this id is known; see: homegateway status"
        case .nothingOpen:
            "there is no open alarm"
        case .notAllowed(let means):
            "an alarm of this person may not be ended this way (\(means.rawValue)); see may_end in the settings"
        case .unknownPerson(let person):
            "nobody of the id \(person) is watched here"
        case .emergencyOpen(let alarm):
            "alarm \(alarm) is open, and a drill beside it would confuse those who help: end it first"
        case .hasJustCalled:
            "this button has just called for help itself and cancels nothing for 10 s"
        case .drillOpen(let alarm):
            "drill \(alarm) of another person is being held; one is held at a time"
        case .severalOpen(let persons, _):
            "alarms of several persons are open (\(persons.map(\.text).joined(separator: ", "))); "
                + "say whose with --person"
        }
    }
}
