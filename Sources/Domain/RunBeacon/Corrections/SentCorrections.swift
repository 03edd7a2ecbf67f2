public import GatewayModel

/// The last correction of each run that was sent to the organiser's system. Pure.
public struct SentCorrections: Hashable, Sendable {
    /// Names a correction. A log that was set aside numbers from 1 again, so the number alone does not.
    public struct Mark: Hashable, Codable, Sendable {
        public let number: Int
        /// Milliseconds since 1970 at which the correction was made.
        public let at: Int64

        public init(_ correction: RaceCorrection) {
            (number, at) = (correction.number, correction.at.millisecondsSince1970)
        }
    }

    public private(set) var last: [RunID: Mark]

    /// - Parameter last: of the last run of the program.
    public init(_ last: [RunID: Mark] = [:]) { self.last = last }

    /// Returns the corrections that were not sent yet, by run and number. They count as sent from here on.
    ///
    /// - Parameters:
    ///   - corrections: all corrections of the log. If it lacks the last one that was sent, it is another log, and all of
    ///     them are returned.
    ///   - runs: runs that the box knows. Corrections of other runs wait, because their enrolments are not known.
    public mutating func take(
        from corrections: [RunID: RaceCorrections], of runs: Set<RunID>
    ) -> [RaceCorrection] {
        last = last.filter { corrections[$0.key]?.all.isEmpty == false }
        return runs.sorted { $0.text < $1.text }.flatMap { run in
            let all = corrections[run]?.all ?? []
            let sent = last[run].flatMap { mark in all.firstIndex { Mark($0) == mark } }
            last[run] = all.last.map(Mark.init)
            return all[(sent.map { $0 + 1 } ?? 0)...]
        }
    }
}
