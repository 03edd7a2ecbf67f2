import Contract
import ControlContract
import GatewayModel
import Hub
import RunBeacon

extension RaceStatus {
    /// A run is underway or to come: the box may stand in a field.
    var isOfUse: Bool { !underway.isEmpty || nextChange != nil }

    /// For `status`: one thing a line, the reads first, since they are looked for.
    func lines(at instant: BootInstant) -> [String] {
        guard underway.isEmpty else {
            let heard = [reads(at: instant)] + radios.map { words(on: $0, at: instant) }
            return underway.map(line) + heard + [time] + missing + losses + positionLines(at: instant)
        }
        let next = nextChange.map { "; the next begins \($0.inHouse)" } ?? ""
        return ["race: no run is underway\(next)", time]
    }

    private func line(_ run: Timed) -> String {
        if let carrier = run.carrier {
            return "race: \(run.id) is underway until \(run.end.inHouse); bib \(carrier) carries this box"
        }
        guard let checkpoint = run.checkpoint else {
            return
                "race: \(run.id) is underway, and this box stands at none of its checkpoints: see the run file"
        }
        return "race: \(run.id) is underway at \(checkpoint) until \(run.end.inHouse); "
            + "\(run.heard) of \(run.runners) runners heard, \(passings) passings since the start of the gateway"
    }

    private func reads(at instant: BootInstant) -> String {
        guard let last else { return "tags: none heard yet" }
        let whose = last.owners.map { "bib \($0.bib)" }.joined(separator: ", ")
        return
            "tags: \(readsPerMinute) reads in the last minute; the last \(Self.seconds(last.hit.arrival.duration(to: instant))) ago, "
            + "\(whose), \(last.hit.rssi) dBm"
    }

    private func words(on radio: Radio, at instant: BootInstant) -> String {
        guard radio.canHear else {
            return "radio \(radio.name): DEAF, its scanner does not run; see: homegateway check"
        }
        let last = radio.last.map { "the last \(Self.seconds($0.duration(to: instant))) ago" } ?? "none yet"
        let doubt = radio.isQuiet ? "; QUIET while others hear tags: look at its antenna" : ""
        return "radio \(radio.name): \(radio.readsPerMinute) reads in the last minute, \(last)\(doubt)"
    }

    private var time: String {
        let bound = clock.bound.map { "right to within \(Self.seconds($0))" } ?? "never set since the start"
        return "race clock: by \(clock.source.rawValue), \(bound)\(dispute)"
    }

    private var dispute: String {
        let sources = ClockSource.allCases.filter { disputing.contains($0) }.map(\.rawValue)
        return sources.isEmpty ? "" : "; DISPUTED by \(sources.joined(separator: ", ")) (not believed)"
    }

    private var missing: [String] {
        let more = overdue.count - Self.mostOverdue
        return overdue.prefix(Self.mostOverdue).map { Self.words(on: $0) }
            + (more > 0 ? ["overdue: and \(more) more"] : [])
    }

    /// As many as a screen holds beside the rest. More are a start that was not heard.
    private static let mostOverdue = 10

    private static func words(on runner: OverdueRunner) -> String {
        let heard = runner.lastHeard.map { "last heard \($0.rfc3339.onTheClock)" } ?? "never heard"
        return
            "overdue: bib \(runner.owner.bib) of \(runner.owner.run) should have passed \(runner.checkpoint) by now, "
            + "time \(runner.order); \(heard)"
    }

    private var losses: [String] {
        var lines: [String] = []
        if dropped > 0 { lines.append("tags: \(dropped) adverts came faster than they were looked at") }
        if adverts.withoutStrength > 0 {
            lines.append("tags: \(adverts.withoutStrength) adverts came without a strength, and give no time")
        }
        if adverts.untried > 0 {
            lines.append(
                "tags: \(adverts.untried) adverts of new addresses were not tried on the keys of tags: too many came at a time"
            )
        }
        return lines
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        return milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
    }

    // MARK: Positions

    func positionRows(at now: BootInstant) -> [PositionRow] {
        located.map { PositionRow($0.position, of: $0.owner, at: now) }
    }

    /// Empty where no position came.
    func positionLines(at now: BootInstant) -> [String] {
        guard !located.isEmpty || !refusedPositions.isEmpty else { return [] }
        let refused =
            refusedPositions.isEmpty
            ? "" : "; not used since the start: \(PositionTable.words(on: refusedPositions))"
        return ["positions: of \(located.count) runners\(refused)"]
            + PositionTable(rows: Array(positionRows(at: now).prefix(Self.mostPositions))).lines
    }

    /// A screen holds them; homegateway standings has all.
    private static let mostPositions = 10
}
