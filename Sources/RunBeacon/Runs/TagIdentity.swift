public import GatewayModel

/// By what a runner's tag is known in its advertisements.
public enum TagIdentity: Hashable, Sendable {
    /// A fixed address: any tag, BTHome sensors among them.
    case address(DeviceAddress)
    case iBeacon(ProximityUUID, major: UInt16, minor: UInt16)
    case eddystone(EddystoneNamespace, instance: UInt64)
    /// Manufacturer data of the company that begins with these bytes.
    case manufacturer(company: UInt16, prefix: [UInt8])
    /// The identity resolving key of a tag that changes its address: 16 bytes, most
    /// significant first. A secret: it is never logged, shown or sent.
    case identityKey([UInt8])
}
