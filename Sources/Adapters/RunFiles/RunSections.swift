import GatewayModel
import RunBeacon
import SettingsReading

/// A run file as a whole.
enum RunRootSection {
    static let id = Key<RunID>("id", .name, .required, "The run's name in topics, and in commands about it.")
    static let title = Key("title", .text(1...100), .required, "As people call it.")
    static let end = Key("end", .instant, .required, "Nobody is tracked from here on.")
    static let course = Key(
        "course", .companionFile, .optional("none"), "A GPX file beside this one: the line that is run.")
    static let startList = Key(
        "start_list", .companionFile, .optional("none"),
        "A CSV file beside this one with the participants, besides those that stand here.")
    static let publicNames = Key(
        "public_names", .truth, .standard(false),
        "Whether spectators see the names of the runners on the race pages, beside bib and category.")
    static let publicParty = Key<PartyID>(
        "public_party", .name, .optional("none"),
        "The third party that stands for the spectators: the race pages show the heart rate and the energy that a runner "
            + "has granted to it.")

    static let section = Section(
        [], "One run.", keys: [id, title, end, course, startList, publicNames, publicParty],
        refused: [
            "start": "a run starts with its first wave: write a [[waves]] with its start",
            "gpx": "the course is named by course = \"NAME.gpx\"",
        ],
        children: [RunWaveSection.section, RunCheckpointSection.section, RunParticipantSection.section])
}

/// `[[waves]]`: groups of runners with one start.
enum RunWaveSection {
    static let id = Key<WaveID>("id", .name, .required, "By which participants name it.")
    static let start = Key("start", .instant, .required, "The gun: gun times count from here.")

    static let section = Section(
        ["waves"], repeats: true, isRequired: true, "Those who start together.", keys: [id, start])

    static func read(_ readers: [SectionReader]) -> [Wave] {
        let ids = readers.map { $0.value(id) }
        readers.reportRepeated(id, ids)
        return zip(readers, ids).compactMap { reader, id in
            guard let start = reader.value(start), let id else { return nil }
            return Wave(id: id, start: start)
        }
    }
}

/// `[[checkpoints]]`: where runners are timed.
enum RunCheckpointSection {
    static let id = Key<CheckpointID>("id", .name, .required, "The timing point's name in passings.")
    static let distances = Key(
        "distances_m", .distances, .required,
        "Metres from the start along the course, one for each time it is passed.")
    static let isFinish = Key("finish", .truth, .standard(false), "Whether it is the finish.")
    static let rule = Key<Checkpoint.Rule>(
        "rule", .choice,
        .optional("`last` the first time at distance 0, `first` the last time at a finish, else `best`"),
        "Which of the times at which a runner is near counts: the last, the first, or the one of the clearest peak."
    )
    static let minimumSplit = Key(
        "minimum_split_s", .seconds(0...86_400), .standard(0),
        "Between two passings of one runner at least, and before the first after the start of the wave. What comes "
            + "sooner is kept and marked, and does not count.")
    static let box = Key<GatewayID>(
        "box", .name, .optional("the only box of a run with one checkpoint; else timed by something else"),
        "`id` of the `[gateway]` that stands there.")

    static let section = Section(
        ["checkpoints"], repeats: true, isRequired: true, "Where runners are timed.",
        keys: [id, distances, isFinish, rule, minimumSplit, box])

    static func read(_ readers: [SectionReader]) -> [Checkpoint] {
        let ids = readers.map { $0.value(id) }
        readers.reportRepeated(id, ids)
        let boxes = readers.map { $0.value(box) }
        // One box stands at one point: a course that passes it several times has several distances.
        readers.reportRepeated(box, boxes)
        return readers.indices.compactMap { index in read(readers[index], ids[index], boxes[index]) }
    }

    private static func read(_ reader: SectionReader, _ id: CheckpointID?, _ box: GatewayID?) -> Checkpoint? {
        let distances = reader.value(distances)
        let isFinish = reader.value(isFinish)
        let rule = reader.value(rule)
        let minimumSplit = reader.value(minimumSplit)
        guard let id, let distances, let isFinish, let minimumSplit else { return nil }
        if distances.drop(while: { $0 == 0 }).count > 1, minimumSplit == .zero {
            reader.warn(
                "laps without it: somebody who walks about near the box may count as running them. Write a time a little "
                    + "below the fastest lap that you expect", Self.minimumSplit.name)
        }
        return Checkpoint(
            id: id, distances: distances, isFinish: isFinish, rule: rule, minimumSplit: minimumSplit, box: box)
    }
}

/// `[[participants]]`: the runners.
enum RunParticipantSection {
    static let bib = Key("bib", .bib, .required, "The number on the chest.")
    static let name = Key(
        "name", .text(Entrant.nameLength, isPersonal: true), .optional("none"), "As it is called out.")
    static let category = Key(
        "category", .text(Entrant.categoryLength), .optional("none"), "For the standings, such as `w40`.")
    static let wave = Key<WaveID>(
        "wave", .name, .optional("the only one; required where there are several"),
        "The `[[waves]]` they start in.")
    static let tags = Key(
        "tags", .tags, .optional("none: nobody hears them"),
        "Whatever identifies one is enough; a second is a spare.")
    static let person = Key<PersonID>(
        "person", .name, .optional("nobody of this box"),
        "The `[[person]]` of this box's settings whose wearables' positions are this runner's.")

    static let carries = Key<GatewayID>(
        "carries", .name, .optional("none"),
        "`id` of the `[gateway]` that they carry: what its receiver says of where it is, is where they are.")

    static let section = Section(
        ["participants"], repeats: true, "Who takes part; for more than a handful use `start_list`.",
        keys: [bib, name, category, wave, tags, person, carries])

    static func read(_ reader: SectionReader) -> RunnerRow? {
        let bib = reader.value(bib)
        let name = reader.value(name)
        let category = reader.value(category)
        let wave = reader.value(wave)
        let tags = reader.isWritten(tags) ? reader.value(tags) : []
        let person = reader.value(person)
        let carries = reader.value(carries)
        guard let bib, let tags else { return nil }
        return RunnerRow(
            entrant: Entrant(
                bib: bib, name: name, category: category, wave: wave, tags: tags, person: person,
                carries: carries),
            problems: reader.problems, keyPrefix: section.full("")
        ) { reader.position(of: $0) }
    }
}

extension Form where Value == WallTime {
    static var instant: Form {
        let form = Form<WallTime>.text(WallTime.rfc3339Form) { text in
            WallTime(rfc3339: text).map { .accepted($0) }
                ?? .refused("write date, T, time and offset; Z is the offset of UTC")
        }
        return Form(form.expected) { value in
            if case .dateOrTime = value { return .refused("put it in quotes") }
            return form.judge(value)
        }
    }
}

extension Form where Value == CompanionFile {
    static var companionFile: Form {
        text(CompanionFile.form) { text in
            CompanionFile(text).map { .accepted($0) }
                ?? .refused("put the file into the folder of the run file and write its name alone")
        }
    }
}

extension Form where Value == Bib {
    static var bib: Form {
        let number = Form<Int>.wholeNumber(Bib.range)
        return Form("a bib, \(Bib.range.lowerBound) to \(Bib.range.upperBound)") { value in
            switch number.judge(value) {
            case .accepted(let number):
                Bib(number).map { .accepted($0) } ?? .refused("choose a value in this range")
            case .refused(let advice): .refused(advice)
            }
        }
    }
}

extension Form where Value == [Double] {
    /// Metres along the course, ascending.
    static var distances: Form {
        let metres = Form<Double>.number(Checkpoint.reach)
        return Form("a list of metres from the start such as [0] or [2500, 7500], ascending") { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard !nodes.isEmpty else {
                return .refused("write at least one: a loop passes one point several times")
            }
            var distances: [Double] = []
            for node in nodes {
                guard case .accepted(let distance) = metres.judge(node.value) else {
                    return .refused(
                        "correct \(node.value): a number, \(metres.expected.dropFirst("a number, ".count))")
                }
                guard distances.last.map({ $0 < distance }) ?? true else {
                    return .refused("write \(node.value) where it belongs: each is farther than the one before")
                }
                distances.append(distance)
            }
            return .accepted(distances)
        }
    }
}

extension Form where Value == [TagName] {
    /// A mistake is told by its place: somebody may have written a key where its file belongs.
    static var tags: Form {
        Form("a list of at most \(Entrant.mostTags) tags such as [\"C0:FF:EE:00:00:01\"]", isPersonal: true) {
            value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard nodes.count <= Entrant.mostTags else { return .refused("shorten the list") }
            var tags: [TagName] = []
            for (number, node) in nodes.enumerated() {
                guard case .string(let text) = node.value else {
                    return .refused("write number \(number + 1) in quotes")
                }
                do throws(TagIdentity.Flaw) {
                    let tag = try TagName(text)
                    guard !tags.contains(tag) else { return .refused("write number \(number + 1) once") }
                    tags.append(tag)
                } catch {
                    return .refused("in number \(number + 1), \(error)")
                }
            }
            return .accepted(tags)
        }
    }
}
