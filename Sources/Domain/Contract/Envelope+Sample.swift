public import Consent
public import GatewayModel

extension Envelope {
    /// `samples/<person>/<kind>`: a reading for the cloud.
    ///
    /// - Parameter intervals: between heart beats, in milliseconds, which leave with a heart rate. A third party is
    ///   granted each kind by itself, so in its copies they are readings of their own.
    public static func sample(
        _ reading: Reading, intervals: [Double] = [], as format: ReadingFormat = .samples, topics: Topics
    ) -> Envelope {
        Envelope(
            id: reading.id, lane: .live, retention: .sample, disclosure: reading.disclosure,
            topic: topics.samples(of: reading.person, reading.quantity.kind),
            payload: payload(of: reading, intervals, as: format, id: reading.id), arrived: reading.arrival.wall)
    }

    /// `parties/<party>/<person>/<kind>`: the same reading for one third party, with an id of its own: no two who
    /// compare their copies find that they are one reading by anything but what was measured. In the form that it
    /// asked for; where it has registered a key, to be sealed when it leaves, together with what leaves with it.
    ///
    /// - Parameter id: made for this copy.
    public static func share(_ shared: SharedReading, id: MessageID, topics: Topics) -> Envelope {
        let (reading, grant) = (shared.reading, shared.grant)
        return Envelope(
            id: id, lane: .live, retention: .sample, disclosure: shared.disclosure,
            topic: topics.samples(
                of: reading.person, reading.quantity.kind, for: .party(grant.party.id, grant.epoch)),
            payload: payload(of: reading, [], as: grant.request.format, id: id, by: grant),
            awaitsSealing: grant.party.sealingKey != nil)
    }

    /// What is told of a reading, in the form that its reader chose.
    ///
    /// - Parameters:
    ///   - id: of the message: the reading's own, or that of a copy.
    ///   - grant: of a third party's copy.
    private static func payload(
        of reading: Reading, _ intervals: [Double], as format: ReadingFormat, id: MessageID,
        by grant: Grant? = nil
    ) -> [UInt8] {
        switch format {
        case .samples: sample(of: reading, intervals, id: id, by: grant)
        case .fhir: WireJSON.encodeFHIR(FHIR.Observation(reading, intervals: intervals, id: id))
        }
    }

    private static func sample(
        of reading: Reading, _ intervals: [Double], id: MessageID, by grant: Grant?
    ) -> [UInt8] {
        let (quantity, coding) = (reading.quantity, reading.quantity.kind.coding)
        let (measured, received) = (reading.measured, reading.arrival.wall)
        let receivedText = received.rfc3339
        var json = FlatJSON()
        // What was added to the device's clock.
        json.add("clock_offset_s", reading.deviceTime?.offset.map { Double($0.wholeMilliseconds) / 1_000 })
        // `detected` where the sensor says so; absent where it cannot tell.
        json.add("contact", contactWord(reading.contact))
        json.add("device", reading.device.text)
        // The device's clock as it was, where it has one, without a zone.
        json.add("device_time", reading.deviceTime.map { String($0.wall.rfc3339.dropLast()) })
        // The number of the ledger's entry that granted it; in a third party's copy only.
        json.add("grant", grant.map { Double($0.epoch.number) })
        // A stored record that came late; absent for live values.
        json.add("history", reading.currency == .history ? true : nil)
        json.add("id", id.description)
        json.add("kind", quantity.kind.rawValue)
        json.add("loinc", coding.loinc)
        json.add("party", grant?.party.id.text)
        json.add("person", reading.person.text)
        json.add("received", receivedText)
        // Milliseconds between the beats that came with this heart rate. A tenth is finer than the 1/1024 s of a strap.
        if !intervals.isEmpty { json.add("rr_ms", intervals.map { ($0 * 10).rounded() / 10 }) }
        // When the value held: the device's own time, corrected, for a stored record.
        json.add("time", measured == received ? receivedText : measured.rfc3339)
        // The device's clock tells nothing; absent otherwise.
        json.add("undated", reading.currency == .undated ? true : nil)
        // UCUM.
        json.add("unit", coding.unit)
        json.add("value", quantity.value)
        return json.finished()
    }

    private static func contactWord(_ contact: SensorContact) -> String? {
        switch contact {
        case .unknown: nil
        case .detected: "detected"
        case .lost: "lost"
        }
    }
}
