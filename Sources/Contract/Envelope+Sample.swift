import Consent
public import GatewayModel

/// `samples/<person>/<kind>`: one reading.
struct SamplePayload: Encodable {
    let id: String
    let person: String
    let device: String
    let kind: String
    let value: Double
    /// UCUM.
    let unit: String
    let loinc: String?
    /// `detected` where the sensor says so; absent where it cannot tell.
    let contact: String?
    let time: String
}

extension Envelope {
    /// A reading for the cloud.
    public static func sample(_ reading: Reading, topics: Topics) -> Envelope {
        let quantity = reading.quantity
        let coding = quantity.kind.coding
        let payload = SamplePayload(
            id: reading.id.description, person: reading.person.text, device: reading.device.text,
            kind: quantity.kind.rawValue, value: quantity.value, unit: coding.unit, loinc: coding.loinc,
            contact: contactWord(reading.contact), time: reading.arrival.wall.rfc3339)
        return Envelope(
            id: reading.id, lane: .live, disclosure: .readings(of: reading.person, kind: quantity.kind),
            topic: topics.samples(of: reading.person, quantity.kind), payload: WireJSON.encode(payload))
    }

    private static func contactWord(_ contact: SensorContact) -> String? {
        switch contact {
        case .unknown: nil
        case .detected: "detected"
        case .lost: "lost"
        }
    }
}
