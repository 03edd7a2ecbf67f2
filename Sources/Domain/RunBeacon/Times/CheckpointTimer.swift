public import GatewayModel
import RealModule

/// From the passages at one checkpoint to the passings of one run: which time of a runner it is, and whether it counts.
/// Nothing is left out: a passing that does not count has no order, and flags with the reason. A passing is
/// told once and never changed; where a later one is the better, it has the same order, and the checkpoint's
/// rule for that says which counts.
///
/// Pure. After a restart it is rebuilt from the passings that were kept: `fold` them in the order they were told.
public struct CheckpointTimer: Sendable {
    /// The wall time of an instant, and how good it is.
    public typealias Dating = (BootInstant) -> (time: WallTime, clock: ClockState)

    public let run: RunID
    /// The box.
    public let gateway: GatewayID
    public private(set) var checkpoint: Checkpoint
    private var end: WallTime
    private var starts: [Bib: WallTime] = [:]
    /// Since when the box has listened without a break; nil where that is not known.
    private var since: BootInstant?
    /// The latest that counts.
    private var held: [Bib: HeldPassing] = [:]
    private var usual = UsualStrength()

    public init(_ run: Run, at checkpoint: Checkpoint, gateway: GatewayID) {
        (self.run, self.checkpoint, self.gateway) = (run.id, checkpoint, gateway)
        end = run.end
        follow(run, at: checkpoint)
    }

    /// The run was changed. Counted passings stay so, also of runners that left.
    public mutating func follow(_ run: Run, at checkpoint: Checkpoint) {
        guard run.id == self.run else { return }
        self.checkpoint = checkpoint
        end = run.end
        let waves = Dictionary(run.waves.map { ($0.id, $0.start) }, uniquingKeysWith: { first, _ in first })
        starts = Dictionary(
            run.participants.compactMap { runner in waves[runner.wave].map { (runner.bib, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The box has not heard anything before: for a runner near it then, nobody knows whether they have come or
    /// stayed.
    public mutating func listen(from now: BootInstant) { since = now }

    /// One that was told before, by this box or before a restart. Those by positions are no passages at it.
    /// - Parameter instant: nil for one of an earlier start of the machine.
    public mutating func fold(_ passing: Passing, at instant: BootInstant? = nil) {
        guard passing.run == run, passing.checkpoint == checkpoint.id, passing.method != .gpsLine else {
            return
        }
        note(passing, at: instant, of: nil)
    }

    /// - Parameters:
    /// - marks: doubts of other parts: `cloned`, `clockStepped`.
    ///   - makeID: of a passing at that time.
    /// - Returns: nil for a runner that is not in the run, or has left it: nothing is told of them.
    public mutating func take(
        _ passage: Passage, of bib: Bib, marks: Set<Passing.Flag> = [], dating: Dating,
        makeID: (WallTime) -> MessageID
    ) -> Passing? {
        guard let start = starts[bib] else { return nil }
        let (time, clock) = dating(passage.nearest)
        let bound = clock.bound.map { Self.combined(passage.bound, $0) }
        var flags = marks.union(passage.flags.map(Passing.Flag.init))
        if clock.bound == nil { flags.insert(.clockUnset) }
        if usual.isFar(passage.strongest) { flags.insert(.stray) }
        func passing(order: Int?, _ flags: Set<Passing.Flag>) -> Passing {
            Passing(
                id: makeID(time), run: run, checkpoint: checkpoint.id, gateway: gateway, bib: bib, order: order,
                time: time, first: dating(passage.first).time, last: dating(passage.last).time, clock: clock,
                bound: bound, hits: passage.hits, strongest: passage.strongest, flags: flags)
        }
        let draft = passing(order: nil, flags)
        let place = place(draft, passage, from: start)
        let told: Passing =
            switch place {
            case .counts(let order):
                passing(order: order, flags.union(doubts(order, draft, passage.nearest)))
            case .not(let flag): passing(order: nil, flags.union([flag]))
            }
        note(told, at: passage.nearest, of: passage.tag)
        return told
    }

    /// Runners of a wave that started `wait` or longer before `now` that have not passed as often as the course
    /// does, in the order of their bibs.
    public func awaited(at now: WallTime, after wait: Duration = .zero) -> [Bib] {
        starts.filter { bib, start in
            let passed = held[bib]?.passing.order ?? 0
            return passed < checkpoint.distances.count && start.duration(to: now) >= wait
        }.keys.sorted()
    }

    /// How often a runner's passing here was counted.
    public func count(of bib: Bib) -> Int { held[bib]?.passing.order ?? 0 }
}

// MARK: Counting

extension CheckpointTimer {
    private enum Place {
        case counts(Int)
        case not(Passing.Flag)
    }

    private func place(_ new: Passing, _ passage: Passage, from start: WallTime) -> Place {
        if let flag = outside(new, from: start) { return .not(flag) }
        guard let held = held[new.bib], let order = held.passing.order else { return first(new, from: start) }
        let isSame = held.lies(in: passage) || isStillThere(held, order, new, passage)
        guard let gap = held.gap(to: new, passage.nearest) else {
            return later(new, than: held, order, isSame: isSame, from: start)
        }
        let window = checkpoint.window(after: order)
        let isClear = isClearer(new, than: held) && (isSame || !isLap(held, before: gap))
        if gap >= window && !isClear && !isSame {
            return order < checkpoint.distances.count ? .counts(order + 1) : .not(.surplus)
        }
        guard gap > .zero - window || isSame else { return .not(.outOfTurn) }
        let isOwn = gap < window || held.tag == passage.tag
        guard isClear || isOwn && prefers(new, to: held, gap) else { return .not(.tooSoon) }
        guard order > 1 else { return first(new, from: start) }
        let took = held.lap?.took.map { $0 + gap }
        let isNearer = took.map { $0 < checkpoint.window(after: order - 1) } ?? false
        return isNearer ? .not(.tooSoon) : .counts(order)
    }

    /// After a start of the machine since which nobody has told it the time, or before which nobody had: how much later it is
    /// nobody can say. It counts: one too many shows by `clock-unset`, and one that is left out makes all behind it one
    /// short.
    private func later(
        _ new: Passing, than held: HeldPassing, _ order: Int, isSame: Bool, from start: WallTime
    ) -> Place {
        if isClearer(new, than: held) { return order > 1 ? .counts(order) : first(new, from: start) }
        if isSame { return .not(.tooSoon) }
        return order < checkpoint.distances.count ? .counts(order + 1) : .not(.surplus)
    }

    /// Whether a runner has been near the box since they were counted, though it has begun to listen in between: they are
    /// heard as soon as it does, and sooner than they can have run a lap. Where nobody can say how soon that is, they are
    /// a runner that goes on standing there.
    private func isStillThere(
        _ held: HeldPassing, _ order: Int, _ new: Passing, _ passage: Passage
    ) -> Bool {
        guard let since, held.isBefore(since), passage.first <= since.advanced(by: PassageRules().silence)
        else { return false }
        // A lap that ends now was run before they were heard; a resting runner was here by then.
        guard let gap = held.gap(to: new.first, isKnown: new.bound != nil, passage.first) else {
            return passage.flags.contains(.lingered)
        }
        let lap = held.lap(to: order + 1, after: gap, checkpoint.distances)
        return lap?.isPossible(to: order + 1, checkpoint.distances) != true
    }

    private func isClearer(_ new: Passing, than held: HeldPassing) -> Bool {
        held.passing.flags.contains(.stray) && !new.flags.contains(.stray)
    }

    /// Whether a passing from far away may end a lap, and a passing `gap` later the next: without it one of
    /// them would be missing. So in none of a runner's first two: it is judged by laps from here to here.
    private func isLap(_ held: HeldPassing, before gap: Duration) -> Bool {
        let distances = checkpoint.distances
        guard let own = held.passing.order, gap >= checkpoint.window(after: own), let lap = held.lap,
            let both = held.lap(to: own, after: gap, distances),
            let next = held.lap(to: own + 1, after: gap, distances)
        else { return false }
        return both.isLong(to: own, distances) && lap.isWhole(to: own, distances)
            && next.isWhole(to: own + 1, distances)
    }

    /// By the same clock as the gap: one of them may be dated by a clock that was stepped meanwhile.
    private func prefers(_ new: Passing, to held: HeldPassing, _ gap: Duration) -> Bool {
        guard let order = held.passing.order,
            new.flags.contains(.stray) == held.passing.flags.contains(.stray)
        else { return false }
        let rule = checkpoint.rule(forOrder: order)
        return switch rule {
        case .first: gap < .zero
        case .last: gap > .zero
        case .best: rule.prefers(new, to: held.passing)
        }
    }

    private func first(_ new: Passing, from start: WallTime) -> Place {
        let isTooSoon =
            checkpoint.distances[0] > 0 && new.bound != nil
            && start.duration(to: new.time) < checkpoint.minimumSplit
        return isTooSoon ? .not(.tooSoon) : .counts(1)
    }

    /// Of a clock that was never set nobody can say.
    private func outside(_ new: Passing, from start: WallTime) -> Passing.Flag? {
        guard let bound = new.bound else { return nil }
        // A runner on the line is nearest a moment before the gun as well as after it.
        if start.duration(to: new.time) < .zero - bound { return .beforeStart }
        return new.time >= end ? .afterEnd : nil
    }

    /// - Parameter tag: nil for one that was told before.
    private mutating func note(_ told: Passing, at instant: BootInstant?, of tag: TagNumber?) {
        guard let order = told.order else { return }
        if !told.flags.contains(.stray) { usual.add(told.strongest) }
        func hold(_ lap: Lap?) {
            held[told.bib] = HeldPassing(passing: told, instant: instant, tag: tag, lap: lap)
        }
        guard let old = held[told.bib], let current = old.passing.order else {
            return hold(lapFromStart(to: told))
        }
        guard order >= current else { return }
        if order == current, tag == nil,
            !checkpoint.rule(forOrder: order).prefers(told, to: old.passing)
        {
            return
        }
        let gap = old.gap(to: told, instant)
        // In place of the first, from the start again: that one may have been told of before the wave's start was changed.
        hold(order == 1 ? lapFromStart(to: told) : old.lap(to: order, after: gap, checkpoint.distances))
    }

    private func lapFromStart(to told: Passing) -> Lap? {
        guard told.bound != nil, let start = starts[told.bib] else { return nil }
        return Lap(order: 0, took: start.duration(to: told.time), earlier: LapPaces())
    }

    /// Doubts about the lap that ends with `new`.
    private func doubts(_ order: Int, _ new: Passing, _ instant: BootInstant) -> Set<Passing.Flag> {
        if isLong(order, new, instant) { return [.longLap] }
        // One that was heard from afar is in doubt already, and often half a lap.
        guard !new.flags.contains(.stray), let held = held[new.bib], held.passing.order != nil else {
            return []
        }
        let lap = held.lap(to: order, after: held.gap(to: new, instant), checkpoint.distances)
        return lap?.isFast(to: order, checkpoint.distances) == true ? [.fastLap] : []
    }

    /// Whether a lap that was not heard may lie between `new` and the one before it.
    private func isLong(_ order: Int, _ new: Passing, _ instant: BootInstant) -> Bool {
        guard let held = held[new.bib], let current = held.passing.order else { return false }
        let (distances, gap) = (checkpoint.distances, held.gap(to: new, instant))
        // Of the two laps that a far one has made of a long one, one may be none.
        if let gap, order > current, isClearer(new, than: held), isLap(held, before: gap) { return true }
        return held.lap(to: order, after: gap, distances)?.isLong(
            to: order, distances)
            ?? false
    }

    /// Of errors that have nothing to do with each other: both hold 95 %, and so does this.
    private static func combined(_ one: Duration, _ other: Duration) -> Duration {
        let (one, other) = (Double(one.wholeNanoseconds), Double(other.wholeNanoseconds))
        return .nanoseconds(Int64((one * one + other * other).squareRoot()))
    }
}

extension Passing.Flag {
    init(_ flag: Passage.Flag) {
        self =
            switch flag {
            case .fewHits: .fewHits
            case .noPeak: .noPeak
            case .lingered: .lingered
            case .oneSided: .oneSided
            }
    }
}

extension WallTime {
    func duration(to other: WallTime) -> Duration {
        .milliseconds(other.millisecondsSince1970 - millisecondsSince1970)
    }
}

/// The latest passing of a runner that counts; the next one is judged by it.
struct HeldPassing: Sendable {
    let passing: Passing
    /// Nil for one of an earlier start of the machine.
    let instant: BootInstant?
    /// Nil for one of an earlier start of the program.
    let tag: TagNumber?
    /// The one that it ends. Nil where nobody can say how long it took.
    let lap: Lap?

    /// By the clock that is never stepped, where both are of this start. Nil where they are not, and one of them was dated
    /// by a clock that nobody had set: nobody can say how long that was.
    func gap(to new: Passing, _ instant: BootInstant?) -> Duration? {
        gap(to: new.time, isKnown: new.bound != nil, instant)
    }

    /// - Parameter isKnown: whether the clock had been set that says `time`.
    func gap(to time: WallTime, isKnown: Bool, _ instant: BootInstant?) -> Duration? {
        if let own = self.instant, let instant { return own.duration(to: instant) }
        return isKnown && passing.bound != nil ? passing.time.duration(to: time) : nil
    }

    /// Whether a tag was near the box from before it until after it. A tag that stays is told of more than
    /// once, and has run no lap meanwhile; nor does a spare tag in a bag beside the box make one.
    func lies(in passage: Passage) -> Bool {
        instant.map { passage.first <= $0 && $0 <= passage.last } ?? false
    }

    /// Whether the box began to listen after it: nobody has heard since then whether they went.
    func isBefore(_ since: BootInstant) -> Bool { instant.map { $0 < since } ?? true }

    /// The lap that one so much later ends: the next, or the same where that counts in place of this one.
    /// - Parameters:
    ///   - gap: nil where nobody can say.
    ///   - distances: of the checkpoint.
    func lap(to order: Int, after gap: Duration?, _ distances: [Double]) -> Lap? {
        guard let own = passing.order else { return nil }
        guard order > own else {
            return lap.map { lap in
                let took = lap.took.flatMap { took in gap.map { took + $0 } }
                return Lap(order: lap.order, took: took, earlier: lap.earlier)
            }
        }
        var paces = lap?.earlier ?? LapPaces()
        if let lap, let pace = lap.pace(to: own, distances) { paces.add(pace, isFromStart: lap.order == 0) }
        return Lap(order: own, took: gap, earlier: paces)
    }
}

extension Checkpoint.Rule {
    /// Which of two passings of one runner with the same order counts. A reader of passings judges by the same
    /// rule as the box that tells them.
    public func prefers(_ new: Passing, to old: Passing) -> Bool {
        let (newIsStray, oldIsStray) = (new.flags.contains(.stray), old.flags.contains(.stray))
        guard newIsStray == oldIsStray else { return oldIsStray }
        switch self {
        case .first: return new.time < old.time
        case .last: return new.time > old.time
        case .best: return Self.clarity(of: new) > Self.clarity(of: old)
        }
    }

    /// In falling weight: that it is a passage at all, how sure its time is, and how many heard it.
    private static func clarity(of passing: Passing) -> (Int, Duration, Int) {
        let doubts = passing.flags.intersection([.lingered, .noPeak, .oneSided, .fewHits, .cloned]).count
        return (-doubts, .zero - (passing.bound ?? .seconds(86_400)), passing.hits)
    }
}

extension Checkpoint {
    /// In which a runner's second tag is heard, and nobody comes round again.
    private static let pass = Duration.seconds(30)
    /// A runner in the crowd of a start comes near the mat more than once before leaving it.
    private static let crowd = Duration.seconds(300)

    /// A passing of one runner that is so close to their time `order` is no other. The minimum split where the organiser
    /// gives one. Where nobody wrote that this is a start, and the course comes back to it, no longer than anybody needs to
    /// come round.
    func window(after order: Int) -> Duration {
        if minimumSplit > .zero { return minimumSplit }
        guard rule(forOrder: order) == .last else { return Self.pass }
        guard writtenRule == nil, distances.indices.contains(order) else { return Self.crowd }
        let metres = distances[order] - distances[order - 1]
        return min(Self.crowd, max(Self.pass, .seconds(metres / TrackRules().fastest)))
    }
}

/// Usual signal strength of passing runners here, to recognise a distant one.
struct UsualStrength: Sendable {
    private static let kept = 64
    /// Fewer say nothing yet.
    private static let needed = 10
    /// dB below the median. Lines 1 to 5 m from the box, tags that differ by ±6 dB, and a body in the way make 16 dB
    /// between the median and the weakest of hundreds that are simulated; 20 dB are seven times the distance.
    private static let far = 20

    private var latest: [Int8] = []
    private var next = 0
    /// dBm: a weaker passing comes from far away. Nil as long as too few have passed.
    private(set) var weakest: Int8?

    mutating func add(_ strongest: Int8) {
        if latest.count < Self.kept {
            latest.append(strongest)
        } else {
            latest[next] = strongest
            next = (next + 1) % Self.kept
        }
        guard latest.count >= Self.needed else { return }
        weakest = Int8(clamping: Int(latest.sorted()[latest.count / 2]) - Self.far)
    }

    func isFar(_ strongest: Int8) -> Bool { weakest.map { strongest < $0 } ?? false }
}
