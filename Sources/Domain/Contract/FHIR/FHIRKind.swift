public import GatewayModel

/// Kind of reading of a code in a FHIR Observation that another program wrote: the reverse of `FHIRCodes`.
public struct FHIRKind: Hashable, Sendable {
    public let kind: QuantityKind
    public let sampling: Reading.Sampling

    /// Codes of a blood pressure, whose values stand in its components.
    public static func isPressurePanel(system: String, code: String) -> Bool {
        matches(FHIRCodes.bloodPressure, system, code)
    }

    /// Nil for a code that names no kind.
    public init?(system: String, code: String) {
        for kind in QuantityKind.allCases {
            // Movement and intervals have no code of their own here.
            for sampling in [Reading.Sampling.spot, .stream]
            where Self.matches(FHIRCodes(kind, sampling: sampling), system, code) {
                // Only glucose has different codes for a meter and for a sensor under the skin.
                self.init(kind, kind == .glucose ? sampling : kind.usualSampling)
                return
            }
        }
        guard system == FHIRCodes.loincSystem, let kind = Self.others[code] else { return nil }
        self.init(kind, kind.usualSampling)
    }

    private init(_ kind: QuantityKind, _ sampling: Reading.Sampling) {
        (self.kind, self.sampling) = (kind, sampling)
    }

    /// LOINC codes that are read and never written: glucose of a meter by amount of substance, and energy burned.
    private static let others: [String: QuantityKind] = ["14743-9": .glucose, "41981-2": .energyExpended]

    private static func matches(_ codes: FHIRCodes, _ system: String, _ code: String) -> Bool {
        switch system {
        case FHIRCodes.loincSystem: codes.loinc.contains(code)
        case FHIRCodes.mdcSystem: codes.mdc.map { "\($0)" } == code
        default: false
        }
    }
}

extension QuantityKind {
    /// Sampling of a value without further information: one of many, or a measurement complete in itself. A single value
    /// of a stream is not believed at once by the rules that confirm.
    public var usualSampling: Reading.Sampling {
        switch self {
        case .heartRate, .rrInterval, .oxygenSaturation, .respirationRate, .runningSpeed, .runningCadence,
            .energyExpended:
            .stream
        case .systolicPressure, .diastolicPressure, .meanArterialPressure, .bodyTemperature, .glucose,
            .bodyWeight,
            .bodyFat:
            .spot
        }
    }
}
