/// The unit of a Blood Pressure characteristic, bit 0 of its flags.
public enum BloodPressureUnit: Hashable, Sendable {
    case millimetresOfMercury, kilopascals

    /// Nil where `pressure` is not a number.
    public func millimetresOfMercury(_ pressure: MedFloat16) -> Double? {
        switch self {
        case .millimetresOfMercury: pressure.value
        // The conventional millimetre of mercury is 133.322387415 Pa: 13 595.1 kg/m3 x 9.80665 m/s2 x 1 mm.
        case .kilopascals: pressure.value(timesTenTo: 3).map { $0 / 133.322387415 }
        }
    }
}
