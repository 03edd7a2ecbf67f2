import GatewayModel
import Hub

/// Conditions of the box's power to report. Pure. A value that the hardware does not show raises no condition.
struct PowerWatch: Hashable, Sendable {
    private var battery = BatteryWatch()

    mutating func see(_ supply: PowerSupply?) -> [HealthChange] {
        let hasMains = supply?.hasMains ?? true
        if let percent = supply?.batteryPercent { battery.note(percent: percent) }
        // On mains power the battery is being charged, at any level.
        let isLow = !hasMains && battery.isLow && supply?.batteryPercent != nil
        return [
            HealthChange(condition: HealthCondition(.mainsLost), holds: !hasMains),
            HealthChange(condition: HealthCondition(.houseBatteryLow), holds: isLow),
        ]
    }
}
