/// SpO2PR: the pair of values that the Pulse Oximeter characteristics carry once or several times.
public struct PLXReading: Hashable, Sendable {
    /// Oxygen saturation in percent.
    public let saturation: MedFloat16
    /// Beats per minute.
    public let pulseRate: MedFloat16

    public init(from reader: inout ByteReader) throws(DecodeError) {
        saturation = try MedFloat16(from: &reader, "SpO2")
        pulseRate = try MedFloat16(from: &reader, "PR")
    }
}
