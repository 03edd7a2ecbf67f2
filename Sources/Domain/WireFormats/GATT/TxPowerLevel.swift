/// Tx Power Level, characteristic 0x2A07 (GATT Specification Supplement, "Tx Power Level").
public struct TxPowerLevel: Hashable, Sendable {
    /// Nil: outside -100...20.
    public let dBm: Int8?

    public init(from reader: inout ByteReader) throws(DecodeError) {
        let power = try reader.int8("Tx power level")
        dBm = (-100...20).contains(power) ? power : nil
    }
}
