import FoundationEssentials

/// A line of text for a file.
extension StoredEnvelope {
    private struct Record: Codable {
        var id: String
        var lane: Int
        var retention: String
        var discloses: String
        var person: String?
        var kind: String?
        var topic: String
        /// Base64.
        var payload: Data
        var retained: Bool
    }

    public static func line(_ envelope: Envelope) -> [UInt8] {
        let stored = StoredEnvelope(columnsOf: envelope)
        return WireJSON.encode(
            Record(
                id: stored.id, lane: stored.lane, retention: stored.retention, discloses: stored.discloses,
                person: stored.person, kind: stored.kind, topic: stored.topic, payload: Data(stored.payload),
                retained: stored.isRetained))
    }

    /// Nil for a line this version did not write, a torn one among them.
    public static func envelope(line: some Collection<UInt8>) -> Envelope? {
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)) else { return nil }
        return StoredEnvelope(
            id: record.id, lane: record.lane, retention: record.retention, discloses: record.discloses,
            person: record.person, kind: record.kind, topic: record.topic, payload: [UInt8](record.payload),
            isRetained: record.retained
        ).envelope
    }
}
