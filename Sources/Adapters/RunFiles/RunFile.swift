internal import GatewayModel
public import RunBeacon
public import SettingsReading

/// Reads the line that is run out of a file, with its doubtful values. Errors: any, described for the person
/// that has drawn it. Blocking I/O.
public typealias CourseReader =
    @Sendable (_ path: String) throws -> (course: Course, warnings: [SettingsProblem])

/// One run as a file beside others says it, with the files beside it: start list, course and keys of tags.
public struct RunFile: Sendable {
    /// As it was given.
    public let path: String
    public let plan: RunPlan
    public let materials: RunMaterials
    /// Sound: made of `plan` and `materials`.
    public let run: Run
    /// Allowed, and yet doubtful.
    public let warnings: [SettingsProblem]

    /// End of its name; files with other names lie beside run files.
    public static let ending = ".toml"
    /// A file in which every word is wrong says so once a word.
    private static let mostProblems = 50

    private static let kind = SettingsFile.Kind(
        sizeLimit: 1 << 20,
        whenTooLarge:
            "is larger than 1 MiB: put the participants into a CSV file beside it, start_list = \"….csv\"",
        whenAbsent: "check the path; a run file ends in \(ending)", group: "homegateway")

    /// - Throws: `unreadable`, else `syntax`, else `problems` with all that is wrong in it, in its start list, its
    ///   course and its keys, up to a bound. Nothing wrong is replaced by a default. Blocking I/O.
    public init(path: String, course readCourse: CourseReader) throws(SettingsError) {
        let bytes = try SettingsFile.bytes(path: path, of: Self.kind)
        let reader = try SectionReader(RunRootSection.section, reading: bytes, file: path)
        let problems = reader.problems
        let folder = Self.folder(of: path)
        let id = reader.value(RunRootSection.id)
        let outline = Self.outline(reader)
        let list = try Self.startList(reader, folder)
        let written = reader.children(RunParticipantSection.section).compactMap {
            RunParticipantSection.read($0)
        }
        let rows = written + list.rows
        rows.check(waves: Self.waves(reader), standing: outline?.checkpoints ?? [])
        var materials = Self.keys(of: rows, in: folder)
        var courseWarnings: [SettingsProblem] = []
        if let file = outline?.course?.file, let found = Self.course(file, folder, readCourse, reader) {
            (materials.courses[file], courseWarnings) = (found.course, found.warnings)
        }
        try Self.throwAny(problems, list.problems)
        guard let id, let outline else { throw .problems([]) }
        let plan = RunPlan(id: id, outline: outline, entrants: rows.map(\.entrant))
        self.run = try Self.run(plan, materials, reader)
        Self.warn(rows, reader)
        Self.warnOfLength(run, reader)
        (self.path, self.plan, self.materials) = (path, plan, materials)
        warnings = problems.warnings.byLine + (list.problems?.warnings.byLine ?? []) + courseWarnings
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

// MARK: Parts

extension RunFile {
    /// The waves are read twice, so that a participant's wave can be checked where another is wrong; once reported.
    private static func waves(_ reader: SectionReader) -> [WaveID] {
        let silent = Problems(file: reader.problems.file)
        let again = SectionReader(reader.section, reader.table, at: reader.position, silent)
        return again.children(RunWaveSection.section).compactMap { $0.value(RunWaveSection.id) }
    }

    private static func outline(_ reader: SectionReader) -> RunOutline? {
        let title = reader.value(RunRootSection.title)
        let end = reader.value(RunRootSection.end)
        let course = reader.value(RunRootSection.course)
        let audience = RunAudience(
            showsNames: reader.value(RunRootSection.publicNames) ?? false,
            party: reader.value(RunRootSection.publicParty))
        let waves = RunWaveSection.read(reader.children(RunWaveSection.section))
        let checkpoints = RunCheckpointSection.read(reader.children(RunCheckpointSection.section))
        guard let title, let end else { return nil }
        if let wave = waves.first(where: { $0.start >= end }) {
            reader.report(
                "saw a time that is not after the start of wave \(wave.id), expected a later one: correct one of the two",
                RunRootSection.end.name)
        }
        return RunOutline(
            title: title, end: end, waves: waves, checkpoints: checkpoints,
            course: course.map { .file($0) },
            audience: audience == RunAudience() ? nil : audience)
    }

    private static func startList(
        _ reader: SectionReader, _ folder: String
    ) throws(SettingsError) -> (rows: [RunnerRow], problems: Problems?) {
        guard let file = reader.value(RunRootSection.startList) else { return ([], nil) }
        let problems = Problems(file: folder + "/" + file.name)
        do throws(SettingsError) {
            return (
                StartList.read(try SettingsFile.bytes(path: problems.file, of: StartList.kind), problems),
                problems
            )
        } catch {
            reader.report(error.description, RunRootSection.startList.name)
            return ([], problems)
        }
    }

    /// Each is read once; a fault in it is told where it is first named.
    private static func keys(of rows: [RunnerRow], in folder: String) -> RunMaterials {
        var materials = RunMaterials()
        var wrong: Set<CompanionFile> = []
        for row in rows {
            for file in row.entrant.keyFiles where materials.keys[file] == nil && !wrong.contains(file) {
                do throws(CredentialFile.Unusable) {
                    materials.keys[file] = try TagKeyFile.key(file, in: folder)
                } catch {
                    wrong.insert(file)
                    row.report(error.description, "tags")
                }
            }
        }
        return materials
    }

    private static func course(
        _ file: CompanionFile, _ folder: String, _ read: CourseReader, _ reader: SectionReader
    ) -> (course: Course, warnings: [SettingsProblem])? {
        do {
            return try read(folder + "/" + file.name)
        } catch {
            reader.report("\(error)", RunRootSection.course.name)
            return nil
        }
    }

    private static func throwAny(_ problems: Problems, _ list: Problems?) throws(SettingsError) {
        let found = problems.errors.byLine + (list?.errors.byLine ?? [])
        guard !found.isEmpty else { return }
        guard found.count > mostProblems, let last = found.last else { throw .problems(found) }
        let rest = SettingsProblem(
            file: last.file, line: last.line, column: nil, key: "",
            message: "and \(found.count - mostProblems) more: mend these, then check again")
        throw .problems(found.prefix(mostProblems) + [rest])
    }

    private static func run(
        _ plan: RunPlan, _ materials: RunMaterials, _ reader: SectionReader
    ) throws(SettingsError) -> Run {
        guard plan.entrants.count <= RunCatalog.mostRunners else {
            reader.report(
                "saw \(plan.entrants.count) participants, expected at most \(RunCatalog.mostRunners): make several runs of it",
                RunParticipantSection.section.name)
            throw .problems(reader.problems.errors)
        }
        do throws(Run.Flaw) {
            return try Run(plan, with: materials)
        } catch {
            reader.problems.report(error.description, key: "", at: .start)
            throw .problems(reader.problems.errors)
        }
    }

    private static func warn(_ rows: [RunnerRow], _ reader: SectionReader) {
        if rows.isEmpty {
            reader.problems.warn(
                "nobody takes part: nobody is timed until commands enrol some. Is the start list whole?",
                key: RunParticipantSection.section.name, at: .start)
        }
        let unheard = rows.map(\.entrant).filter { $0.tags.isEmpty && $0.person == nil && $0.carries == nil }
            .map(\.bib)
        guard !unheard.isEmpty else { return }
        let some =
            unheard.prefix(10).map { "\($0)" }.joined(separator: ", ") + (unheard.count > 10 ? ", …" : "")
        reader.problems.warn(
            "\(unheard.count) of \(rows.count) participants have no tag, and nobody hears them: bib \(some)",
            key: RunParticipantSection.section.name, at: .start)
    }

    /// Of a line that was drawn for another race, or in other units.
    private static func warnOfLength(_ run: Run, _ reader: SectionReader) {
        guard let length = run.course?.length, let farthest = run.checkpoints.flatMap(\.distances).max(),
            abs(farthest - length) > length * longestDifference
        else { return }
        reader.warn(
            "is \(Int(length)) m long, and the farthest checkpoint is at \(Int(farthest)) m: correct one of the two",
            RunRootSection.course.name)
    }

    /// A drawn line cuts corners, and a recorded one wavers: by some percent of its length.
    private static let longestDifference = 0.05
}

/// The identity resolving key of a tag, in a file beside the run files: 32 hexadecimal digits that only the gateway
/// can read.
enum TagKeyFile {
    /// 16 bytes, most significant first. Errors show nothing of the key. Blocking I/O.
    static func key(_ file: CompanionFile, in folder: String) throws(CredentialFile.Unusable) -> [UInt8] {
        let path = folder + "/" + file.name
        let text = try CredentialFile(path, of: "homegateway").text()
        guard let key = CredentialFile.key(Array(text.utf8)) else {
            throw CredentialFile.Unusable(
                description:
                    "\(path): is no key of a tag: expected 32 hexadecimal digits and nothing else in its "
                    + "first line")
        }
        return key
    }
}
