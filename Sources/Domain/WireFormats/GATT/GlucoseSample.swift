/// Type-Sample Location of Glucose Measurement and CGM Feature: two nibbles in one byte (GATT Specification
/// Supplement, "Glucose Measurement", "CGM Feature").
public struct GlucoseSample: Hashable, Sendable {
    public enum Fluid: UInt8, Hashable, Sendable {
        case capillaryWholeBlood = 1
        case capillaryPlasma = 2
        case venousWholeBlood = 3
        case venousPlasma = 4
        case arterialWholeBlood = 5
        case arterialPlasma = 6
        case undeterminedWholeBlood = 7
        case undeterminedPlasma = 8
        case interstitialFluid = 9
        /// A test of the meter, not of a person.
        case controlSolution = 10
    }

    public enum Location: UInt8, Hashable, Sendable {
        case finger = 1
        case alternateSite = 2
        case earLobe = 3
        case controlSolution = 4
        /// CGM only.
        case subcutaneousTissue = 5
        case notAvailable = 15
    }

    /// Low nibble.
    public let fluid: OpenCode<Fluid>
    /// High nibble.
    public let location: OpenCode<Location>

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let both = try reader.uint8("type-sample location")
        fluid = OpenCode(both & 0x0F)
        location = OpenCode(both >> 4)
    }

    /// Whether the value is a test of the meter and no glucose of anybody.
    public var isControlSolution: Bool {
        fluid == .known(.controlSolution) || location == .known(.controlSolution)
    }
}
