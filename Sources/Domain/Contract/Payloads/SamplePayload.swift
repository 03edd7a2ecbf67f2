import Consent
import GatewayModel

/// Payload of a reading, for the cloud or for one third party.
struct SamplePayload {
    private let reading: Reading
    private let intervals: [Double]
    private let id: MessageID
    private let share: Share?

    /// Grant of a third party's copy, and the house it comes from.
    struct Share {
        let grant: Grant
        let house: GatewayID
    }

    /// - Parameters:
    ///   - intervals: RR intervals in milliseconds that leave with a heart rate.
    ///   - id: of the message: the reading's own, or that of a copy.
    ///   - share: of a third party's copy.
    init(_ reading: Reading, intervals: [Double] = [], id: MessageID, by share: Share? = nil) {
        (self.reading, self.intervals, self.id, self.share) = (reading, intervals, id, share)
    }

    func json(as format: ReadingFormat) -> [UInt8] {
        switch format {
        case .samples: sample
        case .fhir: WireJSON.encodeFHIR(observation)
        }
    }

    private var observation: FHIR.Observation {
        let observation = FHIR.Observation(reading, intervals: intervals, id: id)
        guard let share else { return observation }
        return observation.answering(share.grant.request, in: share.house)
    }

    private var sample: [UInt8] {
        let (quantity, coding) = (reading.quantity, reading.quantity.kind.coding)
        let (measured, received) = (reading.measured, reading.arrival.wall)
        let receivedText = received.rfc3339
        var json = FlatJSON()
        // Seconds that were added to the device's clock.
        let deviceTime = reading.provenance == nil ? reading.deviceTime : nil
        json.add("clock_offset_s", deviceTime?.offset.map { Double($0.wholeMilliseconds) / 1_000 })
        // `detected` where the sensor says so; absent where it cannot tell.
        json.add("contact", contactWord)
        json.add("device", reading.device.text)
        // The device's clock as it was, where it has one, without a zone.
        json.add("device_time", deviceTime.map { String($0.wall.rfc3339.dropLast()) })
        // Reasons to doubt the value; absent for one that nothing doubts.
        if !reading.doubts.isEmpty { json.add("doubt", reading.doubts.words) }
        // The number of the ledger's entry that granted it; in a third party's copy only.
        json.add("grant", share.map { Double($0.grant.epoch.number) })
        // A stored record that came late; absent for live values.
        json.add("history", reading.currency == .history ? true : nil)
        json.add("id", id.description)
        json.add("kind", quantity.kind.rawValue)
        json.add("loinc", coding.loinc)
        json.add("party", share?.grant.party.id.text)
        json.add("person", reading.person.text)
        json.add("received", receivedText)
        // The request that the grant accepted; in a third party's copy only.
        json.add("request", share?.grant.request.id.text)
        // Milliseconds between the beats that came with this heart rate. A tenth is finer than the 1/1024 s of a strap.
        if !intervals.isEmpty { json.add("rr_ms", intervals.map { ($0 * 10).rounded() / 10 }) }
        // `app` where another program of the house handed it over; absent for a wearable's.
        json.add("source", reading.provenance?.rawValue)
        // When the value held: the device's own time, corrected, for a stored record.
        json.add("time", measured == received ? receivedText : measured.rfc3339)
        // The device's clock tells nothing; absent otherwise.
        json.add("undated", reading.currency == .undated ? true : nil)
        // UCUM.
        json.add("unit", coding.unit)
        json.add("value", quantity.value)
        return json.finished()
    }

    private var contactWord: String? {
        switch reading.contact {
        case .unknown: nil
        case .detected: "detected"
        case .lost: "lost"
        }
    }
}
