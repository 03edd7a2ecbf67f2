import Contract
package import ControlContract
package import GatewayModel
package import RunBeacon
package import Settings

/// Table of the runs of a box for people: their states, and the box's place in each.
package struct RunTable {
    package let book: RunCatalog
    private let gateway: GatewayID
    private let now: WallTime

    package init(book: RunCatalog, gateway: GatewayID, now: WallTime) {
        (self.book, self.gateway, self.now) = (book, gateway, now)
    }

    /// Table of all runs, then the warnings about them.
    package var lines: [String] {
        guard !book.runs.isEmpty else {
            return ["no run: write a run file, docs/organiser/runs.md"] + vanished + warnings
        }
        let heading = ["ID", "STATE", "START", "END", "RUNNERS", "TAGS", "HERE", "FROM", "TITLE"]
        let rows = book.sorted.map { run in
            [
                run.id.text, state(of: run), run.start.inHouse, run.end.inHouse, "\(run.participants.count)",
                "\(run.participants.reduce(0) { $0 + $1.tags.count })",
                run.checkpoint(of: gateway)?.id.text ?? "-", origin(of: run), Shown.text(run.title),
            ]
        }
        return Shown.table([heading] + rows) + vanished + warnings
    }

    /// Lines about one run.
    /// - Parameter listsRunners: also lists the runners with their names.
    package func lines(of run: Run, listsRunners: Bool) -> [String] {
        let here = run.checkpoint(of: gateway)
        let left = book.left(run.id).sorted().map { "\($0)" }
        let rows = [
            ["id", run.id.text], ["title", Shown.text(run.title, most: 100)], ["state", state(of: run)],
            ["from", origin(of: run)], ["end", run.end.inHouse],
            ["course", run.course.map { "\($0.points.count) points" } ?? "none"],
            ["runners", "\(run.participants.count)"],
            ["without a tag", "\(run.participants.count { $0.tags.isEmpty })"],
            ["have left", Shown.list(left, orElse: "nobody")],
        ]
        let waves = run.waves.map { wave in
            [
                "wave \(wave.id)",
                "\(wave.start.inHouse), \(run.participants.count { $0.wave == wave.id }) runners",
            ]
        }
        let checkpoints = run.checkpoints.map {
            ["checkpoint \($0.id)", Self.words(on: $0, isHere: $0 == here)]
        }
        let place =
            run.carrier(of: gateway).map { ["bib \($0) carries this box (\(gateway))"] }
            ?? (here == nil ? ["this box (\(gateway)) stands at none of its checkpoints: it times nobody"] : [])
        let warnings = book.warnings.filter { $0.concerns(run.id) }.map { "DOUBTFUL: \($0)" }
        return Shown.table(rows + waves + checkpoints) + place + warnings
            + (listsRunners ? Self.runners(of: run) : [])
    }

    // MARK: Replies

    /// All runs.
    package var reply: ControlReply<[RunRow]> {
        .done(with: book.sorted.map { row(of: $0, listsRunners: false) }, lines: lines)
    }

    /// - Parameter listsRunners: also lists the runners with their names.
    package func reply(about run: Run, listsRunners: Bool) -> ControlReply<[RunRow]> {
        .done(
            with: [row(of: run, listsRunners: listsRunners)],
            lines: lines(of: run, listsRunners: listsRunners))
    }

    private func row(of run: Run, listsRunners: Bool) -> RunRow {
        let runners = run.participants.map {
            RunRow.Runner(
                bib: $0.bib.number, wave: $0.wave.text, category: $0.category, name: $0.name,
                tags: $0.tags.count)
        }
        return RunRow(
            id: run.id, title: run.title, state: book.state(of: run.id, at: now)?.rawValue, start: run.start,
            end: run.end, runners: run.participants.count, here: run.checkpoint(of: gateway)?.id.text,
            isFromFile: book.hasFile(run.id), isCommanded: book.isCommanded(run.id),
            left: book.left(run.id).map(\.number).sorted(), startList: listsRunners ? runners : nil)
    }

    // MARK: Parts

    private var vanished: [String] {
        book.vanished.sorted { $0.key.text < $1.key.text }.map { run, bibs in
            "GONE: the file of \(run) is not there: nobody is timed in it; what was timed of \(bibs.count) runners is "
                + "still sent"
        }
    }

    private var warnings: [String] { book.warnings.map { "DOUBTFUL: \($0)" } }

    private func state(of run: Run) -> String { book.state(of: run.id, at: now)?.rawValue ?? "-" }

    private func origin(of run: Run) -> String {
        switch (book.hasFile(run.id), book.isCommanded(run.id)) {
        case (true, true): "file, changed by command"
        case (true, false): "file"
        default: "command"
        }
    }

    private static func words(on checkpoint: Checkpoint, isHere: Bool) -> String {
        let distances = checkpoint.distances.map { metres($0) }.joined(separator: " and ")
        let split = checkpoint.minimumSplit == .zero ? "" : ", splits of \(checkpoint.minimumSplit) at least"
        let box = checkpoint.box.map { ", box \($0)" } ?? ""
        return "at \(distances), \(rules(of: checkpoint))\(split)\(box)\(isHere ? " <- this box" : "")"
    }

    /// Rules of the checkpoint in the order of its passings, each once.
    private static func rules(of checkpoint: Checkpoint) -> String {
        let rules = checkpoint.distances.indices.map { checkpoint.rule(forOrder: $0 + 1).rawValue }
        return rules.enumerated().filter { !rules[..<$0.offset].contains($0.element) }.map(\.element)
            .joined(separator: " and ")
    }

    /// Distance without a fraction where it is whole: 2500 m rather than 2500.0 m.
    private static func metres(_ distance: Double) -> String {
        Int(exactly: distance).map { "\($0) m" } ?? "\(distance) m"
    }

    private static func runners(of run: Run) -> [String] {
        let rows = run.participants.map { participant in
            [
                "\(participant.bib)", participant.wave.text, participant.category.map { Shown.text($0) } ?? "-",
                "\(participant.tags.count)", participant.name.map { Shown.text($0) } ?? "-",
            ]
        }
        return [""] + Shown.table([["BIB", "WAVE", "CATEGORY", "TAGS", "NAME"]] + rows)
    }
}

extension GatewaySettings {
    /// ID of this box, where its settings forbid commands to name its carrier; nil where they allow that.
    package var boxKeptFromCommands: GatewayID? { race.carriedByCommand ? nil : gateway.id }
}
