import SettingsReading

extension ServerSettings {
    /// `[retention]` of `trackme.toml`: days for which the server keeps each form of the data.
    public struct Retention: Hashable, Sendable {
        public let raw, minutes, hours, late, shared, calls: Duration

        // Ten years: the longest that a law about such data asks for.
        private static let rawDays = Key(
            "raw_days", .wholeNumber(1...3_650), .standard(7), "How long each reading is kept.")
        private static let minuteDays = Key(
            "minute_days", .wholeNumber(1...3_650), .standard(90),
            "How long the least, mean and greatest of each minute are kept; not less than `raw_days`.")
        private static let hourDays = Key(
            "hour_days", .wholeNumber(1...3_650), .standard(400),
            "How long those of each hour, gaps, notices, documents and the log of views are kept; not less than `minute_days`."
        )
        // A house keeps unsent readings for 90 days by default, and the broker its queue for 7.
        private static let lateDays = Key(
            "late_days", .wholeNumber(1...3_650), .standard(100),
            "How late a reading may come. Its ID is kept as long, so that none is counted twice; what is older is set aside. Not "
                + "less than `raw_days`, and not more than `hour_days`.")
        private static let sharedDays = Key(
            "shared_days", .wholeNumber(1...365), .standard(30),
            "How long a copy for a third party waits for it, from its measurement on; a late one waits 4 days at least."
        )

        // Ten years: in Italy a claim out of a contract can be made as long (codice civile, art. 2946). The desk's figures need 30 days.
        private static let callsDays = Key(
            "calls_days", .wholeNumber(31...3_650), .standard(3_650),
            "How long a call of the desk is kept after its end, with the messages of the house and its forwarding."
        )

        static let section = Section(
            ["retention"], "How long data are kept.",
            keys: [rawDays, minuteDays, hourDays, lateDays, sharedDays, callsDays])

        init?(_ reader: SectionReader) {
            let raw = reader.value(Self.rawDays)
            let minutes = reader.value(Self.minuteDays)
            let hours = reader.value(Self.hourDays)
            let late = reader.value(Self.lateDays)
            let shared = reader.value(Self.sharedDays)
            let calls = reader.value(Self.callsDays)
            guard let raw, let minutes, let hours, let late, let shared, let calls else { return nil }
            func order(_ seen: Int, _ key: String, atLeast least: Int, _ other: String) {
                guard seen < least else { return }
                reader.report(
                    "saw \(seen), expected at least \(other), \(least): choose one that is as long or longer",
                    key)
            }
            order(minutes, Self.minuteDays.name, atLeast: raw, Self.rawDays.name)
            order(hours, Self.hourDays.name, atLeast: minutes, Self.minuteDays.name)
            order(late, Self.lateDays.name, atLeast: raw, Self.rawDays.name)
            order(hours, Self.hourDays.name, atLeast: late, Self.lateDays.name)
            (self.raw, self.minutes, self.hours) = (Self.days(raw), Self.days(minutes), Self.days(hours))
            (self.late, self.shared) = (Self.days(late), Self.days(shared))
            self.calls = Self.days(calls)
        }

        private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
    }
}
