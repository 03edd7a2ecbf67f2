/// The units of Weight Measurement and Body Composition Measurement, bit 0 of their flags.
public enum BodyScaleUnits: Hashable, Sendable {
    case si, imperial

    /// 0.005 kg or 0.01 lb a step; the international pound is 0.45359237 kg.
    public func kilograms(_ steps: UInt16) -> Double {
        switch self {
        case .si: Double(steps) * 5 / 1_000
        case .imperial: Double(steps) * 0.45359237 / 100
        }
    }

    /// 0.001 m or 0.1 in a step; the international inch is 0.0254 m.
    public func metres(_ steps: UInt16) -> Double {
        switch self {
        case .si: Double(steps) / 1_000
        case .imperial: Double(steps) * 254 / 100_000
        }
    }
}
