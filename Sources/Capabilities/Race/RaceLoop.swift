import Alarms
import GatewayModel
import Hub
import RealTime
import RunBeacon
import TagAdverts
import WireFormats

/// The work of the race thread, one turn after the other. Made and used on that thread only.
final class RaceLoop {
    struct Reports: Sendable {
        /// A passing: to be written down, then reported.
        let keep: @Sendable (RecordedPassing) -> Void
        /// Rules of the adverts that the scanner lets through from now on; empty for none.
        let listens: @Sendable ([AdvertFilter.Rule]) -> Void
        /// A condition of the box's own.
        let holds: @Sendable (HealthCondition, Bool) -> Void
        /// A tag was heard: told about once a second.
        let heard: @Sendable () -> Void
        /// Adverts that had no room to wait.
        let dropped: @Sendable (Int) -> Void
        /// A runner is overdue at a checkpoint; once for each time that the runner is due there.
        let overdue: @Sendable (OverdueRunner) -> Void
        /// A mark of the clock is to be recorded: while a run is underway, and nothing in a house without one.
        var clock: @Sendable (ClockMark) -> Void = { _ in }
        /// Runs have begun or ended: those that are underway now.
        let turned: @Sendable ([RunID]) -> Void
        /// Ends of the runs that persons take part in: first when they are known, and with each change.
        var ownRuns: @Sendable ([PersonID: BootInstant]) -> Void = { _ in }
        var positions = PositionPublisher.Reports()
    }

    private struct Test {
        /// Of this tag alone, whether or not it is a runner's.
        var table: TagTable<AdvertRecogniser>
        var test: SelfTest
        let rules: [AdvertFilter.Rule]
        let answer: @Sendable (SelfTest.Verdict) -> Void
    }

    /// A passing that has been reported as missing.
    private struct Missed: Hashable {
        let owner: Enrolment
        let order: Int

        init(_ runner: OverdueRunner) {
            (owner, order) = (runner.owner, runner.order)
        }
    }

    private let inbox: RaceInbox
    private let reports: Reports
    private let publish: @Sendable (RaceStatus) -> Void
    private let cipher: any AdvertisingCipher
    /// With a run underway, and no tag heard for so long, somebody should look.
    private let silence: Duration
    private var tracker: RaceTracker<AdvertRecogniser>
    /// By the number that their hits name; one at least.
    private let radios: [String]
    private var tests: [Test] = []
    /// Edition of the tags, and number of tests, that the scanner has rules for.
    private var listening = (edition: 0, tests: 0)
    private var since: BootInstant?
    /// Radios whose scanner hears nothing.
    private var deaf: Set<UInt8> = []
    private var quiet: QuietAntennas
    private var publishedAt: BootInstant?
    private var flashed: BootInstant?
    private var overdueAt: BootInstant?
    private var overdue: [OverdueRunner] = []
    private var missed: Set<Missed> = []
    private var disputedSince: BootInstant?
    private var underway: [RunID] = []
    private var clockMark: ClockMark?
    /// Which runs there are has been told.
    private var hasRuns = false
    /// Ends of the runs that persons take part in, as reported last; nil before the first report.
    private var ownRuns: [PersonID: BootInstant]?
    private var positions: PositionPublisher
    private var (dropped, passings) = (0, 0)

    /// - Parameter radios: by name, in the order in which hits number them.
    init(
        _ tracker: RaceTracker<AdvertRecogniser>, inbox: RaceInbox, radios: [String] = ["radio"],
        silence: Duration,
        cipher: any AdvertisingCipher, reports: Reports, publish: @escaping @Sendable (RaceStatus) -> Void
    ) {
        (self.tracker, self.inbox, self.silence) = (tracker, inbox, silence)
        (self.radios, quiet) = (radios, QuietAntennas(count: radios.count))
        (self.cipher, self.reports, self.publish) = (cipher, reports, publish)
        positions = PositionPublisher(reports.positions)
    }

    /// Takes all that waits, and reports the results.
    /// - Returns: how long it may wait for something new; nil for as long as it takes.
    func turn(at now: BootInstant) -> Duration? {
        let taken = inbox.take()
        var passings: [RecordedPassing] = []
        // First: after their leaving a runner is not tracked, and adverts of theirs that wait are dropped.
        for word in taken.words { passings += hear(word, at: now) }
        for heard in taken.adverts { passings += hear(heard) }
        for located in taken.positions { passings += positions.take(located, tracker: &tracker) }
        passings += tracker.elapse(to: now)
        self.passings += passings.count
        for passing in passings { reports.keep(passing) }
        if taken.dropped > 0 {
            dropped += taken.dropped
            reports.dropped(taken.dropped)
        }
        positions.tellState(of: tracker.positions, at: now)
        tellHeard()
        answerTests(at: now)
        tellState(at: now)
        let next = [tracker.nextLook(after: now)] + tests.map { _ in now.advanced(by: Self.testRhythm) }
        return next.compactMap { $0 }.min().map { now.duration(to: $0) }
    }

    private static let testRhythm = Duration.milliseconds(200)

    /// The last turn.
    func end(at now: BootInstant) {
        _ = turn(at: now)
        for passing in tracker.end(at: now) { reports.keep(passing) }
    }

    private func hear(_ word: RaceInbox.Word, at now: BootInstant) -> [RecordedPassing] {
        switch word {
        case .runs(let book):
            hasRuns = true
            // A runner that left is in no report from here on.
            (publishedAt, overdueAt) = (nil, nil)
            return tracker.follow(book, at: now)
        case .clock(let change):
            clockMark = change.mark
            if !underway.isEmpty { reports.clock(change.mark) }
        case .logged(let logged): return tracker.learn(logged, at: now)
        case .recalled(let records, let runs): return tracker.recall(records, of: runs)
        case .scanner(let radio, let canHear):
            if canHear { deaf.remove(radio) } else { deaf.insert(radio) }
            publishedAt = nil
        case .selfTest(let identity, let answer): begin(identity, answer, at: now)
        }
        return []
    }

    private func hear(_ heard: RaceInbox.Heard) -> [RecordedPassing] {
        for index in tests.indices {
            let hit = tests[index].table.hit(heard.advert, antenna: heard.antenna)
            if let hit { tests[index].test.hear(hit) }
        }
        return tracker.hear(heard.advert, antenna: heard.antenna)
            + positions.take(heard.advert, tracker: &tracker)
    }

    // MARK: Self-test

    private func begin(
        _ identity: TagIdentity, _ answer: @escaping @Sendable (SelfTest.Verdict) -> Void, at now: BootInstant
    ) {
        var table = TagTable(recogniser: AdvertRecogniser(cipher: cipher))
        table.enrol([identity: []])
        guard let tag = table.tag(of: identity) else { return }
        tests.append(
            Test(table: table, test: SelfTest(tag: tag, from: now), rules: table.rules, answer: answer))
    }

    private func answerTests(at now: BootInstant) {
        tests.removeAll { test in
            let verdict = test.test.verdict(at: now)
            if case .listening = verdict { return false }
            test.answer(verdict)
            return true
        }
    }

    // MARK: State

    private func tellHeard() {
        guard let latest = tracker.watch.latest?.arrival, latest != flashed,
            (flashed.map { $0.duration(to: latest) } ?? Self.flashRhythm) >= Self.flashRhythm
        else { return }
        flashed = latest
        reports.heard()
    }

    private static let flashRhythm = Duration.seconds(1)

    private static let statusRhythm = Duration.seconds(1)
    private static let overdueRhythm = Duration.seconds(30)

    private func tellOverdue(at now: BootInstant) {
        overdue = tracker.overdue(at: now)
        for runner in overdue where !missed.contains(Missed(runner)) { reports.overdue(runner) }
        missed = Set(overdue.map(Missed.init))
    }

    /// Looks at each participant: not with each tag that is heard.
    private func tellOwnRuns(at now: BootInstant) {
        guard hasRuns, let ends = tracker.ownRuns(at: now) else { return }
        if let told = ownRuns, told.keys == ends.keys,
            ends.allSatisfy({ person, end in isNear(end, told[person] ?? end) })
        {
            return
        }
        ownRuns = ends
        reports.ownRuns(ends)
    }

    /// As the clock of a race becomes surer, an end moves by less.
    private func isNear(_ one: BootInstant, _ other: BootInstant) -> Bool {
        max(one, other) <= min(one, other).advanced(by: .seconds(2))
    }

    private func tellState(at now: BootInstant) {
        if (tracker.edition, tests.count) != listening {
            listening = (tracker.edition, tests.count)
            reports.listens(tracker.table.rules + tests.flatMap(\.rules))
        }
        let underway = tracker.underway.map(\.id)
        if underway != self.underway {
            since = underway.isEmpty ? nil : since ?? now
            if self.underway.isEmpty, let clockMark { reports.clock(clockMark) }
            self.underway = underway
            reports.turned(underway)
            publishedAt = nil
        }
        if overdueAt.map({ $0.duration(to: now) >= Self.overdueRhythm }) ?? true {
            overdueAt = now
            tellOverdue(at: now)
        }
        if publishedAt.map({ $0.duration(to: now) >= Self.statusRhythm }) ?? true {
            publishedAt = now
            tellOwnRuns(at: now)
            quiet.look(at: tracker.watch, now: now)
            publish(
                tracker.status(
                    at: now, radios: radioStates(at: now), dropped: dropped, passings: passings,
                    overdue: overdue))
        }
        let heard = [tracker.watch.latest?.arrival, since].compactMap { $0 }.max()
        let isSilent = since != nil && heard.map { $0.duration(to: now) >= silence } ?? false
        // One that a runner carries, or that stands at no checkpoint, has nobody to hear.
        let isTiming = tracker.underway.contains { tracker.timers[$0.id] != nil }
        let isDeaf = deaf.count >= radios.count
        reports.holds(HealthCondition(.raceDeaf), isTiming && isDeaf)
        reports.holds(HealthCondition(.raceSilent), isTiming && isSilent && !isDeaf)
        for radio in radioStates(at: now) {
            reports.holds(
                HealthCondition(.raceRadioDeaf, subject: radio.name),
                isTiming && !isDeaf && (!radio.canHear || radio.isQuiet))
        }
        // By a clock that nobody has set it may seem that the run begins in hours.
        let isAwaited = !tracker.isIdle || tracker.nextChange != nil
        reports.holds(HealthCondition(.raceClockUnset), isAwaited && !tracker.clock.isSet)
        let isDisputed = isDisputed(at: now)
        reports.holds(HealthCondition(.raceClockDisputed), since != nil && isDisputed)
    }

    /// A receiver under trees errs for some seconds: the status says so then, and nobody has to look.
    private static let errsFor = Duration.seconds(10)

    private func isDisputed(at now: BootInstant) -> Bool {
        disputedSince = tracker.disputing(at: now).isEmpty ? nil : disputedSince ?? now
        return disputedSince.map { $0.duration(to: now) >= Self.errsFor } ?? false
    }

    /// Of one alone there is nothing to tell that is not told of the box.
    private func radioStates(at now: BootInstant) -> [RaceStatus.Radio] {
        guard radios.count > 1 else { return [] }
        return zip(UInt8(0)..., radios).map { antenna, name in
            let reads = tracker.watch.reads(of: antenna)
            return RaceStatus.Radio(
                name: name, canHear: !deaf.contains(antenna), isQuiet: quiet.quiet.contains(antenna),
                readsPerMinute: reads.perMinute(at: now), last: reads.latest?.arrival)
        }
    }
}
