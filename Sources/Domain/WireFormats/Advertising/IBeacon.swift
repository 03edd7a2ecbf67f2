public import GatewayModel

/// Apple's iBeacon (Proximity Beacon Specification, R1): manufacturer data of company 0x004C.
public struct IBeacon: Hashable, Sendable {
    public typealias ProximityUUID = GatewayModel.ProximityUUID

    public let uuid: ProximityUUID
    public let major: UInt16
    public let minor: UInt16
    /// What a receiver 1 m away measures, in dBm.
    public let measuredPower: Int8

    static let company: UInt16 = 0x004C
    /// Company, type 0x02, length 0x15, UUID, major, minor, power.
    static let length = 2 + 2 + 16 + 2 + 2 + 1

    /// - Parameter content: of an AD structure 0xFF, from the company identifier on.
    /// - Returns: nil where it is another company's, or another of Apple's formats; also where it is cut or
    ///   longer, since neither is an iBeacon.
    public init?(manufacturerData content: Span<UInt8>) {
        guard content.count == Self.length, content.littleUInt16(at: 0) == Self.company,
            content[2] == 0x02, content[3] == 0x15
        else { return nil }
        // Unlike the rest of Bluetooth the numbers are big-endian.
        uuid = ProximityUUID(high: content.bigUInt64(at: 4), low: content.bigUInt64(at: 12))
        major = content.bigUInt16(at: 20)
        minor = content.bigUInt16(at: 22)
        measuredPower = content.sint8(at: 24)
    }
}
