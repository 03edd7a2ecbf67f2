import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Synchronization
import TagAdverts
import Testing
import WireFormats

@Suite struct `The box at a checkpoint` {
    private static let town = FieldRun(
        Field(.small), boot: BootInstant(nanoseconds: 600_000_000_000),
        wall: WallTime(millisecondsSince1970: 1_800_000_000_000))
    private static let adverts = town.adverts
    private static var truths: [Field.Truth] { town.field.truths }

    private static func instant(_ seconds: Double) -> BootInstant { town.instant(seconds) }

    /// Set by a time server.
    private static var clock: RaceClock {
        var clock = RaceClock()
        for second in stride(from: -20.0, to: 0, by: 1) {
            clock.observe(
                ClockObservation(
                    source: .ntp, at: instant(second),
                    wall: town.time(second).millisecondsSince1970 * 1_000_000, bound: .milliseconds(5)))
        }
        return clock
    }

    private static func tracker(by clock: any RaceTimekeeping = clock) -> RaceTracker<AdvertRecogniser> {
        let ids = IDs()
        return RaceTracker(
            gateway: FieldRun.box, boot: "this", clock: clock,
            recogniser: AdvertRecogniser(cipher: SampleCipher())
        ) { ids.next(at: $0) }
    }

    /// Returns the passings of the field from `start` on, up to `end`.
    private static func play(
        _ tracker: inout RaceTracker<AdvertRecogniser>, from start: Double = -30, to end: Double = 400
    ) -> [Passing] {
        var passings: [RecordedPassing] = []
        var next = instant(start)
        for advert in adverts where (instant(start)..<instant(end)).contains(advert.arrival) {
            while next <= advert.arrival {
                passings += tracker.elapse(to: next)
                next = next.advanced(by: .milliseconds(200))
            }
            passings += tracker.hear(advert)
        }
        while next <= instant(end) {
            passings += tracker.elapse(to: next)
            next = next.advanced(by: .milliseconds(200))
        }
        return passings.map(\.passing)
    }

    @Test func `times every runner each time they pass, and nobody else`() throws {
        var tracker = Self.tracker()
        var passings = tracker.follow(Self.town.book(), at: Self.instant(-30)).map(\.passing)
        passings += Self.play(&tracker)
        #expect(FieldRun.times(passings) == Self.town.expected)
        #expect(Set(passings.map(\.id)).count == passings.count)
        let outside = passings.filter { passing in
            let truth = Self.truths.first { $0.runner + 1 == passing.bib.number && $0.order == passing.order }
            guard let truth, let bound = passing.bound else { return true }
            let error =
                passing.time.millisecondsSince1970 - Self.town.time(truth.nearest).millisecondsSince1970
            return abs(error) > bound.wholeMilliseconds
        }
        #expect(outside.count <= 2, "\(outside)")
    }

    @Test func `idles until the start and after the end, and asks for no advert then`() throws {
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(until: 300), at: Self.instant(-30))
        #expect(tracker.isIdle && tracker.table.rules.isEmpty)
        // A runner that warms up beside the box is not heard.
        _ = tracker.hear(try #require(Self.adverts.first))
        #expect(tracker.table.counts.heard == 0)
        _ = tracker.elapse(to: Self.instant(0))
        #expect(!tracker.isIdle && tracker.table.rules.count == Self.town.field.plan.scenario.runners)
        _ = tracker.elapse(to: Self.instant(300))
        #expect(tracker.isIdle && tracker.table.rules.isEmpty)
        #expect(tracker.nextLook(after: Self.instant(300)) == nil)
    }

    /// Its time is not known, and its own clock is a month ahead, or an hour.
    @Test(arguments: [2_592_000.0, 3_600]) func `times a run that was over by a clock that nobody had set`(
        ahead: Double
    ) throws {
        var clock = RaceClock()
        clock.look(
            at: Self.instant(-100), wall: Self.town.time(-100 + ahead).millisecondsSince1970 * 1_000_000,
            spread: .zero)
        let unset = SharedClock(clock)
        var tracker = Self.tracker(by: unset)
        var book = Self.town.book(until: 500)
        let later = RunOutline(
            title: "Evening run", end: Self.town.time(9_600),
            waves: [Wave(id: WaveID(sample: "all"), start: Self.town.time(9_000))],
            checkpoints: [try #require(Checkpoint(id: CheckpointID(sample: "arch"), distances: [5_000]))])
        try book.perform(
            .create(RunPlan(id: RunID(sample: "evening"), outline: later, entrants: [])), at: Self.town.wall)
        var passings = tracker.follow(book, at: Self.instant(-100)).map(\.passing)
        #expect(tracker.isIdle)
        let look = try #require(tracker.nextLook(after: Self.instant(-60)), "nothing else may come")
        #expect(look <= Self.instant(-59))
        unset.clock.withLock { $0 = Self.clock }
        passings += Self.play(&tracker, from: -59)
        #expect(FieldRun.times(passings) == Self.town.expected)
    }

    @Test func `tells of who was near when the run ended`() throws {
        let last = try #require(
            Self.truths.filter { $0.order == 1 }.max { $0.nearest < $1.nearest })
        let end = last.nearest + 3
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(until: end), at: Self.instant(-30))
        let passings = Self.play(&tracker, to: end + 1)
        #expect(passings.contains { $0.bib.number == last.runner + 1 && $0.order == 1 })
    }

    @Test func `tells of who was near when one of two runs ended, in that run`() throws {
        let last = try #require(
            Self.truths.filter { $0.order == 1 }.max { $0.nearest < $1.nearest })
        let bib = last.runner + 1
        // The other run goes on, for one runner with a tag of both, and without the other.
        for shared in [false, true] {
            let other = RunID(sample: "other")
            var plans = [Self.town.plan(until: last.nearest + 3), Self.town.plan(other, until: 600)]
            if !shared { plans[1].entrants.removeAll { $0.bib.number == bib } }
            var book = RunCatalog()
            book.replaceFiles(plans, with: RunMaterials(), at: Self.town.time(-30))
            var tracker = Self.tracker()
            _ = tracker.follow(book, at: Self.instant(-30))
            let passings = Self.play(&tracker, to: last.nearest + 60).filter { $0.bib.number == bib }
            #expect(passings.filter { $0.run == FieldRun.run }.map(\.order) == [1])
            #expect(passings.filter { $0.run == other }.map(\.order) == (shared ? [1] : []))
        }
    }

    @Test func `stops at once for a runner who leaves, beside the box even`() throws {
        let first = try #require(Self.truths.min { $0.nearest < $1.nearest })
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(), at: Self.instant(-30))
        var passings = Self.play(&tracker, to: first.nearest + 1)
        #expect(passings.isEmpty)
        let book = Self.town.book(without: [first.runner])
        passings += tracker.follow(book, at: Self.instant(first.nearest + 1)).map(\.passing)
        passings += Self.play(&tracker, from: first.nearest + 1)
        #expect(!passings.contains { $0.bib.number == first.runner + 1 })
        let others = Self.town.expected.filter { $0.key.bib != first.runner + 1 }
        #expect(FieldRun.times(passings) == others)
    }

    @Test func `times a runner who left beside the box by mistake as if nothing had been`() throws {
        let first = try #require(Self.truths.min { $0.nearest < $1.nearest })
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(), at: Self.instant(-30))
        var passings = Self.play(&tracker, to: first.nearest + 1)
        for book in [Self.town.book(without: [first.runner]), Self.town.book()] {
            passings += tracker.follow(book, at: Self.instant(first.nearest + 1)).map(\.passing)
        }
        passings += Self.play(&tracker, from: first.nearest + 30)
        let orders = passings.filter { $0.bib.number == first.runner + 1 }.map(\.order)
        #expect(orders == [1], "what was heard before they left is not counted")
    }

    /// A tag that was written down wrongly may belong to any person, or lie on the desk beside the box.
    @Test func `gives what is being heard of a tag to nobody who had it before`() throws {
        let first = try #require(Self.truths.min { $0.nearest < $1.nearest })
        let change = first.nearest + 1
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(), at: Self.instant(-30))
        var passings = Self.play(&tracker, to: change)
        var plan = Self.town.plan()
        let index = try #require(plan.entrants.firstIndex { $0.bib.number == first.runner + 1 })
        let old = plan.entrants[index]
        plan.entrants[index] = Entrant(bib: old.bib, wave: old.wave, tags: [.heard(FieldRun.tag(200))])
        var book = RunCatalog()
        book.replaceFiles([plan], with: RunMaterials(), at: Self.town.time(change))
        passings += tracker.follow(book, at: Self.instant(change)).map(\.passing)
        passings += Self.play(&tracker, from: change)
        #expect(!passings.contains { $0.bib == old.bib })
        #expect(FieldRun.times(passings) == Self.town.expected.filter { $0.key.bib != first.runner + 1 })
    }

    /// Between the last start and the first finish.
    private static var pause: Double {
        (truths.filter { $0.order == 1 }.map(\.nearest).max() ?? 0) + 15
    }

    @Test func `goes on after a restart where it was`() {
        let pause = Self.pause
        var before = Self.tracker()
        var passings = before.follow(Self.town.book(), at: Self.instant(-30)).map(\.passing)
        passings += Self.play(&before, to: pause)
        let earlier = passings
        var after = Self.tracker()
        passings += after.follow(Self.town.book(), at: Self.instant(pause)).map(\.passing)
        after.recall(earlier.map(\.ofEarlierStart))
        passings += Self.play(&after, from: pause)
        #expect(FieldRun.times(passings) == Self.town.expected)
    }

    /// Switched on with a time before the gun, as for a box that keeps no time while it is off.
    private static func late(at seconds: Double) -> RaceClock {
        var clock = RaceClock()
        clock.look(
            at: instant(seconds), wall: town.time(-3_600).millisecondsSince1970 * 1_000_000, spread: .zero)
        return clock
    }

    @Test func `goes on after a power cut though its clock says that the run has yet to begin`() throws {
        let pause = Self.pause
        var before = Self.tracker()
        var passings = before.follow(Self.town.book(), at: Self.instant(-30)).map(\.passing)
        passings += Self.play(&before, to: pause)
        var after = Self.tracker(by: Self.late(at: pause))
        _ = after.follow(Self.town.book(), at: Self.instant(pause))
        #expect(after.isIdle)
        let logged = LoggedTime(
            latest: Self.town.time(pause), at: Self.instant(pause),
            timed: [FieldRun.run: Self.town.time(pause - 15)])
        _ = after.learn(logged, at: Self.instant(pause))
        #expect(after.underway.map(\.id) == [FieldRun.run])
        after.recall(passings.map(\.ofEarlierStart))
        let rest = Self.play(&after, from: pause)
        #expect(!rest.isEmpty && rest.allSatisfy { $0.flags.contains(.clockUnset) })
        #expect(FieldRun.times(passings + rest) == Self.town.expected)
        // Until its end has passed.
        _ = after.elapse(to: Self.instant(599))
        #expect(!after.isIdle)
        _ = after.elapse(to: Self.instant(600.1))
        #expect(after.isIdle)
    }

    @Test func `begins by the log what has begun by it, and nothing else`() throws {
        let (now, run) = (Self.instant(40), FieldRun.run)
        func time(_ seconds: Double) -> WallTime { Self.town.time(seconds) }
        let cases: [(logged: LoggedTime, isUnderway: Bool)] = [
            (LoggedTime(), false),
            // Elsewhere a passing was timed since the gun, or before it.
            (LoggedTime(latest: time(30), at: now), true), (LoggedTime(latest: time(-30), at: now), false),
            // Also by a clock that was not set then.
            (LoggedTime(timed: [run: time(30)]), true),
            (LoggedTime(latest: time(-30), at: now, timed: [run: time(30)]), true),
            // It is over; or it only shares its name with a run of last year.
            (LoggedTime(latest: time(700), at: now, timed: [run: time(30)]), false),
            (LoggedTime(latest: time(-3e7), at: now, timed: [run: time(-3e7)]), false),
        ]
        for (logged, isUnderway) in cases {
            var tracker = Self.tracker(by: Self.late(at: 40))
            _ = tracker.learn(logged, at: now)
            _ = tracker.follow(Self.town.book(), at: now)
            #expect(!tracker.isIdle == isUnderway, "\(logged)")
        }
        // A clock that was set takes precedence.
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(), at: Self.instant(-10))
        _ = tracker.learn(LoggedTime(latest: time(30), at: now, timed: [run: time(30)]), at: Self.instant(-10))
        #expect(tracker.isIdle)
    }

    @Test func `follows its clock again once that is set, over what the log says`() throws {
        let shared = SharedClock(Self.late(at: -100))
        var tracker = Self.tracker(by: shared)
        _ = tracker.follow(Self.town.book(), at: Self.instant(-100))
        // The log's time is wrong.
        let wrong = LoggedTime(latest: Self.town.time(100), at: Self.instant(-100))
        _ = tracker.learn(wrong, at: Self.instant(-100))
        #expect(!tracker.isIdle)
        shared.clock.withLock { $0 = Self.clock }
        _ = tracker.elapse(to: Self.instant(-90))
        #expect(tracker.isIdle)
        _ = tracker.elapse(to: Self.instant(0))
        #expect(!tracker.isIdle)
    }

    @Test func `gives whoever rests beside the box no lap when the program is started anew`() throws {
        let first = try #require(Self.truths.min { $0.nearest < $1.nearest })
        var before = Self.tracker()
        _ = before.follow(Self.town.book(), at: Self.instant(-30))
        let started = Self.play(&before).filter { $0.bib.number == first.runner + 1 && $0.order == 1 }
        #expect(started.count == 1)
        let now = first.nearest + 12
        var after = Self.tracker()
        _ = after.follow(Self.town.book(), at: Self.instant(now))
        after.recall(started.map(\.ofEarlierStart))
        var passings: [RecordedPassing] = []
        for advert in Self.rest(of: first.runner, from: now, for: 150) {
            passings += after.elapse(to: advert.arrival)
            passings += after.hear(advert)
        }
        passings += after.elapse(to: Self.instant(now + 170))
        #expect(!passings.isEmpty && passings.allSatisfy { $0.passing.order ?? 1 == 1 })
        let bib = try #require(started.first).bib
        #expect(after.timers[FieldRun.run]?.count(of: bib) == 1)
    }

    @Test func `tells at a stop of whoever has passed and was heard to go, and of nobody who is at the line`()
        throws
    {
        let first = try #require(Self.truths.min { $0.nearest < $1.nearest })
        /// Returns the passings of that runner that it reports first at its end, so many seconds after they were
        /// nearest.
        func ends(after seconds: Double) -> [Passing] {
            var tracker = Self.tracker()
            _ = tracker.follow(Self.town.book(), at: Self.instant(-30))
            let stop = first.nearest + seconds
            let told = Self.play(&tracker, to: stop)
            let last = tracker.end(at: Self.instant(stop)).map(\.passing)
            #expect(Set(last.map(\.id)).isDisjoint(with: told.map(\.id)))
            return last.filter { $0.bib.number == first.runner + 1 }
        }
        #expect(ends(after: 0).isEmpty)
        let told = stride(from: 0.5, through: 15, by: 0.5).flatMap(ends)
        #expect(!told.isEmpty && told.allSatisfy { $0.order == 1 })
        for passing in told {
            let error =
                passing.time.millisecondsSince1970 - Self.town.time(first.nearest).millisecondsSince1970
            #expect(abs(error) < 10_000)
        }
    }

    /// Returns advertisements ten times a second, always of the same strength.
    private static func rest(of runner: Int, from start: Double, for seconds: Int) -> [Advert] {
        var intake = AdvertIntake(AdvertFilter([.all]))
        var adverts: [Advert] = []
        let event = Broadcast(FieldRun.tag(runner), address: 0).event(rssi: -66)
        for tenth in 1...(10 * seconds) {
            intake.take(event.span, arrival: instant(start + Double(tenth) / 10), into: &adverts)
        }
        return adverts
    }

    /// Returns a tracker that has still to read its log of passings.
    private static func restarted(recallWithin patience: Duration) -> RaceTracker<AdvertRecogniser> {
        let ids = IDs()
        return RaceTracker(
            gateway: FieldRun.box, boot: "this", clock: clock,
            recogniser: AdvertRecogniser(cipher: SampleCipher()), recallWithin: patience
        ) { ids.next(at: $0) }
    }

    @Test func `holds what passes until the log is read, which may take long, and counts it then`() throws {
        let pause = Self.pause
        var before = Self.tracker()
        var passings = before.follow(Self.town.book(), at: Self.instant(-30)).map(\.passing)
        passings += Self.play(&before, to: pause)
        let (earlier, first) = (
            passings, try #require(Self.truths.filter { $0.order == 2 }.map(\.nearest).min())
        )
        var after = Self.restarted(recallWithin: .seconds(60))
        _ = after.follow(Self.town.book(), at: Self.instant(pause))
        #expect(first + 15 < pause + 60)
        #expect(Self.play(&after, from: pause, to: first + 15).isEmpty)
        var left = after
        let late = after.recall(earlier.map(\.ofEarlierStart), of: [FieldRun.run]).map(\.passing)
        #expect(!late.isEmpty && late.allSatisfy { $0.order == 2 })
        passings += late + Self.play(&after, from: first + 15)
        #expect(FieldRun.times(passings) == Self.town.expected)
        // A runner that has left meanwhile is not reported any more.
        let runner = try #require(late.first).bib
        _ = left.follow(Self.town.book(without: [runner.number - 1]), at: Self.instant(first + 15))
        let others = left.recall(earlier.map(\.ofEarlierStart), of: [FieldRun.run]).map(\.passing.bib)
        #expect(others == late.map(\.bib).filter { $0 != runner })
    }

    @Test func `waits for no disk that does not answer`() throws {
        var tracker = Self.restarted(recallWithin: .seconds(30))
        _ = tracker.follow(Self.town.book(), at: Self.instant(0))
        let passings = Self.play(&tracker, from: 0)
        #expect(FieldRun.times(passings) == Self.town.expected)
    }

    @Test func `counts on in a run that was over and goes on by another end`() throws {
        var tracker = Self.tracker()
        var passings = tracker.follow(Self.town.book(until: Self.pause), at: Self.instant(-30)).map(\.passing)
        passings += Self.play(&tracker, to: Self.pause + 1)
        #expect(tracker.isIdle)
        passings += tracker.follow(Self.town.book(), at: Self.instant(Self.pause + 1)).map(\.passing)
        passings += Self.play(&tracker, from: Self.pause + 1)
        #expect(FieldRun.times(passings) == Self.town.expected)
    }

    @Test func `times nobody in a run whose file has gone, and counts on when it is back`() throws {
        var tracker = Self.tracker()
        var book = Self.town.book()
        var passings = tracker.follow(book, at: Self.instant(-30)).map(\.passing)
        passings += Self.play(&tracker, to: Self.pause)
        book.replaceFiles([], with: RunMaterials(), at: Self.town.time(Self.pause))
        passings += tracker.follow(book, at: Self.instant(Self.pause)).map(\.passing)
        #expect(tracker.isIdle && tracker.table.rules.isEmpty)
        passings += tracker.follow(Self.town.book(), at: Self.instant(Self.pause + 1)).map(\.passing)
        passings += Self.play(&tracker, from: Self.pause + 1)
        #expect(FieldRun.times(passings) == Self.town.expected)
    }

    @Test func `marks what it times while it does not know the time`() throws {
        var unset = RaceClock()
        unset.look(
            at: Self.instant(-30), wall: Self.town.time(-30).millisecondsSince1970 * 1_000_000, spread: .zero)
        var tracker = Self.tracker(by: unset)
        _ = tracker.follow(Self.town.book(), at: Self.instant(-30))
        let passings = Self.play(&tracker)
        #expect(passings.count >= Self.truths.count)
        #expect(passings.allSatisfy { $0.flags.contains(.clockUnset) && $0.bound == nil })
    }

    @Test func `reports who has not come when the slowest would have, once who gave up, and nobody else`()
        throws
    {
        let quitter = Self.town.field.plan.scenario.runners
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(until: 4_000), at: Self.instant(-30))
        _ = Self.play(&tracker)
        #expect(tracker.overdue(at: Self.instant(600)).isEmpty)
        // The second gun is at 10 s, the second passing after 200 m.
        #expect(tracker.overdue(at: Self.instant(809)).isEmpty)
        let overdue = tracker.overdue(at: Self.instant(810))
        #expect(overdue.map(\.owner.bib.number) == [quitter] && overdue.map(\.order) == [2])
        #expect(try #require(overdue.first?.lastHeard) > Self.town.time(10))
        // A runner with a tag that is dead from the beginning.
        var deaf = Self.tracker()
        _ = deaf.follow(Self.town.book(until: 4_000), at: Self.instant(-30))
        _ = deaf.elapse(to: Self.instant(611))
        #expect(deaf.overdue(at: Self.instant(611)).count == quitter)
        #expect(deaf.overdue(at: Self.instant(611)).allSatisfy { $0.lastHeard == nil && $0.order == 1 })
    }

    @Test func `misses nobody after a restart before it knows who has passed`() throws {
        var before = Self.tracker()
        _ = before.follow(Self.town.book(until: 4_000), at: Self.instant(-30))
        let earlier = Self.play(&before)
        let late = Self.instant(900)
        var after = Self.restarted(recallWithin: .seconds(30))
        _ = after.follow(Self.town.book(until: 4_000), at: late)
        #expect(after.overdue(at: late).isEmpty)
        after.recall(earlier.map(\.ofEarlierStart), of: [FieldRun.run])
        #expect(after.overdue(at: late).map(\.owner) == before.overdue(at: late).map(\.owner))
        #expect(!before.overdue(at: late).isEmpty)
    }

    @Test func `says how it is`() throws {
        var tracker = Self.tracker()
        _ = tracker.follow(Self.town.book(), at: Self.instant(-30))
        _ = Self.play(&tracker, to: 25)
        let status = tracker.status(at: Self.instant(25), dropped: 0, passings: 0, overdue: [])
        let timed = try #require(status.underway.first)
        #expect(timed.id == FieldRun.run && timed.checkpoint?.text == "arch" && timed.runners == 12)
        #expect(timed.heard > 6)
        #expect(status.readsPerMinute > 100)
        #expect(try #require(status.last).owners.count == 1)
        #expect(status.clock.source == .ntp)
    }
}

/// A clock that can be set during the test.
private final class SharedClock: RaceTimekeeping {
    let clock: Mutex<RaceClock>

    init(_ clock: RaceClock) {
        self.clock = Mutex(clock)
    }

    func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
        clock.withLock { $0.time(of: instant) }
    }

    func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> {
        clock.withLock { $0.flags(from: first, to: last) }
    }

    var isSet: Bool { clock.withLock(\.isSet) }
}

private final class IDs: Sendable {
    private let random = Mutex(SeededGenerator(seed: 7))

    func next(at wall: WallTime) -> MessageID {
        random.withLock { MessageID(wall: wall, using: &$0) }
    }
}
