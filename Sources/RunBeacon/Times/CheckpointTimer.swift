public import GatewayModel
import RealModule

/// From the passages at one checkpoint to the passings of one run: which time of a runner it is, and whether it counts.
///
/// Nothing is left out: what does not count has no order, and flags that say why. A passing is told once and never
/// changed; where a later one is the better, it has the same order, and the checkpoint's rule for that says which counts.
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

    /// The run was changed. What was counted stays so, of those who left as well.
    public mutating func follow(_ run: Run, at checkpoint: Checkpoint) {
        guard run.id == self.run else { return }
        self.checkpoint = checkpoint
        end = run.end
        let waves = Dictionary(run.waves.map { ($0.id, $0.start) }, uniquingKeysWith: { first, _ in first })
        starts = Dictionary(
            run.participants.compactMap { runner in waves[runner.wave].map { (runner.bib, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The box hears nothing that was before: of whoever is near it then nobody knows whether they have come or stayed.
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
    ///   - marks: what others know of it: `cloned`, `clockStepped`.
    ///   - makeID: of a passing at that time.
    /// - Returns: nil for who is not in the run, or has left it: nothing is told of them.
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
                passing(
                    order: order, isLong(order, draft, passage.nearest) ? flags.union([.longLap]) : flags)
            case .not(let flag): passing(order: nil, flags.union([flag]))
            }
        note(told, at: passage.nearest, of: passage.tag)
        return told
    }

    /// Runners whose wave started `wait` or longer before `now` and who have not passed as often as the course does,
    /// in the order of their bibs.
    public func awaited(at now: WallTime, after wait: Duration = .zero) -> [Bib] {
        starts.filter { bib, start in
            let passed = held[bib]?.passing.order ?? 0
            return passed < checkpoint.distances.count && start.duration(to: now) >= wait
        }.keys.sorted()
    }

    /// How often a runner's passing here was counted.
    public func count(of bib: Bib) -> Int { held[bib]?.passing.order ?? 0 }
}

// MARK: What counts

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
    /// whoever goes on standing there.
    private func isStillThere(
        _ held: HeldPassing, _ order: Int, _ new: Passing, _ passage: Passage
    ) -> Bool {
        guard let since, held.isBefore(since), passage.first <= since.advanced(by: PassageRules().silence)
        else { return false }
        // A lap that ends now was run before they were heard; whoever rests was here by then.
        guard let gap = held.gap(to: new.first, isKnown: new.bound != nil, passage.first) else {
            return passage.flags.contains(.lingered)
        }
        let lap = held.lap(to: order + 1, after: gap, checkpoint.distances)
        return lap?.isPossible(to: order + 1, checkpoint.distances) != true
    }

    private func isClearer(_ new: Passing, than held: HeldPassing) -> Bool {
        held.passing.flags.contains(.stray) && !new.flags.contains(.stray)
    }

    /// Whether what came from far away may end a lap, and what comes `gap` later the next: without it one of them would be
    /// missing. So in none of a runner's first two: it is judged by laps from here to here.
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
        // Who stands on the line is nearest a moment before the gun as well as after it.
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
