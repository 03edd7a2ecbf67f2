public import GatewayModel

/// An advertisement that somebody wants, kept: the only copy of its bytes that is made.
public struct Advert: Hashable, Sendable {
    public let address: RadioAddress
    /// dBm.
    public let rssi: Int8?
    /// dBm, as the advertiser states it in an extended advertisement.
    public let txPower: Int8?
    public let properties: AdvertReport.Properties
    /// The data holds only the beginning of the advertisement.
    public let isTruncated: Bool
    /// Advertising set of an extended advertisement.
    public let set: UInt8?
    /// AD structures: read them with `ADWalk`.
    public let data: [UInt8]
    /// When it, or its first piece, came to this process.
    public let arrival: BootInstant
    public let match: AdvertFilter.Match

    init(_ report: AdvertReport, in bytes: Span<UInt8>, arrival: BootInstant, match: AdvertFilter.Match) {
        address = report.address
        rssi = report.rssi
        txPower = report.txPower
        properties = report.properties
        isTruncated = report.dataStatus == .truncated
        set = report.set
        data = bytes.bytes(report.data)
        self.arrival = arrival
        self.match = match
    }
}

extension Advert {
    /// The content of each of its AD structures 0x16, from the service UUID on, in order. Malformed data gives
    /// the structures before the fault.
    public var serviceData: [[UInt8]] {
        var found: [[UInt8]] = []
        var walk = ADWalk()
        while let structure = try? walk.next(in: data.span) {
            if structure.type == .serviceData16 { found.append(Array(data[structure.content])) }
        }
        return found
    }
}
