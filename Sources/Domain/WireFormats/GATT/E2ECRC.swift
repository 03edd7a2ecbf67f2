/// E2E-CRC of the CGM, Pulse Oximeter and Blood Pressure services: CRC-16/MCRF4XX (polynomial 0x1021 reflected,
/// start 0xFFFF, no final inversion), sent least significant byte first (CGM Service 1.0.1, section 3.11).
enum E2ECRC {
    static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        bytes.reduce(0xFFFF) { crc, byte in
            (0..<8).reduce(crc ^ UInt16(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
        }
    }

    /// - Returns: what precedes the check sum in the last two of `bytes`.
    static func verified(_ bytes: [UInt8]) throws(DecodeError) -> [UInt8] {
        guard bytes.count >= 2 else { throw .truncated(field: "E2E-CRC", needed: 2, left: bytes.count) }
        let content = Array(bytes.dropLast(2))
        guard of(content) == UInt16(bytes[bytes.count - 2]) | UInt16(bytes[bytes.count - 1]) << 8 else {
            throw .checksum(field: "E2E-CRC")
        }
        return content
    }
}
