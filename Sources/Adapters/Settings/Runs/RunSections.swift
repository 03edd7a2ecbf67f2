internal import GatewayModel
internal import RunBeacon

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

    static let section = Section(
        [], "One run.", keys: [id, title, end, course, startList],
        refused: [
            "start": "a run starts with its first wave: write a [[waves]] with its start",
            "gpx": "the course is named by course = \"NAME.gpx\"",
        ],
        children: [RunWaveSection.section, RunCheckpointSection.section, RunParticipantSection.section])
}

/// `[[waves]]`: those who start together.
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
        // One box stands at one point: what it passes several times has several distances.
        readers.reportRepeated(box, boxes)
        return readers.indices.compactMap { index in read(readers[index], ids[index], boxes[index]) }
    }

    private static func read(_ reader: SectionReader, _ id: CheckpointID?, _ box: GatewayID?) -> Checkpoint? {
        let distances = reader.value(distances)
        let isFinish = reader.value(isFinish)
        let rule = reader.value(rule)
        let minimumSplit = reader.value(minimumSplit)
        guard let id, let distances, let isFinish, let minimumSplit else { return nil }
        return Checkpoint(
            id: id, distances: distances, isFinish: isFinish, rule: rule, minimumSplit: minimumSplit, box: box)
    }
}

/// `[[participants]]`: who takes part.
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
