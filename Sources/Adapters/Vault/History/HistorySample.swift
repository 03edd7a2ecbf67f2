import GatewayModel

/// One reading as history keeps it.
struct HistorySample: Hashable, Sendable {
    /// When it was measured, in milliseconds since 1970, UTC.
    let time: Int64
    /// In the unit of its kind.
    let value: Double
    let contact: SensorContact
    let currency: Reading.Currency
    /// The last two bytes of its message id: tells a reading that comes twice from two that are alike. A
    /// duplicate has the same time and value too, so one of 65,536 like readings of one millisecond is lost.
    let tag: UInt16

    init(time: Int64, value: Double, contact: SensorContact, currency: Reading.Currency, tag: UInt16) {
        (self.time, self.value) = (time, value)
        (self.contact, self.currency, self.tag) = (contact, currency, tag)
    }

    init(_ reading: Reading) {
        self.init(
            time: HistorySlot.times.clamp(reading.measured.millisecondsSince1970),
            value: reading.quantity.value,
            contact: reading.contact, currency: reading.currency,
            tag: reading.id.bytes.suffix(2).reduce(0) { $0 << 8 | UInt16($1) })
    }

    /// What a sensor measured that did not touch the skin is kept, and counts in no mean.
    var isOfTheBody: Bool { contact != .lost }

    // MARK: In a byte

    private static let contacts: [SensorContact] = [.unknown, .detected, .lost]
    private static let currencies: [Reading.Currency] = [.live, .history, .undated]

    var flags: UInt8 {
        UInt8(Self.contacts.firstIndex(of: contact) ?? 0)
            | UInt8(Self.currencies.firstIndex(of: currency) ?? 0) << 2
    }

    /// Nil for what no version wrote.
    static func meaning(ofFlags flags: UInt8) -> (contact: SensorContact, currency: Reading.Currency)? {
        let contact = Int(flags & 0x03)
        let currency = Int(flags >> 2)
        guard contact < contacts.count, currency < currencies.count else { return nil }
        return (contacts[contact], currencies[currency])
    }
}
