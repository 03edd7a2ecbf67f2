package import ControlContract
package import GatewayModel
import RunBeacon

/// Correction of a run as a form of a page sends it.
package struct RaceEntry: Sendable {
    package let run: RunID
    package let bib: Bib
    private let fields: [String: String]

    /// Nil for a form that no page has.
    ///
    /// - Parameter form: `run`, `bib`, `act` and `reason`; for `add` also `point`, `time` and `bound`, for `strike`
    ///   `passing`, for `undo` `number`.
    package init?(_ form: [String: String]) {
        guard let run = form["run"].flatMap({ RunID($0) }),
            let bib = form["bib"].flatMap({ Int($0) }).flatMap({ Bib($0) })
        else { return nil }
        (self.run, self.bib, fields) = (run, bib, form)
    }

    /// The request to the gateway. Errors: a time, an error bound or an id that cannot be read, and a missing reason.
    ///
    /// - Parameters:
    ///   - start: of the run, in milliseconds since 1970: a time of day is the first one after it.
    ///   - name: of the session.
    package func edit(
        in calendar: LocalCalendar, from start: Int64, by name: String
    ) throws(ControlError) -> Verb.CorrectRace {
        guard let act = act(in: calendar, from: start) else {
            throw ControlError(
                "\(fields["act"] ?? "act"): a field cannot be read; write a time as 10:23:45 and an error as 1 or 0.5"
            )
        }
        return try Verb.CorrectRace(act, of: bib, in: run, reason: fields["reason"], by: name)
    }

    private func act(in calendar: LocalCalendar, from start: Int64) -> RaceCorrection.Act? {
        switch fields["act"] {
        case "add":
            let parts = (fields["point"] ?? "").split(separator: " ")
            guard parts.count == 2, let checkpoint = CheckpointID(String(parts[0])), let order = Int(parts[1]),
                let time = time(in: calendar, from: start), let bound
            else { return nil }
            return .add(checkpoint, order: order, time: WallTime(millisecondsSince1970: time), bound: bound)
        case "strike": return fields["passing"].flatMap { MessageID($0) }.map { .strike($0) }
        case "undo": return fields["number"].flatMap { Int($0) }.map { .undo($0) }
        case let mark?: return RaceCorrection.Mark(rawValue: mark).map { .mark($0) }
        case nil: return nil
        }
    }

    /// Milliseconds; nil for no number of seconds.
    private var bound: Int64? {
        let text = (fields["bound"] ?? "").map { $0 == "," ? "." : $0 }
        guard !text.isEmpty else { return RaceCorrection.usualBound }
        guard let seconds = Double(String(text)), seconds.isFinite, (0...600).contains(seconds) else {
            return nil
        }
        let milliseconds = Int64((seconds * 1_000).rounded())
        return RaceCorrection.bounds.contains(milliseconds) ? milliseconds : nil
    }

    /// `10:23:45`, `10:23:45.6`, or the same behind a date `2026-05-10`.
    private func time(in calendar: LocalCalendar, from start: Int64) -> Int64? {
        let words = (fields["time"] ?? "").split(separator: " ")
        guard let clock = words.last.flatMap(Self.clock), words.count <= 2 else { return nil }
        if words.count == 2 {
            return LocalCalendar.day(iso: String(words[0])).map { calendar.instant(of: $0) + clock }
        }
        let day = calendar.day(of: start)
        return [day, day + 1].map { calendar.instant(of: $0) + clock }.first { $0 >= start }
    }

    /// Milliseconds of a time of day.
    private static func clock(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || ":.,".utf8.contains($0) }
        guard isPlain, parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
            let seconds = Double(String(parts[2].map { $0 == "," ? "." : $0 })), (0..<24).contains(hours),
            (0..<60).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        return (hours * 60 + minutes) * 60_000 + Int64((seconds * 1_000).rounded())
    }
}
