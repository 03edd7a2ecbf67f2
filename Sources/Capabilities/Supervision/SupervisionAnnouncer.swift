package import Alarms
package import GatewayModel
import HouseAlarm
package import Hub
import Phrases
package import Settings
import Synchronization

/// Says in the house that a person is not watched over for the moment, that it is over, that the settings are wrong, and
/// troubles with a battery, the mains or a drill.
package final class SupervisionAnnouncer: Sendable {
    private let voice = Mutex(SupervisionVoice())
    private let house: HouseService
    private let roster: DeviceRoster
    private let health: HealthBoard
    private let settings: @Sendable () -> GatewaySettings

    /// - Parameter settings: returns the settings as they are now.
    package init(
        _ house: HouseService, roster: DeviceRoster, health: HealthBoard,
        settings: @escaping @Sendable () -> GatewaySettings
    ) {
        (self.house, self.roster, self.health, self.settings) = (house, roster, health, settings)
    }

    /// Says the conditions that are due to be said. Call once a second.
    package func look(at now: Moment) {
        let settings = settings()
        let isAwake = settings.house.wakingHours.contains(LocalTime(now.wall).time)
        let words = voice.withLock { $0.see(health.conditions, at: now.boot, isAwake: isAwake) }
        for word in words { say(word, settings.persons.map(\.id)) }
    }

    private func say(_ word: SupervisionVoice.Word, _ everyone: [PersonID]) {
        switch word {
        case .paused(let condition):
            let wearers = roster.wearables.filter { $0.id.text == condition.subject }.map(\.person)
            // A condition of the box concerns everyone.
            for person in wearers.isEmpty ? everyone : wearers {
                house.say(.supervision(person, isPaused: true))
            }
        case .settings(let condition):
            house.say(.settingsWrong(areEarlierUsed: condition.code == .settingsRefused))
        case .back:
            for person in everyone { house.say(.supervision(person, isPaused: false)) }
        case .trouble(let condition): say(condition, isOver: false)
        case .troubleOver(let condition): say(condition, isOver: true)
        }
    }

    private func say(_ trouble: HealthCondition, isOver: Bool) {
        switch trouble.code {
        case .mainsLost: house.say(.boxPower(isOver ? .mainsBack : .mainsLost))
        // Its end is that of the missing mains.
        case .houseBatteryLow: if !isOver { house.say(.boxPower(.batteryLow)) }
        case .batteryLow:
            for person in roster.wearables.filter({ $0.id.text == trouble.subject }).map(\.person) {
                house.say(isOver ? .batteryCharged(person) : .batteryLow(person, percent: nil))
            }
        case .sosButtonUntested:
            guard !isOver else { return }
            for person in roster.wearables.filter({ $0.id.text == trouble.subject }).map(\.person) {
                house.say(.buttonTest(person, .missed))
            }
        case .houseButtonDead: house.say(.boxButton(works: isOver))
        case .helpUnreachable:
            guard let person = trouble.subject.flatMap({ PersonID($0) }) else { return }
            house.say(.helpReach(person, isLost: !isOver))
        case .drillFailed:
            // A drill that is answered says so itself.
            guard !isOver, let person = trouble.subject.flatMap({ PersonID($0) }) else { return }
            house.say(.drillFailed(person))
        default: return
        }
    }
}
