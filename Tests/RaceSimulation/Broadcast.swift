public import GatewayModel
public import RunBeacon
import WireFormats

/// A radio that advertises, and a controller's report of it: real bytes of an LE Meta event, from the subevent code on
/// (Core 5.4, Vol 4, Part E, 7.7.65.2 and 7.7.65.13).
public struct Broadcast: Sendable {
    /// The address, with its first octet in print as the most significant; random and static.
    public let address: UInt64
    /// AD structures.
    public let data: [UInt8]

    public init(address: UInt64, data: [UInt8] = [0x02, 0x01, 0x06]) {
        (self.address, self.data) = (address, data)
    }

    /// The advertisement of a tag that is known by `identity`. Its data does not mention an address or a key.
    public init(_ identity: TagIdentity, address: UInt64) {
        let flags: [UInt8] = [0x02, 0x01, 0x06]
        switch identity {
        case .address(let own): self.init(address: own.octets)
        case .identityKey: self.init(address: address)
        case .iBeacon(let uuid, let major, let minor):
            let name = Self.big(uuid.high, 8) + Self.big(uuid.low, 8)
            let content =
                [0x02, 0x15] + name + Self.big(UInt64(major), 2) + Self.big(UInt64(minor), 2) + [0xC5]
            self.init(address: address, data: flags + [0x1A, 0xFF, 0x4C, 0x00] + content)
        case .eddystone(let namespace, let instance):
            let name = Self.big(namespace.high, 8) + Self.big(UInt64(namespace.low), 2) + Self.big(instance, 6)
            self.init(
                address: address,
                data: flags + [0x03, 0x03, 0xAA, 0xFE, 0x15, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + name)
        case .manufacturer(let company, let prefix):
            let content = Self.big(UInt64(company), 2).reversed() + prefix + [0x01, 0x02]
            self.init(address: address, data: flags + [UInt8(content.count + 1), 0xFF] + content)
        }
    }

    /// - Parameter rssi: dBm; 127 if the controller does not know it.
    public func event(rssi: Int8) -> [UInt8] {
        [0x02, 1, 0x03, 0x01] + Self.big(address, 6).reversed() + [UInt8(data.count)] + data
            + [UInt8(bitPattern: rssi)]
    }

    /// Returns the same as a controller of Bluetooth 5 reports it.
    public func extendedEvent(rssi: Int8) -> [UInt8] {
        let head: [UInt8] = [0x0D, 1, 0x10, 0x00, 0x01] + Self.big(address, 6).reversed()
        return head + [0x01, 0x00, 0xFF, 0x7F, UInt8(bitPattern: rssi), 0, 0, 0, 0, 0, 0, 0, 0, 0]
            + [UInt8(data.count)] + data
    }

    private static func big(_ value: UInt64, _ octets: Int) -> [UInt8] {
        (0..<octets).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
}

extension Broadcast {
    /// A tag with a receiver of its own, which sends its position: a Location/Vector message of Remote ID, accurate to
    /// 3 m.
    ///
    /// - Parameters:
    ///   - address: with its first octet in print as the most significant.
    ///   - tenths: tenths of a second since the full hour.
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
    /// Tenths of a second since the full hour.
    public var tenthsInHour: UInt16 { UInt16(millisecondsSince1970 % 3_600_000 / 100) }
}
