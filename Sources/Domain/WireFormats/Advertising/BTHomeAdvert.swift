public import GatewayModel

/// BTHome v2 (bthome.io/format): service data of UUID 0xFCD2, little-endian.
public struct BTHomeAdvert: Hashable, Sendable {
    public struct DeviceInformation: Hashable, Sendable {
        public let rawValue: UInt8

        public var isEncrypted: Bool { rawValue & 1 << 0 != 0 }
        public var hasAddress: Bool { rawValue & 1 << 1 != 0 }
        /// Sends when something happens, not at intervals: its silence means nothing.
        public var isTriggerBased: Bool { rawValue & 1 << 2 != 0 }
        public var version: UInt8 { rawValue >> 5 }
    }

    public enum Content: Hashable, Sendable {
        case plain(BTHomeFrame)
        case encrypted(BTHomeEnvelope)
    }

    public let information: DeviceInformation
    /// The device's own address, where it sends it along: the advertiser may be a repeater.
    public let address: DeviceAddress?
    /// A device whose key is known must be believed only when `.encrypted`: anybody can send a plain frame
    /// in its name.
    public let content: Content

    public static let service: UInt16 = 0xFCD2

    /// - Parameter content: of an AD structure 0x16, from the service UUID on.
    /// - Returns: nil where it is another service's.
    public init?(serviceData content: Span<UInt8>) throws(DecodeError) {
        guard content.count >= 2, content.littleUInt16(at: 0) == Self.service else { return nil }
        try content.need(1, at: 2, "BTHome device information")
        information = DeviceInformation(rawValue: content[2])
        guard information.version == 2 else {
            throw .unexpected(field: "BTHome version", expected: "2")
        }
        var start = 3
        if information.hasAddress {
            try content.need(6, at: start, "BTHome address")
            address = RadioAddress(in: content, at: start, kind: .public).deviceAddress
            start += 6
        } else {
            address = nil
        }
        let rest = content.extracting(start..<content.count)
        self.content =
            information.isEncrypted
            ? .encrypted(try BTHomeEnvelope(rest, information: information, address: address))
            : .plain(BTHomeFrame(rest))
    }
}
