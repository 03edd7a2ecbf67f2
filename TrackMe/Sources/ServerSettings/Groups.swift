import GatewayModel
import SettingsReading

extension ServerSettings {
    /// `[groups]` of `trackme.toml`: figures of groups for third parties. Without areas there are none.
    public struct Groups: Hashable, Sendable {
        /// Unique plain texts.
        public let areas: [String]
        /// Whether a group needs a margin above 1,000 persons.
        public let margin: Bool
        /// Time between the end of a week and its table.
        public let wait: Duration

        private static let areaLengths = 1...60
        /// Each area has 1,728 numbers a week.
        private static let mostAreas = 100

        private static let areaNames = Key(
            "areas", .texts(areaLengths, count: mostAreas), .standard(.array([])),
            "Areas of homes, of which a person chooses one. Without any there are no figures of groups.")
        private static let isMarginKept = Key(
            "margin", .truth, .standard(true),
            "Whether a group needs a margin above 1,000 persons, so that its acceptance tells nobody whether one person is in it."
        )
        private static let releaseDays = Key(
            "release_days", .wholeNumber(1...14), .standard(3),
            "Days between the end of a week (Monday 00:00 UTC) and its table. Readings that come later are not counted."
        )

        static let section = Section(
            ["groups"], "Figures of groups of more than 1,000 persons, for third parties.",
            keys: [areaNames, isMarginKept, releaseDays])

        init?(_ reader: SectionReader, retention: Retention?) {
            let areas = reader.value(Self.areaNames)
            let margin = reader.value(Self.isMarginKept)
            let days = reader.value(Self.releaseDays)
            guard let areas, let margin, let days else { return nil }
            for (index, area) in areas.enumerated() {
                if !PlainText.holds(area, Self.areaLengths) || area.first == " " || area.last == " " {
                    reader.report(
                        "saw hidden characters, or a space at an end, in number \(index + 1): write it in plain letters",
                        Self.areaNames.name)
                } else if areas.prefix(index).contains(area) {
                    reader.report(
                        "saw \"\(area)\" again, expected each area once: remove one", Self.areaNames.name)
                }
            }
            // A table is made of the hours of its week.
            let needed = days + 8
            if let retention, !areas.isEmpty, retention.hours < .seconds(needed * 86_400) {
                reader.report(
                    "saw hours that end before the table of their week, expected hour_days of [retention] of at least "
                        + "\(needed): raise it, or lower release_days", Self.releaseDays.name)
            }
            (self.areas, self.margin, wait) = (areas, margin, .seconds(days * 86_400))
        }
    }
}
