public import GatewayModel

/// Which runs there are, out of files and out of commands, and how far they are. Pure: it is told what time it is.
///
/// The file says what a run is; commands lie over it. A runner who has left by a command stays away whatever the file
/// says, until a command enrols them again. What a command says a run is holds until somebody writes something else
/// into its file.
public struct RunCatalog: Sendable {
    /// A command has 16 KiB; who sends thousands of runs means something else.
    public static let mostCommandedRuns = 64
    /// Twice the largest field that one box was made for.
    public static let mostRunners = 10_000
    /// What commands said of a run is forgotten so long after it, and after the last of them.
    static let memory = Duration.seconds(31 * 86_400)

    /// Of which its files alone say who carries it.
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
    var warningsOfRuns: [RunID: [RunWarning]] = [:]

    /// - Parameters:
    ///   - commanded: of an earlier life.
    ///   - box: of which no command may say who carries it, whenever it has; nil where one may.
    ///   - gateway: whose book it is; nil where nobody asks what is doubtful there.
    public init(
        commanded: CommandedRuns = CommandedRuns(), keeping box: GatewayID? = nil, of gateway: GatewayID? = nil
    ) {
        (self.commanded, self.box, self.gateway) = (commanded, box, gateway)
    }

    // MARK: Events

    /// The files as they are now; those that are not among them are gone, and their runs with them: nobody is timed in
    /// these any more, and who was in them is remembered.
    ///
    /// - Parameter materials: all that these plans and those by command name, as far as it can be used.
    public mutating func replaceFiles(_ plans: [RunPlan], with materials: RunMaterials, at now: WallTime) {
        files = Dictionary(plans.map { ($0.id, $0) }) { first, _ in first }
        self.materials = materials
        noteFiles(at: now)
        rebuild()
    }

    /// - Parameter found: what the order names beside the run files, as far as it can be used.
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

    // MARK: What there is

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

    /// Who may be timed and told of, in each run: of one that is over, cancelled or gone with its file too, for what was
    /// timed until then still goes out. Only leaving ends it.
    public var enrolments: [RunID: Set<Bib>] {
        runs.mapValues { Set($0.participants.map(\.bib)) }.merging(vanished) { $0.union($1) }
    }

    /// Whose each tag is, in the runs that are underway. Two runs may have the same tag.
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

    /// By what the tag of this name is heard; nil where it has a key that the runs do not know.
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

    /// What commands name beside the run files.
    public var companions: (keys: Set<CompanionFile>, courses: Set<CompanionFile>) {
        let layers = commanded.layers.values
        return (
            Set(layers.flatMap { $0.enrolled.values.flatMap(\.keyFiles) }),
            Set(layers.compactMap(\.outline?.course))
        )
    }
}
