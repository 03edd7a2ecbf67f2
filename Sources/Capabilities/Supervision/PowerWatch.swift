import GatewayModel
import Hub

/// What of the box's power is to be told. Pure; what is not shown is nothing.
struct PowerWatch: Hashable, Sendable {
    private var battery = BatteryWatch()

    mutating func see(_ supply: PowerSupply?) -> [HealthChange] {
        let hasMains = supply?.hasMains ?? true
        if let percent = supply?.batteryPercent { battery.note(percent: percent) }
        // On the mains it is being charged, whatever it holds.
        let isLow = !hasMains && battery.isLow && supply?.batteryPercent != nil
        return [
            HealthChange(condition: HealthCondition(.mainsLost), holds: !hasMains),
            HealthChange(condition: HealthCondition(.houseBatteryLow), holds: isLow),
        ]
    }
}
