public import GatewayModel
import WireFormats

/// A service that the gateway knows what to do with, by its assigned number (Assigned Numbers, 3.4.2 and,
/// for members, 3.5).
public enum RecognisedService: UInt16, CaseIterable, Hashable, Sendable {
    case immediateAlert = 0x1802
    case glucose = 0x1808
    case healthThermometer = 0x1809
    case heartRate = 0x180D
    case battery = 0x180F
    case bloodPressure = 0x1810
    case runningSpeedAndCadence = 0x1814
    case bodyComposition = 0x181B
    case weightScale = 0x181D
    case continuousGlucose = 0x181F
    case pulseOximeter = 0x1822
    /// Adverts alone, without a connection (bthome.io, version 2).
    case bthome = 0xFCD2

    /// For people.
    public var title: String {
        switch self {
        case .immediateAlert: "buzzer"
        case .glucose: "glucose"
        case .healthThermometer: "thermometer"
        case .heartRate: "heart rate"
        case .battery: "battery"
        case .bloodPressure: "blood pressure"
        case .runningSpeedAndCadence: "running"
        case .bodyComposition: "body composition"
        case .weightScale: "scale"
        case .continuousGlucose: "glucose sensor"
        case .pulseOximeter: "pulse oximeter"
        case .bthome: "tag or button (BTHome)"
        }
    }

    /// What it measures; a device may leave some of it out.
    public var kinds: [QuantityKind] {
        switch self {
        case .immediateAlert, .battery, .bthome: []
        case .glucose, .continuousGlucose: [.glucose]
        case .healthThermometer: [.bodyTemperature]
        case .heartRate: [.heartRate, .rrInterval, .energyExpended]
        case .bloodPressure: [.systolicPressure, .diastolicPressure, .meanArterialPressure, .heartRate]
        case .runningSpeedAndCadence: [.runningSpeed, .runningCadence]
        case .bodyComposition: [.bodyFat, .bodyWeight]
        case .weightScale: [.bodyWeight]
        case .pulseOximeter: [.oxygenSaturation, .heartRate]
        }
    }

    /// Those among UUIDs as BlueZ writes them, in the order of their numbers, each once.
    static func among(_ uuids: some Sequence<String>) -> [RecognisedService] {
        let shown = Set(uuids.compactMap { BluetoothUUID($0) })
        return allCases.filter { shown.contains(BluetoothUUID(assigned: $0.rawValue)) }
    }
}
