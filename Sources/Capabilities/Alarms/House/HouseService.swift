package import GatewayModel
import HelpState
package import HouseAlarm
import Hub
import Logging
package import OutboxService
import SOSLocal
import ServiceLifecycle
package import Settings

/// The alarm in the house: the line on the console, the sound, the voice, the lamp, and the button of the box. From any
/// thread.
package final class HouseService: Sendable {
    /// Sound, voice, lamp and button.
    package let outputs: HouseAnnunciator
    private let console: Annunciator
    private let settings: GatewaySettings.House
    private let roster: DeviceRoster
    private let health: HealthBoard

    package init(_ core: GatewayCore, inbox: SOSInbox) throws {
        let (settings, roster, health) = (core.settings(), core.roster, core.health)
        let house = HouseAlarmSettings(settings.house)
        let phrases = HousePhrases(
            people: settings.people, language: house.language, hasButton: house.button != nil,
            facts: { HelpFacts(of: $0, core, inbox) },
            cancelMeans: CancelWays.means(settings, roster))
        let houseHealth = HouseHealth(settings.house) { health.set($0, $1) }
        outputs = try HouseAnnunciator(
            house, phrases: phrases, reports: Self.reports(settings.house, inbox, houseHealth, core.log))
        console = try Annunciator(
            phrases, beside: outputs,
            reports: Annunciator.Reports(
                annunciated: { inbox.submit(.annunciated($0), at: $1) },
                canBeHeard: { houseHealth.console(works: $0) }))
        self.settings = settings.house
        (self.roster, self.health) = (roster, health)
    }

    private static func reports(
        _ settings: GatewaySettings.House, _ inbox: SOSInbox, _ health: HouseHealth, _ log: Logger
    ) -> HouseReports {
        let button = settings.button.map { BoxButton(of: $0.person, inbox: inbox) }
        return HouseReports(
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
            })
    }

    /// Says a word to the house by every output, at once.
    package func say(_ word: HouseMessage) {
        console.say(word)
    }

    /// Replaces the persons of the house, for the console and the voice.
    package func replace(people: [PersonID: HousePerson]) {
        console.replace(people: people)
    }

    /// Raises or clears the condition of each person who cannot cancel an alarm: at the start, and when the wearables
    /// have changed.
    package func checkCancelWays(of persons: [GatewaySettings.Person]) {
        for person in persons {
            let ways = CancelWays(of: person, wearables: roster.wearables, house: settings)
            health.set(HealthCondition(.alarmNotCancellable, subject: person.id.text), ways.isMissing)
        }
    }

    /// In the order of starting.
    var services: [any Service] {
        [
            ThreadService(run: console.run, stop: console.stop),
            ThreadService(run: outputs.run, stop: outputs.stop),
        ]
    }
}

extension GatewaySettings {
    /// The persons of the house, as the voice and the console name them.
    package var people: [PersonID: HousePerson] {
        Dictionary(
            persons.map { ($0.id, HousePerson(name: $0.profile.name, language: $0.profile.language)) }
        ) { first, _ in first }
    }
}
