import GatewayModel

/// How Home Assistant shows a kind of reading. Device and state classes with the units each allows:
/// home-assistant.io, Sensor, "Available device classes", and developers.home-assistant.io, Sensor entity.
struct DashboardForm: Hashable, Sendable {
    /// `device_class`. A class has values converted to the units of the home, so that blood pressures have none:
    /// where those are imperial, mmHg of class `pressure` become inHg. Home Assistant's own scales and cuffs
    /// (Withings) go without as well.
    let deviceClass: String?
    /// `state_class`.
    let stateClass: String
    /// Of Material Design, where the class brings none of its own.
    let icon: String?

    private init(_ deviceClass: String? = nil, counts: Bool = false, icon: String? = nil) {
        (self.deviceClass, self.icon) = (deviceClass, icon)
        stateClass = counts ? "total_increasing" : "measurement"
    }

    init(of kind: QuantityKind) {
        self =
            switch kind {
            case .heartRate: DashboardForm(icon: "mdi:heart-pulse")
            case .rrInterval: DashboardForm("duration")
            case .systolicPressure, .diastolicPressure, .meanArterialPressure: DashboardForm(icon: "mdi:gauge")
            case .oxygenSaturation: DashboardForm(icon: "mdi:water-percent")
            case .respirationRate: DashboardForm(icon: "mdi:lungs")
            case .bodyTemperature: DashboardForm("temperature")
            case .glucose: DashboardForm("blood_glucose_concentration")
            case .bodyWeight: DashboardForm("weight")
            case .bodyFat: DashboardForm(icon: "mdi:percent")
            case .runningSpeed: DashboardForm("speed")
            case .runningCadence: DashboardForm(icon: "mdi:shoe-print")
            case .energyExpended: DashboardForm("energy", counts: true)
            }
    }
}
