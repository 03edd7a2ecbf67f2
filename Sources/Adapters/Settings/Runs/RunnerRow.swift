internal import GatewayModel
internal import RunBeacon

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
    /// What cannot be about all of them together: doubled bibs and tags, waves that are none of the run's, a person or a
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

    /// What brings positions brings them of one runner.
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
