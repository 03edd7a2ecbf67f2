/// What a BTHome sensor measures.
public enum BTHomeQuantity: String, Hashable, Sendable {
    case acceleration, battery, channel, conductivity, count, current, dewPoint, direction, distance
    case duration, energy, gas, gyroscope, humidity, illuminance, lightLevel, mass, moisture, carbonDioxide
    case fineParticles, coarseParticles, power, precipitation, pressure, rotation, rotationalSpeed, speed
    case temperature, ultravioletIndex, volatileOrganicCompounds, voltage, volume, volumeFlowRate
    case volumeStorage, water
}

/// What a BTHome sensor says is so, or is not.
public enum BTHomeState: String, Hashable, Sendable {
    case generic, power, opening, batteryLow, charging, carbonMonoxide, cold, connectivity, door, garageDoor
    case gas, heat, light, lockOpen, moisture, motion, moving, occupancy, plug, presence, problem, running
    case unsafe, smoke, sound, tamper, vibration, window
}

public struct BTHomeMeasurement: Hashable, Sendable {
    /// A factor as two whole numbers: 0.35 and 0.01 are no binary fractions.
    public struct Scale: Hashable, Sendable {
        public let numerator: Int64
        public let denominator: Int64

        init(_ numerator: Int64, per denominator: Int64) {
            self.numerator = numerator
            self.denominator = denominator
        }

        static let one = Scale(1, per: 1)
        static let tenth = Scale(1, per: 10)
        static let hundredth = Scale(1, per: 100)
        static let thousandth = Scale(1, per: 1_000)
        static let millionth = Scale(1, per: 1_000_000)
    }

    public let quantity: BTHomeQuantity
    /// UCUM.
    public let unit: String
    public let raw: Int64
    public let scale: Scale

    public var value: Double { Double(raw * scale.numerator) / Double(scale.denominator) }
}
