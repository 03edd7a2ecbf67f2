public import GatewayModel

/// Order of a command to the runs.
public enum RunOrder: Hashable, Sendable {
    case create(RunPlan)
    case change(RunID, RunChange)
    case cancel(RunID)
    /// A runner that is there already, by the bib, is as written here from now on: with another tag, another
    /// wave.
    case enrol(RunID, [Entrant])
    case leave(RunID, [Bib])

    public var run: RunID {
        switch self {
        case .create(let plan): plan.id
        case .change(let run, _), .cancel(let run), .enrol(let run, _), .leave(let run, _): run
        }
    }

    /// Participants, as far as it names them.
    public var entrants: [Entrant] {
        switch self {
        case .create(let plan): plan.entrants
        case .enrol(_, let entrants): entrants
        case .change, .cancel, .leave: []
        }
    }

    /// The files that it names beside the run files.
    public var companions: (keys: Set<CompanionFile>, course: CompanionFile?) {
        switch self {
        case .create(let plan): plan.companions
        case .change(_, let change): ([], change.course?.file)
        case .enrol(_, let entrants): (Set(entrants.flatMap(\.keyFiles)), nil)
        case .cancel, .leave: ([], nil)
        }
    }
}

/// Other values for some of a run's; nil leaves the present value.
public struct RunChange: Hashable, Sendable {
    public var title: String?
    public var end: WallTime?
    public var waves: [Wave]?
    public var checkpoints: [Checkpoint]?
    public var course: PlannedCourse?

    public init(
        title: String? = nil, end: WallTime? = nil, waves: [Wave]? = nil, checkpoints: [Checkpoint]? = nil,
        course: PlannedCourse? = nil
    ) {
        (self.title, self.end, self.waves) = (title, end, waves)
        (self.checkpoints, self.course) = (checkpoints, course)
    }

    func applied(to outline: RunOutline) -> RunOutline {
        RunOutline(
            title: title ?? outline.title, end: end ?? outline.end, waves: waves ?? outline.waves,
            checkpoints: checkpoints ?? outline.checkpoints, course: course ?? outline.course,
            audience: outline.audience)
    }
}

/// Why an order is not carried out: a word for programs, a text for people. Names nobody.
public enum RunRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownRun(RunID)
    case runExists(RunID)
    case runOver(RunID)
    /// Its course stays as it is.
    case runBegun(RunID)
    case runCancelled(RunID)
    case notEnrolled(Bib)
    case tooManyRuns(Int)
    case tooManyRunners(Int)
    /// It would take that long.
    case tooLong(Duration)
    case flaw(Run.Flaw)

    /// Of the contract.
    public var code: String {
        switch self {
        case .unknownRun: "unknown-run"
        case .runExists: "run-exists"
        case .runOver: "run-over"
        case .runBegun: "run-begun"
        case .runCancelled: "run-cancelled"
        case .notEnrolled: "not-enrolled"
        case .tooManyRuns, .tooManyRunners: "too-many-runs"
        case .tooLong, .flaw: "wrong-run"
        }
    }

    public var description: String {
        switch self {
        case .unknownRun(let run): "there is no run \(run)"
        case .runExists(let run): "there is a run \(run) already: change it, or choose another id"
        case .runOver(let run): "the run \(run) is over: change its end first, if it goes on"
        case .runBegun(let run):
            "the run \(run) has begun, and its runners are followed along its course: leave the course out"
        case .runCancelled(let run): "the run \(run) is cancelled for good: create another"
        case .notEnrolled(let bib): "bib \(bib) is not in the run"
        case .tooManyRuns(let most): "commands have made \(most) runs, and no more are kept"
        case .tooManyRunners(let most): "a run has \(most) runners at most"
        case .tooLong(let length):
            "it would last \(length.wholeDays) days, and whoever is in it is timed all the while: a run takes less than \(Run.longest.wholeDays); "
                + "correct a start or the end"
        case .flaw(let flaw): flaw.description
        }
    }
}

/// Changes of the runs by commands, and enrolments by their files, which must outlive a restart. Holds no key.
public struct CommandedRuns: Hashable, Codable, Sendable {
    /// Changes over one run of a file, or a whole run without a file.
    struct Layer: Hashable, Codable, Sendable {
        /// Nil where no command describes the run.
        var outline: RunOutline?
        /// Content of the file when the command came; nil where there was no file.
        var insteadOf: RunOutline?
        var isCancelled = false
        /// By bib.
        var enrolled: [Int: Entrant] = [:]
        var left: Set<Bib> = []
        /// When the last command for it came.
        var touched: WallTime

        /// - Parameters:
        ///   - file: nil where there is none for this run.
        /// - box: ID of the box; the file alone names its carrier.
        func plan(_ id: RunID, over file: RunPlan?, keeping box: GatewayID?) -> RunPlan? {
            guard let outline = outline(over: file?.outline) else { return nil }
            let filed = Dictionary((file?.entrants ?? []).map { ($0.bib, $0) }) { first, _ in first }
            let kept = (file?.entrants ?? []).filter { enrolled[$0.bib.number] == nil }
            let added = enrolled.values.map { entrant in
                let file = filed[entrant.bib]
                let isTold = entrant.carries == nil || entrant.carries != box
                return entrant.being(file?.person, carrying: isTold ? entrant.carries : file?.carries)
            }
            return RunPlan(
                id: id, outline: outline,
                entrants: (kept + added).filter { !left.contains($0.bib) }.sorted { $0.bib < $1.bib })
        }

        /// A command's value holds until somebody writes another into the file.
        func outline(over file: RunOutline?) -> RunOutline? {
            guard let file else { return insteadOf == nil ? outline : nil }
            return insteadOf == file ? outline ?? file : file
        }
    }

    var layers: [String: Layer] = [:]
    /// By the run.
    var filed: [String: FiledRunners] = [:]

    public init() {}

    subscript(_ run: RunID) -> Layer? {
        get { layers[run.text] }
        set { layers[run.text] = newValue }
    }
}
