import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Synchronization
import TagAdverts
import Testing
import WireFormats

@Suite struct `Positions of runners at a box` {
    /// It names a checkpoint's box only by itself, so it stands nowhere where somebody carries it.
    private static let box = GatewayID(sample: "house-14")
    private static let (anna, ugo) = (PersonID(sample: "anna"), PersonID(sample: "ugo"))
    private static let run = RunID(sample: "spring")
    private static let road = DrawnCourse.road.course

    /// The clock of the race, which differs from that of the arrivals.
    private struct Clock: RaceTimekeeping {
        var bound: Duration? = .milliseconds(40)
        var marks: Set<Passing.Flag> = []

        func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
            let since = Jog.start.boot.duration(to: instant)
            return (Jog.start.advanced(by: since).wall, ClockState(source: .gps, bound: bound))
        }

        func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> { marks }
        var isSet: Bool { bound != nil }
    }

    private static func instant(_ seconds: Double) -> BootInstant {
        Jog.start.boot.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
    }

    private static func bib(_ number: Int) throws -> Bib { try #require(Bib(number)) }

    /// Bib 1 carries the box, bib 2 is Anna, bib 3 has no source of positions.
    private static func book(
        bibs: [Int] = [1, 2, 3], checkpoints: [Double] = [300, 2_000], course: Course? = road,
        until end: Int64 = 7_200
    ) throws -> RunCatalog {
        let entrants = try bibs.map {
            Entrant(bib: try bib($0), person: $0 == 2 ? anna : nil, carries: $0 == 1 ? box : nil)
        }
        let file = try #require(CompanionFile("road.gpx"))
        let outline = RunOutline(
            title: "Spring", end: Jog.start.advanced(by: .seconds(end)).wall,
            waves: [Wave(id: WaveID(sample: "all"), start: Jog.start.wall)],
            checkpoints: checkpoints.compactMap {
                Checkpoint(id: CheckpointID(sample: "at-\(Int($0))"), distances: [$0])
            }, course: course == nil ? nil : .file(file))
        var book = RunCatalog()
        book.replaceFiles(
            [RunPlan(id: run, outline: outline, entrants: entrants)],
            with: RunMaterials(courses: course.map { [file: $0] } ?? [:]), at: Jog.start.wall)
        return book
    }

    private static func tracker(
        _ book: RunCatalog, clock: any RaceTimekeeping = Clock(), kept: [Passing] = [], at seconds: Double = 0
    ) -> RaceTracker<AdvertRecogniser> {
        var tracker = RaceTracker(
            gateway: box, boot: "this", clock: clock, recogniser: AdvertRecogniser(cipher: SampleCipher())
        ) { wall in
            var random = SeededGenerator(seed: UInt64(wall.millisecondsSince1970))
            return MessageID(wall: wall, using: &random)
        }
        _ = tracker.follow(book, at: instant(seconds))
        tracker.recall(kept.map(\.ofEarlierStart))
        return tracker
    }

    /// Returns a report at `metres` of the road; the wall clock of the arrival is a year off.
    private static func report(
        _ metres: Double, at seconds: Double, accuracy: Double? = 8, from device: String? = nil
    ) -> PositionReport {
        PositionReport(
            coordinates: road.place(at: metres), accuracy: accuracy,
            source: device.map { DeviceID(sample: $0) },
            arrival: Moment(
                boot: instant(seconds),
                wall: WallTime(millisecondsSince1970: Jog.start.wall.millisecondsSince1970 + 31_536_000_000)))
    }

    /// Plays 3 m/s from the start, a position each second.
    private static func play(
        _ tracker: inout RaceTracker<AdvertRecogniser>, from first: Int = 1, to last: Int,
        of bearer: PositionBearer = .box
    ) -> RunnersLocated {
        var all = RunnersLocated()
        for second in first...last {
            let found = tracker.locate(report(3 * Double(second), at: Double(second)), of: bearer)
            all = RunnersLocated(
                positions: all.positions + found.positions, passings: all.passings + found.passings)
        }
        return all
    }

    @Test func `say that nobody has told the box the time, and only then`() throws {
        var tracker = Self.tracker(try Self.book())
        let set = Self.play(&tracker, to: 60).positions
        #expect(!set.isEmpty && !set.contains { $0.position.flags.contains(.clockUnset) })
        var unset = Self.tracker(try Self.book(), clock: Clock(bound: nil, marks: [.clockUnset]))
        let told = Self.play(&unset, to: 60).positions
        #expect(told.count == set.count && told.allSatisfy { $0.position.flags.contains(.clockUnset) })
    }

    @Test func `are those of who carries the box and of who wears what tells them, and of nobody else`() throws
    {
        var tracker = Self.tracker(try Self.book())
        #expect(tracker.positions.bearers == [.box, .person(Self.anna)])
        let box = tracker.locate(Self.report(30, at: 10), of: .box)
        #expect(box.positions.map(\.owner) == [Enrolment(run: Self.run, bib: try Self.bib(1))])
        let anna = tracker.locate(Self.report(60, at: 20, from: "watch"), of: .person(Self.anna))
        #expect(anna.positions.map(\.owner.bib) == [try Self.bib(2)])
        #expect(tracker.locate(Self.report(60, at: 20), of: .person(Self.ugo)).positions.isEmpty)
        let status = tracker.status(at: Self.instant(20), dropped: 0, passings: 0, overdue: [])
        #expect(status.located.map(\.owner.bib.number) == [1, 2])
        // By the clock of the race.
        #expect(box.positions.first?.position.measured.wall == Jog.start.advanced(by: .seconds(10)).wall)
    }

    @Test func `of another box's carrier are not looked at here`() throws {
        let book = try Self.book()
        var tracker = RaceTracker(
            gateway: GatewayID(sample: "house-15"), boot: "this", clock: Clock(),
            recogniser: AdvertRecogniser(cipher: SampleCipher()),
            makeID: {
                var random = SeededGenerator(seed: 1)
                return MessageID(wall: $0, using: &random)
            })
        _ = tracker.follow(book, at: Self.instant(0))
        #expect(tracker.positions.bearers == [.person(Self.anna)])
        #expect(tracker.locate(Self.report(30, at: 10), of: .box).positions.isEmpty)
    }

    @Test func `are nobody's before the run and after it`() throws {
        var tracker = Self.tracker(try Self.book(until: 600), at: -60)
        #expect(tracker.positions.bearers.isEmpty)
        #expect(tracker.locate(Self.report(0, at: -30), of: .box).positions.isEmpty)
        _ = tracker.elapse(to: Self.instant(0))
        #expect(!tracker.locate(Self.report(0, at: 1), of: .box).positions.isEmpty)
        _ = tracker.elapse(to: Self.instant(600))
        #expect(tracker.positions.bearers.isEmpty && tracker.positions.latest.isEmpty)
        #expect(tracker.locate(Self.report(1_800, at: 601), of: .box).positions.isEmpty)
    }

    @Test func `of after the end are told by nobody, however late the end is noticed`() throws {
        var tracker = Self.tracker(try Self.book(until: 600))
        #expect(!tracker.locate(Self.report(1_797, at: 599), of: .box).positions.isEmpty)
        // Before the next check of the clock, which is 200 ms later at most, and waiting reports are handled first.
        #expect(tracker.locate(Self.report(1_830, at: 610), of: .box).positions.isEmpty)
        let located = try #require(tracker.positions.latest.first)
        #expect(located.position.measured.boot == Self.instant(599))
    }

    @Test func `are nobody's when it turns out that the run has not begun`() throws {
        // The time is not known, and the box's own clock is a quarter of an hour ahead.
        let clock = WrongClock(ahead: .seconds(900))
        var tracker = Self.tracker(try Self.book(), clock: clock, at: -600)
        #expect(!tracker.locate(Self.report(0, at: -590), of: .box).positions.isEmpty)
        clock.set(ahead: .zero)
        #expect(tracker.locate(Self.report(100, at: -550), of: .box).positions.isEmpty)
        _ = tracker.elapse(to: Self.instant(-549))
        #expect(tracker.isIdle && tracker.positions.bearers.isEmpty && tracker.positions.latest.isEmpty)
        _ = tracker.elapse(to: Self.instant(0))
        #expect(!tracker.locate(Self.report(0, at: 1), of: .box).positions.isEmpty)
    }

    @Test func `are forgotten the moment a runner leaves, and nobody else's with them`() throws {
        var tracker = Self.tracker(try Self.book())
        _ = Self.play(&tracker, to: 90)
        _ = Self.play(&tracker, to: 90, of: .person(Self.anna))
        _ = tracker.follow(try Self.book(bibs: [2, 3]), at: Self.instant(91))
        let gone = tracker.locate(Self.report(276, at: 92), of: .box)
        #expect(gone.positions.isEmpty && gone.passings.isEmpty)
        #expect(tracker.positions.latest.map(\.owner.bib.number) == [2])
        // Of Anna's, the earlier ones still count.
        #expect(tracker.locate(Self.report(240, at: 80), of: .person(Self.anna)).positions.isEmpty)
        // A runner that comes back begins anew: no earlier position was kept that would make this one late.
        _ = tracker.follow(try Self.book(), at: Self.instant(93))
        #expect(tracker.locate(Self.report(240, at: 80), of: .box).positions.count == 1)
    }

    @Test func `time a checkpoint that nobody times, with their bound and the clock's state`() throws {
        var tracker = Self.tracker(try Self.book(), clock: Clock(marks: [.clockStepped]))
        let found = Self.play(&tracker, to: 130)
        #expect(found.passings.count == 1)
        let record = try #require(found.passings.first)
        let passing = record.passing
        #expect(passing.checkpoint.text == "at-300" && passing.order == 1 && passing.method == .gpsLine)
        #expect(passing.gateway == Self.box && passing.bib.number == 1)
        let error =
            passing.time.millisecondsSince1970
            - Jog.start.advanced(by: .seconds(100)).wall.millisecondsSince1970
        #expect(abs(error) < 2_000)
        #expect(passing.clock == ClockState(source: .gps, bound: .milliseconds(40)))
        let bound = try #require(passing.bound)
        #expect(bound > .milliseconds(1_000) && bound < .seconds(10))
        #expect(passing.flags == [.clockStepped])
        // Its instants, from which it is dated again if the clock was not set.
        #expect(record.boot == "this" && Self.instant(0).duration(to: record.nearest) > .seconds(98))
        #expect(record.passageBound < bound)
    }

    @Test func `time a checkpoint once, over a restart in the middle of it`() throws {
        var before = Self.tracker(try Self.book())
        let first = Self.play(&before, to: 130).passings
        #expect(first.count == 1)
        // The receiver jitters: after the restart the runner seems to be before the line again.
        var after = Self.tracker(try Self.book(), kept: first.map(\.passing), at: 131)
        var again: [RecordedPassing] = []
        for second in 131...200 {
            let found = after.locate(
                Self.report(280 + 3 * Double(second - 131), at: Double(second)), of: .box)
            again += found.passings
        }
        #expect(again.isEmpty)
        #expect(try #require(after.positions.latest.first).position.next?.checkpoint.text == "at-2000")
    }

    @Test func `are of nobody who runs on, when a restart comes after the finish`() throws {
        let length = Self.road.length
        let book = try Self.book(checkpoints: [300, length])
        let finish = Int(length / 3)
        var before = Self.tracker(book)
        let passings = Self.play(&before, to: finish + 60).passings.map(\.passing)
        #expect(passings.map(\.checkpoint.text) == ["at-300", "at-\(Int(length))"])
        /// - Parameter isLate: a position comes before the log was read.
        func walkBack(_ kept: [Passing], isLate: Bool = false) throws -> RunnerPosition {
            var after = Self.tracker(book, kept: isLate ? [] : kept, at: Double(finish + 61))
            if isLate {
                _ = after.locate(Self.report(length - 150, at: Double(finish + 60)), of: .box)
                after.recall(kept.map(\.ofEarlierStart))
            }
            for second in (finish + 61)...(finish + 200) {
                let metres = length - 150 - Double(second - finish - 60)
                _ = after.locate(Self.report(metres, at: Double(second)), of: .box)
            }
            return try #require(after.positions.latest.first).position
        }
        let line = try #require(passings.last)
        let atBox = Passing(
            id: line.id, run: line.run, checkpoint: line.checkpoint, gateway: line.gateway, bib: line.bib,
            order: line.order, time: line.time, first: line.first, last: line.last, clock: line.clock,
            bound: line.bound, hits: 40, strongest: -52, flags: [])
        for (kept, isLate) in [(passings, false), (passings, true), ([atBox], false)] {
            let position = try walkBack(kept, isLate: isLate)
            #expect(position.distance == length && position.next == nil)
        }
        // Without its passing, the runner has turned back.
        #expect(try #require(walkBack(Array(passings.dropLast())).distance) < length - 200)
    }

    @Test func `that were timed by positions are no passages at a checkpoint's box after a restart`() throws {
        // The box stands at the only checkpoint, and Anna's watch reports her position.
        let book = try Self.book(bibs: [2, 3], checkpoints: [300])
        var before = Self.tracker(book)
        let crossing = Self.play(&before, to: 130, of: .person(Self.anna)).passings.map(\.passing)
        #expect(crossing.map(\.method) == [.gpsLine])
        let after = Self.tracker(book, kept: crossing, at: 131)
        #expect(after.timers[Self.run]?.count(of: try Self.bib(2)) == 0)
    }

    @Test func `that cannot be are counted, and end nothing`() throws {
        var tracker = Self.tracker(try Self.book())
        _ = Self.play(&tracker, to: 60)
        _ = tracker.locate(Self.report(4_000, at: 61), of: .box)
        _ = tracker.locate(Self.report(150, at: 50), of: .box)
        _ = tracker.locate(Self.report(186, at: 62, accuracy: 200), of: .box)
        let refused = tracker.status(at: Self.instant(62), dropped: 0, passings: 0, overdue: [])
            .refusedPositions
        #expect(refused == [.leap: 1, .late: 1, .inaccurate: 1])
        #expect(tracker.positions.latest.first?.position.measured.boot == Self.instant(60))
        _ = Self.play(&tracker, from: 63, to: 70)
        #expect(tracker.positions.latest.first?.position.measured.boot == Self.instant(70))
    }

    @Test func `stand on the course and the checkpoints as they are now`() throws {
        var tracker = Self.tracker(try Self.book())
        _ = Self.play(&tracker, to: 60)
        _ = tracker.follow(try Self.book(bibs: [1, 2, 3, 4]), at: Self.instant(61))
        #expect(tracker.positions.latest.count == 1, "another runner moves nobody")
        _ = tracker.follow(try Self.book(checkpoints: [250, 2_000]), at: Self.instant(62))
        let passings = Self.play(&tracker, from: 63, to: 110).passings.map(\.passing)
        #expect(passings.map(\.checkpoint.text) == ["at-250"])
    }

    @Test func `need no course to be told`() throws {
        var tracker = Self.tracker(try Self.book(course: nil))
        let found = Self.play(&tracker, to: 120)
        #expect(found.passings.isEmpty && found.positions.count > 10)
        #expect(found.positions.allSatisfy { $0.position.distance == nil })
    }
}

/// A box's clock before the time is known, and after.
private final class WrongClock: RaceTimekeeping {
    private let ahead: Mutex<Duration>

    init(ahead: Duration) {
        self.ahead = Mutex(ahead)
    }

    func set(ahead: Duration) { self.ahead.withLock { $0 = ahead } }

    func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
        let now = Jog.start.advanced(by: Jog.start.boot.duration(to: instant) + ahead.withLock { $0 }).wall
        return (now, ClockState(source: .freeRunning, bound: isSet ? .milliseconds(40) : nil))
    }

    func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> { [] }
    var isSet: Bool { ahead.withLock { $0 == .zero } }
}

/// Tags with a receiver of their own, which send their position in their advertisements.
@Suite struct `A tag that tells its place` {
    private static let tag = DeviceAddress(octets: 0xC0AD_0000_0007)
    private static let start = Jog.start
    private static let road = DrawnCourse.road.course

    private static func advert(
        _ metres: Double, at seconds: Double, from address: DeviceAddress = tag, tenths: UInt16? = nil
    ) -> Advert? {
        let moment = start.advanced(by: .milliseconds(Int64(seconds * 1_000)))
        let sent = Broadcast.remoteID(
            road.place(at: metres), address: address.octets, counter: UInt8(truncatingIfNeeded: Int(seconds)),
            tenths: tenths ?? moment.wall.tenthsInHour)
        var intake = AdvertIntake(AdvertFilter([.all]))
        var adverts: [Advert] = []
        intake.take(sent.event(rssi: -70).span, arrival: moment.boot, into: &adverts)
        return adverts.first
    }

    private static func tracker() throws -> RaceTracker<AdvertRecogniser> {
        let file = try #require(CompanionFile("road.gpx"))
        let outline = RunOutline(
            title: "Spring", end: start.advanced(by: .seconds(7_200)).wall,
            waves: [Wave(id: WaveID(sample: "all"), start: start.wall)],
            checkpoints: [try #require(Checkpoint(id: CheckpointID(sample: "finish"), distances: [9_000]))],
            course: .file(file))
        var book = RunCatalog()
        book.replaceFiles(
            [
                RunPlan(
                    id: RunID(sample: "spring"), outline: outline,
                    entrants: [Entrant(bib: try #require(Bib(7)), tags: [.heard(.address(tag))])])
            ], with: RunMaterials(courses: [file: road]), at: Jog.start.wall)
        var clock = RaceClock()
        for second in -30..<0 {
            let moment = start.advanced(by: .seconds(second))
            clock.observe(
                ClockObservation(
                    source: .ntp, at: moment.boot, wall: moment.wall.millisecondsSince1970 * 1_000_000,
                    bound: .milliseconds(5)))
        }
        var tracker = RaceTracker(
            gateway: FieldRun.box, boot: "this", clock: clock,
            recogniser: AdvertRecogniser(cipher: SampleCipher())
        ) { wall in
            var random = SeededGenerator(seed: UInt64(wall.millisecondsSince1970))
            return MessageID(wall: wall, using: &random)
        }
        _ = tracker.follow(book, at: start.boot)
        return tracker
    }

    @Test func `is its runner's, each place once however often it is sent`() throws {
        var tracker = try Self.tracker()
        for second in 20...80 {
            for _ in 0..<5 {
                let advert = try #require(Self.advert(3 * Double(second), at: Double(second)))
                _ = tracker.locate(advert)
            }
        }
        let located = try #require(tracker.positions.latest.first)
        #expect(located.owner.bib.number == 7 && tracker.positions.refused.isEmpty)
        let distance = try #require(located.position.distance)
        #expect(located.position.accuracy == 3 && abs(distance - 240) < 10)
    }

    @Test func `is not believed again when it is recorded and replayed`() throws {
        var tracker = try Self.tracker()
        for second in 20...30 {
            _ = tracker.locate(try #require(Self.advert(3 * Double(second), at: Double(second))))
        }
        let tenths = Self.start.advanced(by: .seconds(25)).wall.tenthsInHour
        _ = tracker.locate(try #require(Self.advert(75, at: 32, tenths: tenths)))
        #expect(tracker.positions.refused == [.late: 1])
    }

    /// A loop passes one place twice: a position of an hour ago, less some minutes, could be true again.
    @Test(arguments: [3, 20, 35, 45, 52, 58])
    func `is not believed when it is replayed before the hour is over`(
        minutes: Int
    ) throws {
        var tracker = try Self.tracker()
        for second in 3_580...3_600 {
            _ = tracker.locate(try #require(Self.advert(600 + Double(second - 3_600), at: Double(second))))
        }
        let newest = try #require(tracker.positions.latest.first).position.measured
        let then = Self.start.advanced(by: .seconds(3_601 - minutes * 60)).wall.tenthsInHour
        _ = tracker.locate(try #require(Self.advert(601, at: 3_601, tenths: then)))
        #expect(tracker.positions.refused.values.reduce(0, +) == 1)
        #expect(tracker.positions.latest.first?.position.measured == newest)
        // And reports of the tag itself continue to count.
        _ = tracker.locate(try #require(Self.advert(602, at: 3_602)))
        #expect(
            tracker.positions.latest.first?.position.measured.boot
                == Self.start.advanced(by: .seconds(3_602)).boot)
    }

    @Test func `is not believed when all that is heard of it is a recording`() throws {
        var tracker = try Self.tracker()
        let then = Self.start.advanced(by: .seconds(1_000)).wall.tenthsInHour
        _ = tracker.locate(try #require(Self.advert(600, at: 2_000, tenths: then)))
        #expect(tracker.positions.latest.isEmpty && tracker.positions.refused == [.old: 1])
    }

    @Test func `is a stranger's where it is not enrolled, and nobody's where it left`() throws {
        var tracker = try Self.tracker()
        let stranger = DeviceAddress(octets: 0xC0AD_0000_0008)
        _ = tracker.locate(try #require(Self.advert(60, at: 20, from: stranger)))
        #expect(tracker.positions.latest.isEmpty)
        _ = tracker.locate(try #require(Self.advert(60, at: 20)))
        #expect(tracker.positions.latest.count == 1)
        _ = tracker.follow(RunCatalog(), at: Self.start.advanced(by: .seconds(21)).boot)
        _ = tracker.locate(try #require(Self.advert(66, at: 22)))
        #expect(tracker.positions.latest.isEmpty)
    }

    /// The start lies at 800 s of an hour.
    @Test(arguments: [1_000.0, 2_799, 2_800, 2_801]) func `dates what it says by the nearest hour`(
        seconds: Double
    ) throws {
        var tracker = try Self.tracker()
        let moment = Self.start.advanced(by: .seconds(Int64(seconds)))
        func tenths(_ ahead: Int) -> UInt16 {
            moment.advanced(by: .milliseconds(ahead * 100)).wall.tenthsInHour
        }
        _ = tracker.locate(try #require(Self.advert(60, at: seconds, tenths: tenths(0))))
        _ = tracker.locate(try #require(Self.advert(61, at: seconds + 1, tenths: tenths(-10))))
        #expect(tracker.positions.refused == [.late: 1])
        _ = tracker.locate(try #require(Self.advert(62, at: seconds + 2, tenths: tenths(5))))
        #expect(tracker.positions.refused == [.late: 1])
        #expect(
            tracker.positions.latest.first?.position.measured.boot
                == Self.start.boot.advanced(by: .seconds(Int64(seconds) + 2)))
    }
}

/// The box and the positions together: each corrects the other.
@Suite struct `A passing at the box` {
    private static let person = PersonID(sample: "anna")

    @Test func `says which lap the positions are of`() throws {
        let field = FieldRun(
            Field(.small), boot: Jog.start.boot.advanced(by: .seconds(2_000)),
            wall: Jog.start.advanced(by: .seconds(2_000)).wall)
        let stadium = DrawnCourse.stadium.course
        let truth = try #require(field.field.truths.first { $0.order == 1 })
        let file = try #require(CompanionFile("stadium.gpx"))
        let checkpoint = try #require(
            Checkpoint(id: CheckpointID(sample: "arch"), distances: [1_000, 9_000], box: FieldRun.box))
        let entrant = Entrant(
            bib: try #require(FieldRun.bib(truth.runner)), tags: [.heard(FieldRun.tag(truth.runner))],
            person: Self.person)
        var book = RunCatalog()
        book.replaceFiles(
            [
                RunPlan(
                    id: FieldRun.run,
                    outline: RunOutline(
                        title: "Laps", end: field.time(3_000),
                        waves: [Wave(id: WaveID(sample: "all"), start: Jog.start.wall)],
                        checkpoints: [checkpoint], course: .file(file)), entrants: [entrant])
            ], with: RunMaterials(courses: [file: stadium]), at: Jog.start.wall)
        var clock = RaceClock()
        for second in stride(from: -30.0, to: 0, by: 1) {
            clock.observe(
                ClockObservation(
                    source: .ntp, at: field.instant(second),
                    wall: field.time(second).millisecondsSince1970 * 1_000_000, bound: .milliseconds(5)))
        }
        var tracker = RaceTracker(
            gateway: FieldRun.box, boot: "this", clock: clock,
            recogniser: AdvertRecogniser(cipher: SampleCipher())
        ) { wall in
            var random = SeededGenerator(seed: UInt64(wall.millisecondsSince1970))
            return MessageID(wall: wall, using: &random)
        }
        _ = tracker.follow(book, at: field.instant(-20))
        /// Reports Anna's position, half an hour after the start: at 1,000 m when she is nearest to the box.
        func locate(_ second: Double) {
            let place = stadium.place(at: 1_000 + 3 * (second - truth.nearest))
            let instant = field.instant(second)
            _ = tracker.locate(
                PositionReport(
                    coordinates: place, accuracy: 8, arrival: Moment(boot: instant, wall: field.time(second))),
                of: .person(Self.person))
        }
        for second in stride(from: truth.nearest - 12, to: truth.nearest, by: 2) { locate(second) }
        let lost = try #require(tracker.positions.latest.first).position
        #expect(abs((lost.distance ?? 0) - 1_000) > 300, "half an hour is five laps for most: \(lost)")
        var passings: [RecordedPassing] = []
        for advert in field.adverts where advert.arrival < field.instant(truth.nearest + 40) {
            passings += tracker.hear(advert)
        }
        passings += tracker.elapse(to: field.instant(truth.nearest + 40))
        #expect(passings.map(\.passing.order) == [1])
        for second in stride(from: truth.nearest + 41, to: truth.nearest + 50, by: 2) { locate(second) }
        let found = try #require(tracker.positions.latest.first).position
        #expect(!found.flags.contains(.unsure))
        #expect(abs(try #require(found.distance) - (1_000 + 3 * 49)) < 40, "\(found)")
    }
}
