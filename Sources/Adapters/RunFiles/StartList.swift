import CSVTables
import GatewayModel
import RunBeacon
import SettingsReading

/// The participants of a run as a spreadsheet keeps them: a CSV file with a line of headings.
///
/// `bib` and `tags` have to be there, `name`, `category`, `wave`, `person` and `carries` may; the order is free. Columns of other
/// names are the organiser's own and not looked at, but for one that looks like a slip of the pen.
enum StartList {
    static let kind = SettingsFile.Kind(
        // 10,000 runners with four tags and long names have some 3 MiB.
        sizeLimit: 8 << 20,
        whenTooLarge: "is larger than 8 MiB, a start list of 10,000 runners has 3: check the path",
        whenAbsent: "put the start list beside the run file, or correct start_list", group: "homegateway")

    private static let columns = ["bib", "name", "category", "wave", "tags", "person", "carries"]
    private static let required = ["bib", "tags"]

    static func read(_ bytes: [UInt8], _ problems: Problems) -> [RunnerRow] {
        let table: CSVTable
        do throws(CSVTable.Fault) {
            table = try CSVTable(bytes)
        } catch {
            problems.report(error.message, key: "", at: TOMLPosition(line: error.line, column: 1))
            return []
        }
        guard let heading = table.rows.first, let columns = columns(of: heading, problems) else {
            if table.rows.isEmpty {
                problems.report(
                    "is empty, expected a line of headings: \(Self.columns.joined(separator: ","))", key: "",
                    at: .start)
            }
            return []
        }
        return table.rows.dropFirst().compactMap { row($0, columns, problems) }
    }

    /// Which column each stands in.
    private static func columns(of heading: CSVTable.Row, _ problems: Problems) -> [String: Int]? {
        var found: [String: Int] = [:]
        var isSound = true
        func report(_ message: String, _ key: String) {
            problems.report(message, key: key, at: TOMLPosition(line: heading.line, column: 1))
            isSound = false
        }
        for (index, cell) in heading.cells.enumerated() {
            let name = cell.lowercased()
            if columns.contains(name) {
                guard found.updateValue(index, forKey: name) == nil else {
                    report("saw two columns of this name, expected one: rename one of them", name)
                    continue
                }
            } else if let near = NearestName.to(name, among: columns) {
                report(
                    "saw a column \(TOMLValue.quoted(cell)), did you mean \"\(near)\"? Correct it, or give it a name "
                        + "that is farther off", near)
            }
        }
        for name in required where found[name] == nil && isSound {
            report(
                "is missing in the line of headings: add the column; \(columns.joined(separator: ", ")) are known, and "
                    + "the headings stand in the first line", name)
        }
        return isSound ? found : nil
    }

    private static func row(
        _ row: CSVTable.Row, _ columns: [String: Int], _ problems: Problems
    ) -> RunnerRow? {
        let position = TOMLPosition(line: row.line, column: 1)
        let cells = Cells(row: row, columns: columns, problems: problems)
        let bib = cells.bib
        let name = cells.value("name", RunParticipantSection.name.form)
        let category = cells.value("category", RunParticipantSection.category.form)
        let wave = cells.value("wave", RunParticipantSection.wave.form)
        let person = cells.value("person", RunParticipantSection.person.form)
        let carries = cells.value("carries", RunParticipantSection.carries.form)
        guard let tags = cells.tags, let bib else { return nil }
        return RunnerRow(
            entrant: Entrant(
                bib: bib, name: name, category: category, wave: wave, tags: tags, person: person,
                carries: carries),
            problems: problems, keyPrefix: ""
        ) { _ in position }
    }

    /// One row, read by the forms that a run file has.
    private struct Cells {
        let row: CSVTable.Row
        let columns: [String: Int]
        let problems: Problems

        func text(_ column: String) -> String? {
            guard let index = columns[column], index < row.cells.count else { return nil }
            let cell = row.cells[index]
            return cell.isEmpty ? nil : cell
        }

        func value<Value>(_ column: String, _ form: Form<Value>) -> Value? {
            text(column).flatMap { judged(.string($0), form, column) }
        }

        var bib: Bib? {
            guard let text = text("bib") else {
                report("is missing: \(RunParticipantSection.bib.expected)", "bib")
                return nil
            }
            guard let number = Int64(text) else {
                report(
                    "saw \(TOMLValue.quoted(text)), expected \(RunParticipantSection.bib.expected): write the number alone",
                    "bib")
                return nil
            }
            return judged(.integer(number), RunParticipantSection.bib.form, "bib")
        }

        /// Parted by spaces, or by the bars that some write.
        var tags: [TagName]? {
            let words = (text("tags") ?? "").split {
                $0 == " " || $0 == "|" || $0 == "\n" || $0 == "," || $0 == ";"
            }
            let nodes = words.map { TOMLNode(value: .string(String($0)), position: .start) }
            switch RunParticipantSection.tags.form.judge(.array(nodes)) {
            case .accepted(let tags): return tags
            case .refused(let advice):
                report(
                    "saw \(words.count == 1 ? "a word" : "\(words.count) words"), expected at most \(Entrant.mostTags) tags "
                        + "parted by spaces, such as C0:FF:EE:00:00:01: \(advice)", "tags")
                return nil
            }
        }

        private func judged<Value>(_ value: TOMLValue, _ form: Form<Value>, _ column: String) -> Value? {
            switch form.judge(value) {
            case .accepted(let value): return value
            case .refused(let advice):
                report("saw \(form.shown(value)), expected \(form.expected): \(advice)", column)
                return nil
            }
        }

        private func report(_ message: String, _ column: String) {
            problems.report(message, key: column, at: TOMLPosition(line: row.line, column: 1))
        }
    }
}

/// A participant with the place where they are written: in a run file or in its start list.
struct RunnerRow {
    let entrant: Entrant
    let problems: Problems
    /// Before the name of a key in messages: `participants.`, or nothing in a table.
    let keyPrefix: String
    let position: (_ key: String) -> TOMLPosition

    func report(_ message: String, _ key: String) {
        problems.report(message, key: keyPrefix + key, at: position(key))
    }

    /// Where the key is written, as a message at `row` names it: with the file where that is another.
    func place(of key: String, for row: RunnerRow) -> String {
        let line = position(key).line
        return problems.file == row.problems.file ? "line \(line)" : "\(problems.file):\(line)"
    }
}

extension [RunnerRow] {
    /// Contradictions among all of them: doubled bibs and tags, waves that are none of the run's, a person or a
    /// carried box that is several runners', a box that is carried and stands at a checkpoint.
    func check(waves: [WaveID], standing checkpoints: [Checkpoint]) {
        check("person", \.person)
        check("carries", \.carries)
        for row in self {
            guard let box = row.entrant.carries, let checkpoint = checkpoints.first(where: { $0.box == box })
            else {
                continue
            }
            row.report(
                "saw \"\(box)\", which is the box of checkpoint \(checkpoint.id), expected one that is carried: correct "
                    + "one of them", "carries")
        }
        var bibs: [Bib: RunnerRow] = [:]
        var tags: [TagName: RunnerRow] = [:]
        for row in self {
            if let other = bibs[row.entrant.bib] {
                row.report(
                    "saw \(row.entrant.bib) again, expected another than at \(other.place(of: "bib", for: row)): give "
                        + "each participant their own", "bib")
            }
            bibs[row.entrant.bib] = row
            for tag in row.entrant.tags {
                if let other = tags[tag], other.entrant.bib != row.entrant.bib {
                    row.report(
                        "saw a tag that bib \(other.entrant.bib) has at \(other.place(of: "tags", for: row)), expected "
                            + "each participant to have their own: correct one of them", "tags")
                }
                tags[tag] = row
            }
            checkWave(of: row, among: waves)
        }
    }

    /// A source of positions belongs to one runner.
    private func check<Name: Hashable & CustomStringConvertible>(
        _ key: String, _ name: KeyPath<Entrant, Name?>
    ) {
        var owners: [Name: RunnerRow] = [:]
        for row in self {
            guard let name = row.entrant[keyPath: name] else { continue }
            guard let other = owners.updateValue(row, forKey: name), other.entrant.bib != row.entrant.bib else {
                continue
            }
            row.report(
                "saw \"\(name)\" again, which bib \(other.entrant.bib) has at \(other.place(of: key, for: row)), expected "
                    + "it of one participant: correct one of them", key)
        }
    }

    private func checkWave(of row: RunnerRow, among waves: [WaveID]) {
        let names = waves.map(\.text)
        if let wave = row.entrant.wave {
            guard !waves.contains(wave) else { return }
            row.report(
                "saw \"\(wave)\", expected the id of a [[waves]]\(NearestName.hint(wave.text, among: names)): correct it, "
                    + "or add the wave", "wave")
        } else if waves.count > 1 {
            row.report("is missing: name one of \(names.joined(separator: ", "))", "wave")
        }
    }
}
