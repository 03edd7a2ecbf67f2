import GatewayModel
import SettingsReading

/// `[person.sample_seconds]`: how often readings of a kind are sent to the broker, a key for each kind.
enum SampleIntervalSection {
    private static let keys: [(kind: QuantityKind, key: Key<Duration>)] = QuantityKind.allCases.map { kind in
        let bounds = SamplePacer.seconds
        return (
            kind,
            Key(
                VitalSection.name(of: kind), .wholeSeconds(Int(bounds.lowerBound)...Int(bounds.upperBound)),
                .standard(0), "\(kind.coding.title): at most one reading of a wearable is sent in this time.")
        )
    }

    static let section = Section(
        ["person", "sample_seconds"],
        "How often the readings of a stream are sent to the broker, to third parties too; 0 sends every reading. The rules of "
            + "SOS, the history and the pages of the house see every reading. Readings near a limit, readings during an open "
            + "alarm, single measurements and stored records are always sent.",
        keys: keys.map(\.key))

    /// - Returns: intervals above zero.
    static func read(_ reader: SectionReader) -> [QuantityKind: Duration]? {
        let values = keys.map { (kind: $0.kind, interval: reader.value($0.key)) }
        var intervals: [QuantityKind: Duration] = [:]
        for value in values {
            guard let interval = value.interval else { return nil }
            if interval > .zero { intervals[value.kind] = interval }
        }
        return intervals
    }
}
