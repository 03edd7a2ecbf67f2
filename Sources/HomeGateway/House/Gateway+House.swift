import Alarms
import Consent
import GatewayModel
import HouseAlarm
import Hub
import Logging
import RealTime
import SOSLocal
import Settings

// The alarm in the house besides the line on the console: sound, voice, lamp, and the button of the box.
extension Gateway {
    /// The words of the house, to the ear and to the eye.
    static func phrases(
        _ settings: GatewaySettings, roster: DeviceRoster, gate: ConsentGate
    ) -> HousePhrases {
        let house = HouseAlarmSettings(settings.house)
        return HousePhrases(
            people: settings.people, language: house.language,
            hasButton: house.button != nil, mayCall: { gate.holds(.automatedSOS, for: $0) },
            cancelMeans: cancelMeans(settings, roster))
    }

    static func house(
        _ settings: GatewaySettings, phrases: HousePhrases, inbox: SOSInbox, health: HouseHealth, log: Logger
    ) throws -> HouseAnnunciator {
        let button = settings.house.button.map { BoxButton(of: $0.person, inbox: inbox) }
        return try HouseAnnunciator(
            HouseAlarmSettings(settings.house), phrases: phrases,
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

extension GatewaySettings {
    /// The persons of the house, as it speaks of them.
    var people: [PersonID: HousePerson] {
        Dictionary(
            persons.map { ($0.id, HousePerson(name: $0.name, language: $0.profile.language)) }
        ) { first, _ in first }
    }
}
