public import GatewayModel

/// Number of the last correction of each run that was sent to the organiser's system. Pure.
public struct SentCorrections: Hashable, Sendable {
    public private(set) var last: [RunID: Int]

    /// - Parameter last: of the last run of the program.
    public init(_ last: [RunID: Int] = [:]) { self.last = last }

    /// Returns the corrections that were not sent yet, by run and number. They count as sent from here on.
    ///
    /// - Parameters:
    ///   - corrections: all corrections of the log. A log that was set aside numbers its corrections from 1 again: they
    ///     are new ones.
    ///   - runs: runs that the box knows. Corrections of other runs wait, because their enrolments are not known.
    public mutating func take(
        from corrections: [RunID: RaceCorrections], of runs: Set<RunID>
    ) -> [RaceCorrection] {
        last = last.filter { corrections[$0.key]?.all.isEmpty == false }
        return runs.sorted { $0.text < $1.text }.flatMap { run in
            let all = corrections[run]?.all ?? []
            guard let newest = all.last?.number else { return [RaceCorrection]() }
            let sent = min(last[run] ?? 0, newest)
            last[run] = newest
            return all.filter { $0.number > sent }
        }
    }
}
