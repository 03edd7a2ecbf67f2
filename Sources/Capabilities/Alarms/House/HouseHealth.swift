import GatewayModel
import HouseAlarm
import Hub
import Settings
import Synchronization

/// Which outputs of the alarm in the house work, as conditions: one for each part, and one where nothing is left by
/// which anybody in the house could be told. Any thread.
final class HouseHealth: Sendable {
    private enum Output: Hashable { case console, sound, lamp }

    private let outputs: Set<Output>
    private let failing = Mutex<Set<Output>>([])
    private let set: @Sendable (HealthCondition, Bool) -> Void

    init(_ house: GatewaySettings.House, set: @escaping @Sendable (HealthCondition, Bool) -> Void) {
        var outputs: Set<Output> = [.console]
        if house.sound != .off { outputs.insert(.sound) }
        if house.lamp != nil { outputs.insert(.lamp) }
        self.outputs = outputs
        self.set = set
    }

    func console(works: Bool) {
        note(.console, works)
    }

    func part(_ part: HousePart, works: Bool) {
        switch part {
        case .sound:
            set(HealthCondition(.houseSilent), !works)
            note(.sound, works)
        case .voice: set(HealthCondition(.houseVoiceless), !works)
        case .lamp:
            set(HealthCondition(.houseLampDark), !works)
            note(.lamp, works)
        case .button: set(HealthCondition(.houseButtonDead), !works)
        }
    }

    private func note(_ output: Output, _ works: Bool) {
        let isUnalarmed = failing.withLock { failing in
            if works { failing.remove(output) } else { failing.insert(output) }
            return failing.isSuperset(of: outputs)
        }
        set(HealthCondition(.houseUnalarmed), isUnalarmed)
    }
}
