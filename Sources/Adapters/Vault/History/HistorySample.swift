import GatewayModel

/// One reading in the form that the history stores.
struct HistorySample: Hashable, Sendable {
    /// Time of measurement, in milliseconds since 1970, UTC.
    let time: Int64
    /// In the unit of its kind.
    let value: Double
    let contact: SensorContact
    let currency: Reading.Currency
    /// As far as they are kept: an irregular pulse is a finding, and `questionable` stands for all others.
    let doubts: Doubts
    /// Last two bytes of the message ID. They distinguish a duplicate from a second, equal reading. A duplicate has the
    /// same time and value too, so one of 65,536 equal readings of one millisecond is lost.
    let tag: UInt16

    init(
        time: Int64, value: Double, contact: SensorContact, currency: Reading.Currency, doubts: Doubts = [],
        tag: UInt16
    ) {
        (self.time, self.value) = (time, value)
        (self.contact, self.currency, self.tag) = (contact, currency, tag)
        let others: Doubts = doubts.subtracting(.irregularPulse).isEmpty ? [] : .questionable
        self.doubts = doubts.intersection(.irregularPulse).union(others)
    }

    init(_ reading: Reading) {
        self.init(
            time: HistorySlot.times.clamp(reading.measured.millisecondsSince1970),
            value: reading.quantity.value,
            contact: reading.contact, currency: reading.currency, doubts: reading.doubts,
            tag: reading.id.bytes.suffix(2).reduce(0) { $0 << 8 | UInt16($1) })
    }

    /// False for readings of a sensor without skin contact. They are stored, and do not count in any mean.
    var isOfTheBody: Bool { contact != .lost }

    // MARK: In a byte

    private static let contacts: [SensorContact] = [.unknown, .detected, .lost]
    private static let currencies: [Reading.Currency] = [.live, .history, .undated]

    var flags: UInt8 {
        UInt8(Self.contacts.firstIndex(of: contact) ?? 0)
            | UInt8(Self.currencies.firstIndex(of: currency) ?? 0) << 2
            | (doubts.contains(.questionable) ? 1 << 4 : 0) | (doubts.contains(.irregularPulse) ? 1 << 5 : 0)
    }

    /// Returns the contact, the currency and the doubts; nil for flags that no version has written.
    static func meaning(
        ofFlags flags: UInt8
    ) -> (contact: SensorContact, currency: Reading.Currency, doubts: Doubts)? {
        let contact = Int(flags & 0x03)
        let currency = Int(flags >> 2 & 0x03)
        guard contact < contacts.count, currency < currencies.count, flags < 1 << 6 else { return nil }
        var doubts: Doubts = flags & 1 << 4 == 0 ? [] : .questionable
        if flags & 1 << 5 != 0 { doubts.insert(.irregularPulse) }
        return (contacts[contact], currencies[currency], doubts)
    }
}
