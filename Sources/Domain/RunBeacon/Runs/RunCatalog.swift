public import GatewayModel

/// Catalog of the runs, from files and from commands, with their state. Pure: the time is an argument.
/// The file describes a run; commands lie over it. A runner that has left by a command stays away against the
/// file, until a command enrols them again. A command's description of a run holds until somebody writes
/// another into its file.
public struct RunCatalog: Sendable {
    /// A command has 16 KiB; a sender of thousands of runs means something else.
    public static let mostCommandedRuns = 64
    /// Twice the largest field that one box was made for.
    public static let mostRunners = 10_000
    /// Commands on a run are forgotten after this time from its end and from the last of them.
    static let memory = Duration.seconds(31 * 86_400)

    /// ID of the box; its run files alone name its carrier.
    let box: GatewayID?
    /// Where it stands makes a run doubtful or not.
    let gateway: GatewayID?
    var files: [RunID: RunPlan] = [:]
    public internal(set) var commanded: CommandedRuns
    var materials = RunMaterials()
    /// All there are, cancelled and over ones too.
    public internal(set) var runs: [RunID: Run] = [:]
    public internal(set) var warnings: [RunWarning] = []
    /// Those of one run alone.
    private var warningsOfRuns: [RunID: [RunWarning]] = [:]

    /// - Parameters:
    ///   - commanded: of an earlier life.
    /// - box: ID of the box; no command may name its carrier. Nil where one may.
    /// - gateway: ID of the box with this catalog; nil where no warnings are wanted.
    public init(
        commanded: CommandedRuns = CommandedRuns(), keeping box: GatewayID? = nil, of gateway: GatewayID? = nil
    ) {
        (self.commanded, self.box, self.gateway) = (commanded, box, gateway)
    }

    // MARK: Events

    /// The files as they are now; those that are not among them are gone, and their runs with them: nobody is timed in
    /// these any more, and their runners are remembered.
    ///
    /// - Parameter materials: all that these plans and those by command name, as far as it can be used.
    public mutating func replaceFiles(_ plans: [RunPlan], with materials: RunMaterials, at now: WallTime) {
        files = Dictionary(plans.map { ($0.id, $0) }) { first, _ in first }
        self.materials = materials
        noteFiles(at: now)
        rebuild()
    }

    /// - Parameter found: files beside the run files that the order names, as far as they can be used.
    /// - Returns: whether anything is other than before.
    /// Errors: `RunRefusal`; nothing has changed then.
    @discardableResult
    public mutating func perform(
        _ order: RunOrder, at now: WallTime, with found: RunMaterials = RunMaterials()
    ) throws(RunRefusal) -> Bool {
        var next = self
        next.materials.add(found)
        next.forget(at: now)
        let isChanged = try next.take(order, at: now)
        guard isChanged else { return false }
        try next.checkFits(order)
        let forgotten = Set(commanded.layers.keys).subtracting(next.commanded.layers.keys)
        next.rebuild(Set(forgotten.compactMap { RunID($0) }).union([order.run]))
        self = next
        return true
    }

    // MARK: Runs

    public func state(of run: RunID, at now: WallTime) -> RunState? {
        guard let found = runs[run] else { return nil }
        if commanded[run]?.isCancelled == true { return .cancelled }
        return found.state(at: now)
    }

    /// By the start, then by the id.
    public func underway(at now: WallTime) -> [Run] {
        sorted.filter { state(of: $0.id, at: now) == .underway }
    }

    /// By the start, then by the id.
    public var sorted: [Run] {
        runs.values.sorted { ($0.start, $0.id.text) < ($1.start, $1.id.text) }
    }

    /// When a run next begins or ends; nil where none will.
    public func nextChange(after now: WallTime) -> WallTime? {
        runs.values.filter { commanded[$0.id]?.isCancelled != true }
            .flatMap { [$0.start, $0.end] }.filter { $0 > now }.min()
    }

    /// Runners that may be timed and told of, in each run: also in one that is over, cancelled or gone with its
    /// file, for passings that were timed until then still goes out. Only leaving ends it.
    public var enrolments: [RunID: Set<Bib>] {
        runs.mapValues { Set($0.participants.map(\.bib)) }.merging(vanished) { $0.union($1) }
    }

    /// Owner of each tag in the runs that are underway. Two runs may have the same tag.
    public func tags(at now: WallTime) -> [TagIdentity: [Enrolment]] { Self.tags(of: underway(at: now)) }

    static func tags(of runs: [Run]) -> [TagIdentity: [Enrolment]] {
        var tags: [TagIdentity: [Enrolment]] = [:]
        for run in runs {
            for participant in run.participants {
                for tag in Set(participant.tags) {
                    tags[tag, default: []].append(Enrolment(run: run.id, bib: participant.bib))
                }
            }
        }
        return tags
    }

    /// Identity of the tag of this name; nil where it has a key that the runs do not know.
    public func identity(of name: TagName) -> TagIdentity? {
        switch name {
        case .heard(let identity): identity
        case .keyFile(let file): materials.keys[file].map { .identityKey($0) }
        }
    }

    /// Of which commands have said something.
    public func isCommanded(_ run: RunID) -> Bool { commanded[run] != nil }
    public func hasFile(_ run: RunID) -> Bool { files[run] != nil }
    public func left(_ run: RunID) -> Set<Bib> { commanded[run]?.left ?? [] }

    /// Files that commands name beside the run files.
    public var companions: (keys: Set<CompanionFile>, courses: Set<CompanionFile>) {
        let layers = commanded.layers.values
        return (
            Set(layers.flatMap { $0.enrolled.values.flatMap(\.keyFiles) }),
            Set(layers.compactMap(\.outline?.course?.file))
        )
    }
}

// MARK: Runs from their plans

extension RunCatalog {
    /// All, after the files were read.
    private mutating func rebuild() {
        rebuild(Set(runs.keys).union(files.keys).union(commanded.layers.keys.compactMap { RunID($0) }))
    }

    /// Those of which something is written differently.
    private mutating func rebuild(_ changed: Set<RunID>) {
        for id in changed {
            let (run, warnings) = plan(id).map { derived($0) } ?? (nil, [])
            runs[id] = run
            warningsOfRuns[id] = warnings.isEmpty ? nil : warnings
        }
        let all = warningsOfRuns.values.flatMap(\.self) + sharedTags() + sharedBearers()
        warnings = all.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func derived(_ plan: RunPlan) -> (Run?, [RunWarning]) {
        let (whole, warnings) = usable(plan)
        do throws(Run.Flaw) {
            return (try Run(whole, with: materials), warnings + overruled(plan))
        } catch {
            // A file alone has been read as a whole; without some of its runners it is as sound.
            guard var file = files[plan.id] else { return (nil, [.unfit(plan.id, error)]) }
            let left = left(plan.id)
            file.entrants.removeAll { left.contains($0.bib) }
            let (rest, warnings) = usable(file)
            return (try? Run(rest, with: materials), [.unfit(plan.id, error)] + warnings)
        }
    }

    /// Runners with another tag or wave in the file than by command.
    private func overruled(_ plan: RunPlan) -> [RunWarning] {
        guard let file = files[plan.id], let layer = commanded[plan.id], !layer.isCancelled else { return [] }
        let waves = plan.outline.waves
        let onlyWave = waves.count == 1 ? waves.first?.id : nil
        let bibs = file.entrants.filter { filed in
            guard let told = layer.enrolled[filed.bib.number] else { return false }
            return Set(told.tags) != Set(filed.tags) || told.wave ?? onlyWave != filed.wave ?? onlyWave
        }.map(\.bib)
        return bibs.isEmpty ? [] : [.overruled(plan.id, bibs.sorted())]
    }

    /// Without the tags and the course that cannot be used.
    func usable(_ plan: RunPlan) -> (RunPlan, [RunWarning]) {
        var usable = plan
        var warnings: [RunWarning] = []
        if let course = plan.outline.course?.file, materials.courses[course] == nil {
            warnings.append(.unfit(plan.id, .unread(course)))
            usable.outline.course = nil
        }
        for (index, entrant) in plan.entrants.enumerated() {
            let missing = entrant.keyFiles.filter { materials.keys[$0] == nil }
            guard !missing.isEmpty else { continue }
            warnings += missing.map { .unread(plan.id, entrant.bib, $0) }
            usable.entrants[index] = entrant.without(missing)
        }
        return (usable, warnings)
    }

    /// Those that take place.
    private var live: [Run] { sorted.filter { commanded[$0.id]?.isCancelled != true } }

    /// By pairs of runs that are underway at the same time.
    private func sharedTags() -> [RunWarning] {
        let runs = live
        var owners: [TagIdentity: [(run: Int, bib: Bib)]] = [:]
        for (index, run) in runs.enumerated() {
            for participant in run.participants {
                for tag in participant.tags { owners[tag, default: []].append((index, participant.bib)) }
            }
        }
        var shared: [[Int]: [(Bib, Bib)]] = [:]
        for owners in owners.values where owners.count > 1 {
            for (index, one) in owners.enumerated() {
                for other in owners[(index + 1)...] where runs[one.run].isBeside(runs[other.run]) {
                    shared[[one.run, other.run], default: []].append((one.bib, other.bib))
                }
            }
        }
        return shared.compactMap { pair, bibs in
            bibs.min { $0 < $1 }.map { first in
                .sharedTags(runs[pair[0]].id, runs[pair[1]].id, count: bibs.count, first: first.0, first.1)
            }
        }
    }

    /// A box that times two runs at a time is as it should be; one that is carried through two is not.
    private func sharedBearers() -> [RunWarning] {
        let runs = live.map { (run: $0, bearers: Bearers($0, for: gateway)) }
        return runs.enumerated().flatMap { index, one in
            runs[(index + 1)...].filter { one.run.isBeside($0.run) }.flatMap { other in
                one.bearers.warnings(of: one.run.id, beside: other.bearers, of: other.run.id)
            }
        }
    }
}

/// Sources of positions or times in one run.
private struct Bearers {
    let carried: [GatewayID: Bib]
    let standing: Set<GatewayID>
    let persons: [PersonID: Bib]

    /// - Parameter gateway: the box that asks: it may stand at a checkpoint that names none.
    init(_ run: Run, for gateway: GatewayID?) {
        carried = run.bibs(by: \.carries)
        let own = gateway.flatMap { run.checkpoint(of: $0) == nil ? nil : $0 }
        standing = Set(run.checkpoints.compactMap(\.box) + [own].compactMap(\.self))
        persons = run.bibs(by: \.person)
    }

    func warnings(of own: RunID, beside other: Bearers, of its: RunID) -> [RunWarning] {
        let here = carried.filter { other.carried[$0.key] != nil || other.standing.contains($0.key) }
        let there = other.carried.filter { standing.contains($0.key) }
        let shared = persons.compactMap { person, bib in other.persons[person].map { (bib, $0) } }
        return here.map { .carriedBox($0.key, by: $0.value, in: own, also: its) }
            + there.map { .carriedBox($0.key, by: $0.value, in: its, also: own) }
            + shared.map { .samePerson(own, its, first: $0, $1) }
    }
}

extension Run {
    /// The first owner of each.
    fileprivate func bibs<Name: Hashable>(by name: KeyPath<Participant, Name?>) -> [Name: Bib] {
        Dictionary(
            participants.compactMap { runner in runner[keyPath: name].map { ($0, runner.bib) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Another one that is underway at the same time.
    fileprivate func isBeside(_ other: Run) -> Bool {
        id != other.id && other.start < end && start < other.end
    }
}

extension Entrant {
    fileprivate func without(_ files: [CompanionFile]) -> Entrant {
        let rest = tags.filter { tag in
            if case .keyFile(let file) = tag { !files.contains(file) } else { true }
        }
        return Entrant(
            bib: bib, name: name, category: category, wave: wave, tags: rest, person: person, carries: carries)
    }
}

extension RunCatalog {
    /// No pulse is taken for that of a runner for longer after their start, however long the run takes.
    public static let longestExercise = Duration.seconds(24 * 3_600)

    /// End of the run of each person of the house in a run that is underway, from the start of their wave on: a
    /// normal pulse is another one then. A runner that left is no participant any more.
    ///
    /// Within the times of the file alone: which pulse calls for help is decided in the house, and no command from
    /// elsewhere that moves a run changes that.
    public func exercise(at now: WallTime) -> [PersonID: WallTime] {
        var ends: [PersonID: WallTime] = [:]
        for run in underway(at: now) {
            guard let file = files[run.id]?.outline else { continue }
            for participant in run.participants {
                guard let person = participant.person, let start = run.wave(participant.wave)?.start,
                    let filed = file.waves.first(where: { $0.id == participant.wave })?.start,
                    max(start, filed) <= now
                else { continue }
                let longest = WallTime(
                    millisecondsSince1970: max(start, filed).millisecondsSince1970
                        + Self.longestExercise.wholeMilliseconds)
                let end = min(run.end, file.end, longest)
                if end > now { ends[person] = max(end, ends[person] ?? end) }
            }
        }
        return ends
    }
}

/// Runners that a run file enrols: remembered, for when it is not there any more. Runners that were enrolled
/// over it by command are known by the commands.
struct FiledRunners: Hashable, Codable, Sendable {
    var bibs: Set<Bib>
    /// Since when the file is gone; nil while it is there.
    var gone: WallTime?
}

// Runs with a vanished file: by a slip of the hand, or while it was copied. Nobody has left by that. Nothing
// new is timed in them, and earlier passings still go out.
extension RunCatalog {
    private mutating func noteFiles(at now: WallTime) {
        for (id, plan) in files {
            commanded.filed[id.text] = FiledRunners(bibs: Set(plan.entrants.map(\.bib)), gone: nil)
        }
        for name in commanded.filed.keys where RunID(name).map({ files[$0] == nil }) ?? true {
            if commanded.filed[name]?.gone == nil { commanded.filed[name]?.gone = now }
        }
        forgetVanished(before: Self.limit(at: now))
    }

    mutating func forgetVanished(before limit: WallTime) {
        commanded.filed = commanded.filed.filter { _, filed in filed.gone.map { $0 >= limit } ?? true }
    }

    static func limit(at now: WallTime) -> WallTime {
        WallTime(millisecondsSince1970: now.millisecondsSince1970 - memory.wholeMilliseconds)
    }

    /// Runners in runs without their file, by that file or by a command, that have not left.
    public var vanished: [RunID: Set<Bib>] {
        commanded.filed.reduce(into: [:]) { vanished, entry in
            guard entry.value.gone != nil, let id = RunID(entry.key) else { return }
            let byCommand = commanded[id]?.enrolled.values.map(\.bib) ?? []
            vanished[id] = entry.value.bibs.union(byCommand).subtracting(left(id))
        }
    }
}
