import SettingsReading

/// `[location]`: sampling of the positions of the persons.
enum LocationSection {
    static let samples = Key(
        "sample_seconds", .wholeNumber(0...86_400), .standard(0),
        "How often the position of a person is kept in the history, and sent to third parties that the person lets see it. "
            + "0: never.")

    static let section = Section(
        ["location"], "Positions of the persons, as data of theirs. A call for help has a position without it.",
        keys: [samples], cost: .entry)

    static func read(_ reader: SectionReader) -> GatewaySettings.Location? {
        guard let samples = reader.value(samples) else { return nil }
        return GatewaySettings.Location(interval: samples == 0 ? nil : .seconds(samples))
    }
}

extension GatewaySettings {
    /// Sampling of the positions of the persons.
    public struct Location: Hashable, Sendable {
        /// Nil where positions are not sampled.
        public let interval: Duration?
    }
}
