// Units that programs give values in. A unit that is not in the table is refused by the reader: a guess could be wrong by
// a factor that still looks plausible.
extension QuantityKind {
    /// Factor and offset by which a value in another unit becomes one in the unit of the kind.
    private struct Conversion {
        let unit: String
        let factor: Double
        let offset: Double

        init(_ unit: String, _ factor: Double, plus offset: Double = 0) {
            (self.unit, self.factor, self.offset) = (unit, factor, offset)
        }
    }

    /// UCUM codes besides the unit of the kind (ucum.org, table 1 to 3: exact by definition, but for glucose).
    private var conversions: [Conversion] {
        switch self {
        case .heartRate, .respirationRate, .runningCadence: [Conversion("1/min", 1), Conversion("/s", 60)]
        case .rrInterval: [Conversion("s", 1_000)]
        case .systolicPressure, .diastolicPressure, .meanArterialPressure:
            // 1 mm[Hg] is 133.322 Pa.
            [Conversion("kPa", 1 / 0.133_322)]
        case .oxygenSaturation, .bodyFat: [Conversion("1", 100)]
        case .bodyTemperature:
            [Conversion("[degF]", 5 / 9, plus: -160 / 9), Conversion("K", 1, plus: -273.15)]
        case .glucose:
            // Molar mass of glucose: 180.156 g/mol.
            [Conversion("mmol/L", 18.0156), Conversion("g/L", 100)]
        case .bodyWeight:
            [
                Conversion("g", 0.001), Conversion("[lb_av]", 0.453_592_37),
                Conversion("[stone_av]", 6.350_293_18),
            ]
        case .runningSpeed: [Conversion("km/h", 1 / 3.6), Conversion("[mi_i]/h", 0.447_04)]
        case .energyExpended: [Conversion("J", 0.001), Conversion("kcal", 4.184)]
        }
    }

    /// UCUM codes in which a value of this kind is understood; the first is the unit of the kind.
    public var units: [String] { [coding.unit] + conversions.map(\.unit) }

    /// Returns the value in the unit of the kind, to four decimals where it is converted.
    ///
    /// - Parameter unit: UCUM code. Annotations in braces, as in `{beats}/min`, have no meaning and are left out.
    /// - Returns: nil for a unit that is not in the table, and for a value that no kind has.
    public func value(_ value: Double, in unit: String) -> Double? {
        let plain = Self.withoutAnnotations(unit)
        if plain == coding.unit { return value }
        guard let conversion = conversions.first(where: { $0.unit == plain }) else { return nil }
        let converted = value * conversion.factor + conversion.offset
        // Far beyond the value of any kind; the bound keeps the rounding within its integer.
        guard converted.magnitude < 1e12 else { return nil }
        // Without `rounded()`, which would make each program that links the model need the C library of mathematics.
        return Double(Int64(converted * 10_000 + (converted < 0 ? -0.5 : 0.5))) / 10_000
    }

    /// UCUM, section 6: an annotation stands for the unit 1.
    private static func withoutAnnotations(_ unit: String) -> String {
        guard let begin = unit.firstIndex(of: "{"), let end = unit[begin...].firstIndex(of: "}") else {
            return unit
        }
        return String(unit[..<begin] + unit[unit.index(after: end)...])
    }
}
