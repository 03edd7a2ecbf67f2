public import GatewayModel

extension Broadcast {
    /// A tag with a receiver of its own, which says where it is: a Location/Vector message of Remote ID, to within 3 m.
    ///
    /// - Parameters:
    ///   - address: the first octet on paper as the most significant.
    ///   - tenths: of a second since the full hour.
    public static func remoteID(_ place: Coordinates, address: UInt64, counter: UInt8, tenths: UInt16)
        -> Broadcast
    {
        func little(_ value: UInt32, _ octets: Int) -> [UInt8] {
            (0..<octets).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) }
        }
        func degrees(_ value: Double) -> [UInt8] {
            little(UInt32(bitPattern: Int32((value * 1e7).rounded())), 4)
        }
        let movement: [UInt8] = [0x10, 0, 0, 0]
        let message =
            [0x12] + movement + degrees(place.latitude) + degrees(place.longitude) + [
                0, 0, 0, 0, 0, 0, 0x0B, 0x00,
            ]
            + little(UInt32(tenths), 2) + [0, 0]
        return Broadcast(address: address, data: [30, 0x16, 0xFA, 0xFF, 0x0D, counter] + message)
    }
}

extension WallTime {
    /// Of a second since the full hour.
    public var tenthsInHour: UInt16 { UInt16(millisecondsSince1970 % 3_600_000 / 100) }
}
