import GatewayModel

/// Whose readings of which kind from which device: what one curve is made of. In the file it is a number; what
/// the number means is sealed.
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

    /// Nil for what no version wrote.
    init?(_ bytes: [UInt8]) {
        var reader = PackedReader(bytes)
        guard let person = reader.text().flatMap({ PersonID($0) }),
            let kind = reader.text().flatMap(QuantityKind.init),
            let device = reader.text().flatMap({ DeviceID($0) }), reader.isAtEnd
        else { return nil }
        self.init(person: person, kind: kind, device: device)
    }
}
