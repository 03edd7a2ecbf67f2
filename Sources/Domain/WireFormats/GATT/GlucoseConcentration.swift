/// The concentration in a Glucose Measurement, with its unit of bit 2 of the flags.
public struct GlucoseConcentration: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
        case kilogramsPerLitre, molesPerLitre
    }

    public let unit: Unit
    public let wire: MedFloat16

    /// 1 mmol/L of glucose: its molar mass, 180.16 g/mol, in milligrams per decilitre.
    public static let milligramsPerDecilitrePerMillimole = 18.016

    /// Nil where the meter gave no number.
    public var milligramsPerDecilitre: Double? {
        switch unit {
        case .kilogramsPerLitre: inCustomaryUnit
        case .molesPerLitre: inCustomaryUnit.map { $0 * Self.milligramsPerDecilitrePerMillimole }
        }
    }

    /// Nil where the meter gave no number.
    public var millimolesPerLitre: Double? {
        switch unit {
        case .kilogramsPerLitre: inCustomaryUnit.map { $0 / Self.milligramsPerDecilitrePerMillimole }
        case .molesPerLitre: inCustomaryUnit
        }
    }

    /// mg/dL or mmol/L. The field is in kg/L or mol/L, but the text of the flag names mg/dL and mmol/L, and some
    /// meters follow that. More than 1 kg/L or 1 mol/L is no glucose in any blood, so it is the customary unit.
    private var inCustomaryUnit: Double? {
        guard let value = wire.value, value <= 1 else { return wire.value }
        return wire.value(timesTenTo: unit == .kilogramsPerLitre ? 5 : 3)
    }
}
