public import GatewayModel

/// Correction of the results of a run by a person. The log of passings stays as it is.
public struct RaceCorrection: Hashable, Sendable {
    /// State of a runner that a person gives.
    public enum Mark: String, CaseIterable, Hashable, Sendable {
        case didNotStart = "dns"
        case didNotFinish = "dnf"
        case disqualified = "dsq"
    }

    public enum Act: Hashable, Sendable {
        /// A passing that no box has heard.
        /// - order: which time at the checkpoint, from 1.
        /// - bound: error in 95 of 100 cases, in milliseconds.
        case add(CheckpointID, order: Int, time: WallTime, bound: Int64)
        /// The passing does not count.
        case strike(MessageID)
        case mark(Mark)
        /// An earlier correction of the run does not count, by its number.
        case undo(Int)

        /// Name in the log, on the wire and at the control socket.
        public var name: String {
            switch self {
            case .add: "add"
            case .strike: "strike"
            case .mark(let mark): mark.rawValue
            case .undo: "undo"
            }
        }
    }

    /// Error bounds of a passing by hand, in milliseconds: from a video to a note without seconds.
    public static let bounds: ClosedRange<Int64> = 1...600_000
    /// Error of a time that a person takes by a watch without saying how well, in milliseconds.
    public static let usualBound: Int64 = 1_000
    /// In characters, of a reason.
    public static let reasonLength = 1...120
    /// Maximum number of corrections of one run.
    public static let most = 2_000

    /// Place in the corrections of the run, from 1.
    public let number: Int
    public let run: RunID
    public let bib: Bib
    public let act: Act
    /// Name of the person or of the device that they used.
    public let by: String
    public let at: WallTime
    public let reason: String

    public init(
        number: Int, run: RunID, bib: Bib, act: Act, by: String, at: WallTime, reason: String
    ) {
        (self.number, self.run, self.bib, self.act) = (number, run, bib, act)
        (self.by, self.at, self.reason) = (by, at, reason)
    }
}

/// Reason why a correction is not taken, in words for the organiser.
public enum CorrectionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownRunner(Bib)
    case unknownPoint(CheckpointID, order: Int)
    case unknownTime(WallTime)
    case unknownPassing(MessageID)
    case unknownCorrection(Int)
    case undone(Int)
    case tooMany

    public var description: String {
        switch self {
        case .unknownRunner(let bib): "bib \(bib): not in this run; see: homegateway runs show"
        case .unknownPoint(let checkpoint, let order):
            "\(checkpoint) \(order): the run has no such point; see: homegateway runs show"
        case .unknownTime(let time):
            "the time \(time.millisecondsSince1970): expected one between the first start and a day after the end of the run"
        case .unknownPassing(let id):
            "the passing \(id): this runner has none like it; see: homegateway standings --json"
        case .unknownCorrection(let number):
            "correction \(number): not of this runner in this run; see: homegateway race corrections"
        case .undone(let number): "correction \(number): undone already"
        case .tooMany:
            "\(RaceCorrection.most) corrections of the run are kept, and there is no room for more"
        }
    }
}

/// The corrections of one run that count: a correction counts until another one undoes it. Pure.
public struct RaceCorrections: Hashable, Sendable {
    /// In the order of their numbers.
    public private(set) var all: [RaceCorrection] = []
    private var undone: Set<Int> = []

    public init() {}

    /// - Parameter all: of one run, in any order.
    public init(_ all: [RaceCorrection]) {
        self.all = all.sorted { $0.number < $1.number }
        judge()
    }

    public var nextNumber: Int { (all.last?.number ?? 0) + 1 }

    public mutating func add(_ correction: RaceCorrection) {
        all.append(correction)
        judge()
    }

    /// The newest first, since an undoing that is undone itself lets the earlier correction count again.
    private mutating func judge() {
        undone = []
        for correction in all.reversed() where !undone.contains(correction.number) {
            if case .undo(let number) = correction.act { undone.insert(number) }
        }
    }

    public func counts(_ correction: RaceCorrection) -> Bool { !undone.contains(correction.number) }

    private var counting: [RaceCorrection] { all.filter(counts) }

    /// The reason to refuse an act about a runner; nil for none.
    ///
    /// - Parameter passings: of the runner in this run.
    public func refusal(
        of act: RaceCorrection.Act, about bib: Bib, in run: Run, passings: [Passing]
    ) -> CorrectionRefusal? {
        guard all.count < RaceCorrection.most else { return .tooMany }
        guard run.participant(bib) != nil else { return .unknownRunner(bib) }
        switch act {
        case .add(let checkpoint, let order, let time, _):
            guard run.points.contains(where: { $0.checkpoint == checkpoint && $0.order == order }) else {
                return .unknownPoint(checkpoint, order: order)
            }
            let latest = run.end.millisecondsSince1970 + 86_400_000
            guard (run.start.millisecondsSince1970...latest).contains(time.millisecondsSince1970) else {
                return .unknownTime(time)
            }
        case .strike(let id):
            let own = corrected(passings, of: run).contains { $0.id == id && $0.bib == bib }
            guard own else { return .unknownPassing(id) }
        case .mark: break
        case .undo(let number):
            guard let other = all.first(where: { $0.number == number && $0.bib == bib }) else {
                return .unknownCorrection(number)
            }
            guard counts(other) else { return .undone(number) }
        }
        return nil
    }

    /// The passings without those that were struck, and with those by hand.
    public func corrected(_ passings: [Passing], of run: Run) -> [Passing] {
        let counting = counting
        let struck = Set(counting.compactMap { if case .strike(let id) = $0.act { id } else { nil } })
        return (passings + counting.compactMap { $0.passing(in: run) }).filter { !struck.contains($0.id) }
    }

    /// State of each runner by the newest mark that counts.
    public var marks: [Bib: RaceCorrection.Mark] {
        counting.reduce(into: [:]) { marks, correction in
            if case .mark(let mark) = correction.act { marks[correction.bib] = mark }
        }
    }
}

extension Standings {
    /// Adds the passings of a run as its corrections leave them, with the marks of the runners.
    public mutating func add(_ passings: [Passing], corrected corrections: RaceCorrections, of run: Run) {
        for passing in corrections.corrected(passings, of: run) { add(passing) }
        for (bib, mark) in corrections.marks { self.mark(bib, as: mark) }
    }
}

extension RaceCorrection {
    /// Passing by hand; nil for other acts.
    fileprivate func passing(in run: Run) -> Passing? {
        guard case .add(let checkpoint, let order, let time, let bound) = act else { return nil }
        let place = run.checkpoints.first { $0.id == checkpoint }
        guard let gateway = place?.box ?? GatewayID("by-hand") else { return nil }
        let bounds = Duration.milliseconds(bound)
        return Passing(
            id: addedPassing, run: self.run, checkpoint: checkpoint, gateway: gateway, bib: bib, order: order,
            time: time,
            first: time, last: time, clock: ClockState(source: .freeRunning, bound: bounds), bound: bounds,
            hits: 0,
            strongest: 0, method: .manual, flags: [])
    }

    /// ID of the passing that an `add` makes: the same for the same correction.
    public var addedPassing: MessageID {
        let start = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        var numbers = DerivedNumbers(seed: FNVHash(of: run.text.utf8, after: start).value)
        return MessageID(wall: at, using: &numbers)
    }
}
