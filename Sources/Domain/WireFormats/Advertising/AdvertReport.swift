/// One advertising report of the controller. Its data stays where it was received.
public struct AdvertReport: Hashable, Sendable {
    /// Kind of the advertisement: the lower bits of Event_Type of extended reports, to which the codes of
    /// legacy reports are translated (Core 5.4, Vol 4, Part E, 7.7.65.13).
    public struct Properties: OptionSet, Hashable, Sendable {
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let connectable = Properties(rawValue: 1 << 0)
        public static let scannable = Properties(rawValue: 1 << 1)
        public static let directed = Properties(rawValue: 1 << 2)
        public static let scanResponse = Properties(rawValue: 1 << 3)
        /// Sent in the packets of Bluetooth 4.
        public static let legacy = Properties(rawValue: 1 << 4)
    }

    public enum DataStatus: Hashable, Sendable {
        case complete, moreToCome
        /// More was sent than the controller could keep. No more will come.
        case truncated
    }

    public internal(set) var address: RadioAddress
    /// dBm; nil where the controller does not know.
    public internal(set) var rssi: Int8?
    /// dBm, as the advertiser states it; nil where it does not.
    public internal(set) var txPower: Int8?
    public internal(set) var properties: Properties
    public internal(set) var dataStatus: DataStatus
    /// Advertising set; nil for legacy advertisements.
    public internal(set) var set: UInt8?
    /// Of the data, in the bytes it was read from.
    public internal(set) var data: Range<Int>
}

/// Walks the reports of one HCI LE Meta event (code 0x3E), legacy or extended, copying nothing.
public struct AdvertReportWalk: Sendable {
    enum Layout: Sendable { case legacy, extended }

    /// 127 stands for "not available", of RSSI and of TX power.
    private static let unknownPower: Int8 = 127
    /// Advertising_SID of a report without one.
    private static let noSet: UInt8 = 0xFF

    private let layout: Layout
    private var reportsLeft: Int
    private var position = 2

    /// - Parameter event: the event's parameters, from the subevent code on.
    /// - Returns: nil where it is no advertising report.
    public init?(_ event: Span<UInt8>) throws(DecodeError) {
        try event.need(1, "subevent code")
        switch event[0] {
        case 0x02: layout = .legacy
        case 0x0D: layout = .extended
        default: return nil
        }
        try event.need(1, at: 1, "number of reports")
        reportsLeft = Int(event[1])
    }

    /// The next report; nil at the end. After an error the walk has ended too.
    /// - Parameter event: the same bytes in each call.
    public mutating func next(in event: Span<UInt8>) throws(DecodeError) -> AdvertReport? {
        guard reportsLeft > 0 else { return nil }
        let expected = reportsLeft
        reportsLeft = 0
        let report = layout == .legacy ? try legacy(event) : try extended(event)
        reportsLeft = expected - 1
        return report
    }

    /// LE Advertising Report (Core 5.4, Vol 4, Part E, 7.7.65.2): event type, address type, address (6), data
    /// length, data, RSSI. The specification draws arrays; controllers send report after report.
    private mutating func legacy(_ event: Span<UInt8>) throws(DecodeError) -> AdvertReport {
        try event.need(9, at: position, "advertising report")
        let length = Int(event[position + 8])
        let start = position + 9
        try event.need(length + 1, at: start, "advertising data and RSSI")
        defer { position = start + length + 1 }
        let kind = RadioAddress.Kind(code: event[position + 1])
        return AdvertReport(
            address: RadioAddress(in: event, at: position + 2, kind: kind),
            rssi: Self.power(event.sint8(at: start + length)), txPower: nil,
            properties: Self.properties(legacyType: event[position]), dataStatus: .complete, set: nil,
            data: start..<start + length)
    }

    /// LE Extended Advertising Report (7.7.65.13): event type (2), address type, address (6), primary PHY,
    /// secondary PHY, SID, TX power, RSSI, periodic interval (2), direct address type, direct address (6),
    /// data length, data.
    private mutating func extended(_ event: Span<UInt8>) throws(DecodeError) -> AdvertReport {
        try event.need(24, at: position, "extended advertising report")
        let length = Int(event[position + 23])
        let start = position + 24
        try event.need(length, at: start, "extended advertising data")
        defer { position = start + length }
        let type = event.littleUInt16(at: position)
        let kind = RadioAddress.Kind(code: event[position + 2])
        let set = event[position + 11]
        return AdvertReport(
            address: RadioAddress(in: event, at: position + 3, kind: kind),
            rssi: Self.power(event.sint8(at: position + 13)),
            txPower: Self.power(event.sint8(at: position + 12)),
            properties: AdvertReport.Properties(rawValue: type & 0x1F), dataStatus: Self.status(type),
            set: set == Self.noSet ? nil : set, data: start..<start + length)
    }

    private static func power(_ value: Int8) -> Int8? { value == unknownPower ? nil : value }

    /// The event types of Bluetooth 4 as the bits that extended reports have for them (7.7.65.13, table of
    /// legacy PDUs). Of a scan response they do not tell whether its advertiser can be connected to.
    private static func properties(legacyType type: UInt8) -> AdvertReport.Properties {
        switch type {
        case 0x00: [.legacy, .scannable, .connectable]  // ADV_IND
        case 0x01: [.legacy, .directed, .connectable]  // ADV_DIRECT_IND
        case 0x02: [.legacy, .scannable]  // ADV_SCAN_IND
        case 0x04: [.legacy, .scanResponse, .scannable]  // SCAN_RSP
        default: [.legacy]  // ADV_NONCONN_IND, and reserved codes
        }
    }

    /// Bits 5 and 6. The reserved value is no promise that more comes.
    private static func status(_ type: UInt16) -> AdvertReport.DataStatus {
        switch type >> 5 & 0b11 {
        case 0b00: .complete
        case 0b01: .moreToCome
        default: .truncated
        }
    }
}
