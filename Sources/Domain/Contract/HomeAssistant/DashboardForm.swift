import GatewayModel

/// How Home Assistant shows an entity. Device and state classes with the units each allows:
/// home-assistant.io, Sensor and Binary sensor, "Device class", and developers.home-assistant.io, Sensor entity.
struct DashboardForm: Hashable, Sendable {
    let title: String
    /// Nil for a binary sensor and for a text.
    let unit: String?
    /// `device_class`. A class has values converted to the units of the home, so that blood pressures have none:
    /// where those are imperial, mmHg of class `pressure` become inHg. Home Assistant's own scales and cuffs
    /// (Withings) go without as well. Of a binary sensor, `safety` is on while it is unsafe, `problem` while there is one.
    let deviceClass: String?
    /// `state_class`; nil for a binary sensor and for a text.
    let stateClass: String?
    /// Of Material Design, where the class brings none of its own.
    let icon: String?
    /// The entity shows the state of a device.
    let isDiagnostic: Bool

    private init(
        _ title: String, unit: String? = nil, _ deviceClass: String? = nil, stateClass: String? = nil,
        icon: String? = nil, isDiagnostic: Bool = false
    ) {
        (self.title, self.unit, self.deviceClass) = (title, unit, deviceClass)
        (self.stateClass, self.icon, self.isDiagnostic) = (stateClass, icon, isDiagnostic)
    }

    private init(
        _ kind: QuantityKind, _ deviceClass: String? = nil, counts: Bool = false, icon: String? = nil
    ) {
        self.init(
            kind.coding.title, unit: kind.coding.displayUnit, deviceClass,
            stateClass: counts ? "total_increasing" : "measurement", icon: icon)
    }

    init(of entity: DashboardEntity) {
        self =
            switch entity {
            case .reading(_, let kind): DashboardForm(of: kind)
            case .battery(_, let device):
                DashboardForm(
                    "Battery of \(device)", unit: "%", "battery", stateClass: "measurement",
                    isDiagnostic: true)
            case .state(_, .alarm): DashboardForm("Alarm", "safety")
            case .state(_, .supervision): DashboardForm("Supervision", "problem")
            case .state(_, .request): DashboardForm("Waiting request", icon: "mdi:account-question")
            case .state(_, .help): DashboardForm("Help", icon: "mdi:lifebuoy")
            case .box: DashboardForm("Condition", "problem", isDiagnostic: true)
            }
    }

    init(of kind: QuantityKind) {
        self =
            switch kind {
            case .heartRate: DashboardForm(kind, icon: "mdi:heart-pulse")
            case .rrInterval: DashboardForm(kind, "duration")
            case .systolicPressure, .diastolicPressure, .meanArterialPressure:
                DashboardForm(kind, icon: "mdi:gauge")
            case .oxygenSaturation: DashboardForm(kind, icon: "mdi:water-percent")
            case .respirationRate: DashboardForm(kind, icon: "mdi:lungs")
            case .bodyTemperature: DashboardForm(kind, "temperature")
            case .glucose: DashboardForm(kind, "blood_glucose_concentration")
            case .bodyWeight: DashboardForm(kind, "weight")
            case .bodyFat: DashboardForm(kind, icon: "mdi:percent")
            case .runningSpeed: DashboardForm(kind, "speed")
            case .runningCadence: DashboardForm(kind, icon: "mdi:shoe-print")
            case .energyExpended: DashboardForm(kind, "energy", counts: true)
            }
    }
}
