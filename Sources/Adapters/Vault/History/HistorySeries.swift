import GatewayModel

/// Series of one curve: the readings of one person, of one kind, from one device. The file identifies it by a number;
/// its content is sealed.
struct HistorySeries: Hashable, Sendable {
    let person: PersonID
    let kind: QuantityKind
    let device: DeviceID

    init(person: PersonID, kind: QuantityKind, device: DeviceID) {
        (self.person, self.kind, self.device) = (person, kind, device)
    }

    init(_ reading: Reading) {
        self.init(person: reading.person, kind: reading.quantity.kind, device: reading.device)
    }

    var bytes: [UInt8] {
        var bytes = PackedBytes()
        for text in [person.text, kind.rawValue, device.text] { bytes.put(text: text) }
        return bytes.bytes
    }

    /// Returns nil for bytes that no version has written.
    init?(_ bytes: [UInt8]) {
        var reader = PackedReader(bytes)
        guard let person = reader.text().flatMap({ PersonID($0) }),
            let kind = reader.text().flatMap(QuantityKind.init),
            let device = reader.text().flatMap({ DeviceID($0) }), reader.isAtEnd
        else { return nil }
        self.init(person: person, kind: kind, device: device)
    }
}
