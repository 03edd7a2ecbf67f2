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
    /// When the value held: the device's own time, corrected, for a stored record.
    let time: String
    let received: String
    /// The device's clock as it was, where it has one, without a zone.
    let deviceTime: String?
    /// What was added to the device's clock.
    let clockOffsetS: Double?
    /// A stored record that came late; absent for live values.
    let history: Bool?
}

extension Envelope {
    /// A reading for the cloud.
    public static func sample(_ reading: Reading, topics: Topics) -> Envelope {
        let quantity = reading.quantity
        let coding = quantity.kind.coding
        let payload = SamplePayload(
            id: reading.id.description, person: reading.person.text, device: reading.device.text,
            kind: quantity.kind.rawValue, value: quantity.value, unit: coding.unit, loinc: coding.loinc,
            contact: contactWord(reading.contact), time: reading.measured.rfc3339,
            received: reading.arrival.wall.rfc3339,
            deviceTime: reading.deviceTime.map { String($0.wall.rfc3339.dropLast()) },
            clockOffsetS: reading.deviceTime?.offset.map { Double($0.wholeMilliseconds) / 1_000 },
            history: reading.currency == .history ? true : nil)
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
