import Consent
import GatewayModel
import HouseAlarm
import Logging
import RealTime
import SOSLocal
import Settings

// The alarm in the house besides the line on the console: sound, voice, lamp, and the button of the box.
extension Gateway {
    /// - Parameter annunciated: from any thread, for whichever part is first.
    static func house(
        _ settings: GatewaySettings, gate: ConsentGate, inbox: SOSInbox, health: HouseHealth, log: Logger
    ) throws -> HouseAnnunciator {
        let people = settings.persons.map {
            ($0.id, HousePerson(name: $0.name, language: $0.profile.language))
        }
        let button = settings.house.button.map { BoxButton(of: $0.person, inbox: inbox) }
        return try HouseAnnunciator(
            HouseAlarmSettings(settings.house), people: Dictionary(people) { first, _ in first },
            mayCall: { gate.holds(.automatedSOS, for: $0) },
            reports: HouseReports(
                annunciated: { alarm, part, instant in
                    inbox.submit(.annunciated(alarm), at: instant)
                    log.debug("alarm given", metadata: ["alarm": "\(alarm)", "part": "\(part.rawValue)"])
                },
                works: { part, works, reason in
                    health.part(part, works: works)
                    if let reason {
                        log.warning(
                            "a part of the alarm in the house does not work",
                            metadata: ["part": "\(part.rawValue)", "reason": "\(reason)"])
                    }
                },
                pressed: { press in
                    log.notice("button of the box", metadata: ["kind": "\(press.kind.rawValue)"])
                    button?.used(press)
                }))
    }
}
