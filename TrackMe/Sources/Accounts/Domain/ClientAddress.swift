/// Address of a client as far as one holder has it: an IPv4 address, or the first 64 bits of an IPv6 address, within which a
/// holder chooses addresses at will (RFC 6177).
public struct ClientAddress: Hashable, Sendable {
    private static let networkLength = 8

    let bytes: [UInt8]

    /// - Parameter address: 4 or 16 bytes in network order.
    public init(_ address: [UInt8]) { bytes = Array(address.prefix(Self.networkLength)) }
}
