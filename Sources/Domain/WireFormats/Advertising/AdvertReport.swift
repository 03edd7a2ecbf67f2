/// One advertising report of the controller. Its data stays where it was received.
public struct AdvertReport: Hashable, Sendable {
    /// What was sent: the lower bits of Event_Type of extended reports, to which the codes of legacy reports
    /// are translated (Core 5.4, Vol 4, Part E, 7.7.65.13).
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
