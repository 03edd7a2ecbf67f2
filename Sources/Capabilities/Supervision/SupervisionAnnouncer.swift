package import Alarms
package import GatewayModel
import HouseAlarm
package import Hub
package import Settings
import Synchronization

/// Says in the house that a person is not watched over for the moment, that it is over, and that the settings are wrong.
package final class SupervisionAnnouncer: Sendable {
    private let voice = Mutex(SupervisionVoice())
    private let house: HouseService
    private let roster: DeviceRoster
    private let health: HealthBoard
    private let buttons: SOSButtonSupervision
    private let settings: @Sendable () -> GatewaySettings

    /// - Parameter settings: returns the settings as they are now.
    package init(
        _ house: HouseService, roster: DeviceRoster, health: HealthBoard, buttons: SOSButtonSupervision,
        settings: @escaping @Sendable () -> GatewaySettings
    ) {
        (self.house, self.roster, self.health, self.settings) = (house, roster, health, settings)
        self.buttons = buttons
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
            if condition.code == .sosButtonUntested {
                // A press in answer to the sentence would call help.
                guard buttons.mayAsk(for: condition.subject) else { return }
                for person in wearers { house.say(.buttonTest(person, .missed)) }
                return
            }
            for person in wearers.isEmpty ? everyone : wearers {
                house.say(.supervision(person, isPaused: true))
            }
        case .settings(let condition):
            house.say(.settingsWrong(areEarlierUsed: condition.code == .settingsRefused))
        case .back:
            for person in everyone { house.say(.supervision(person, isPaused: false)) }
        }
    }
}
