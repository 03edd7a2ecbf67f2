import GatewayModel
import ModelSamples
import RunBeacon
import Testing

@Suite struct `The timer of a checkpoint` {
    // Wave a starts at 10:00:00 of its own day, wave b ten minutes later; the run ends after two hours.
    private let track = TimedTrack()

    private func told(
        _ passings: [Passing]
    ) -> [String] {
        passings.map { passing in
            let order = passing.order.map(String.init) ?? "-"
            let flags = passing.flags.map(\.rawValue).sorted().joined(separator: " ")
            return flags.isEmpty ? order : "\(order) \(flags)"
        }
    }

    @Test func `gives a runner's first time at a finish, and keeps what comes later`() throws {
        let passings = try track.play(.first, [100, 110, 500])
        #expect(told(passings) == ["1", "- too-soon", "- surplus"])
        #expect(passings[0].time == track.wall(100))
        #expect(passings[0].bib == TimedTrack.bib(1))
    }

    @Test func `lets the last time at a start count`() throws {
        let passings = try track.play(.last, [5, 100, 250, 900])
        #expect(told(passings) == ["1", "1", "1", "- surplus"])
        #expect(Checkpoint.Rule.last.prefers(passings[2], to: passings[1]))
    }

    @Test func `times the start and the finish of one box, each by its own rule`() throws {
        var timer = try track.timer(nil, distances: [0, 10_000])
        // Waits beside the line until their wave starts, reported meanwhile and on leaving.
        let start = try [60.0, 380].map {
            try #require(track.take(&timer, at: $0, since: 10, flags: [.lingered]))
        }
        // Comes in, walks back past the box, and cheers.
        let finish = try [2_400.0, 2_410, 2_500].map { try #require(track.take(&timer, at: $0)) }
        #expect(told(start + finish) == ["1 lingered", "1 lingered", "2", "- too-soon", "- surplus"])
        #expect(timer.checkpoint.rule(forOrder: 1).prefers(start[1], to: start[0]))
        // A runner that comes near the line more than once before leaving it.
        #expect(try told(track.play(nil, [5, 100, 2_400], distances: [0, 10_000])) == ["1", "1", "2"])
        // On a track the next passing comes sooner than a crowd takes to leave.
        #expect(
            try told(track.play(nil, [5, 20, 110, 215, 320], distances: [0, 400, 800, 1_200])) == [
                "1", "1", "2", "3", "4",
            ])
        // A rule that is written holds for each time.
        #expect(
            try told(track.play(.last, [5, 100, 2_400, 2_500], distances: [0, 10_000])) == [
                "1", "1", "2", "2",
            ])
    }

    @Test func `lets the clearest of several near each other count where one passes`() throws {
        let passings = try track.play(
            .best, [100, 110, 120], bounds: [2, 1, 3], distances: [5_000])
        #expect(told(passings) == ["1", "1", "- too-soon"])
        #expect(Checkpoint.Rule.best.prefers(passings[1], to: passings[0]))
    }

    @Test func `counts the rounds of a loop, and no more than it has`() throws {
        let passings = try track.play(
            .best, [700, 1_400, 1_500, 2_100, 2_800], distances: [2_000, 4_000, 6_000], split: 600)
        #expect(told(passings) == ["1", "2", "- too-soon", "3", "- surplus"])
    }

    @Test func `takes no time that is sooner after the start than anybody runs`() throws {
        #expect(
            try told(track.play(.first, [500, 700], distances: [2_000], split: 600)) == ["- too-soon", "1"])
        // At the start itself a minimum split separates two rounds.
        #expect(
            try told(track.play(.best, [5, 700], distances: [0, 2_000], split: 600)) == ["1", "2"])
    }

    @Test func `counts from the start of the runner's own wave until the end of the run`() throws {
        #expect(try told(track.play(.first, [590, 700], bib: 2)) == ["- before-start", "1"])
        // Within the bound of the gun: it may have been after it.
        #expect(try told(track.play(.last, [599.5], bib: 2)) == ["1"])
        #expect(try told(track.play(.first, [7_199, 7_200])) == ["1", "- after-end"])
    }

    @Test func `tells nothing of who is not in the run, or has left it`() throws {
        var timer = try track.timer(.first)
        #expect(track.take(&timer, at: 100, bib: 7) == nil)
        let checkpoint = timer.checkpoint
        timer.follow(try track.run(checkpoint, bibs: [2]), at: checkpoint)
        #expect(track.take(&timer, at: 100, bib: 1) == nil)
        #expect(track.take(&timer, at: 700, bib: 2) != nil)
    }

    @Test func `carries the marks of the passage and of its tag, none of which keeps it from counting`() throws
    {
        for flag in Passage.Flag.allCases {
            var timer = try track.timer(.first)
            let passing = track.take(&timer, at: 100, flags: [flag], marks: [.cloned, .clockStepped])
            #expect(
                passing?.flags.map(\.rawValue).sorted() == ["clock-stepped", "cloned", flag.rawValue].sorted())
            #expect(passing?.order == 1)
        }
    }

    @Test func `adds the error of the clock to that of the passage`() throws {
        var timer = try track.timer(.first)
        let clock = ClockState(source: .ntp, bound: .milliseconds(400))
        let passing = try #require(track.take(&timer, at: 100, bound: 0.3, clock: clock))
        #expect(passing.bound == .milliseconds(500))
        #expect(passing.clock == clock)
    }

    @Test func `counts by turns where the clock was never set, and says so`() throws {
        var timer = try track.timer(.first, distances: [1_000, 2_000], split: 60)
        let unset = ClockState(source: .freeRunning, bound: nil)
        let passings = [-1e6, -1e6 + 10, -1e6 + 250].compactMap { track.take(&timer, at: $0, clock: unset) }
        #expect(told(passings) == ["1 clock-unset", "- clock-unset too-soon", "2 clock-unset"])
        #expect(passings.allSatisfy { $0.bound == nil })
    }

    @Test func `measures splits by the clock that is never stepped`() throws {
        var timer = try track.timer(.best, distances: [1_000, 2_000], split: 60)
        _ = track.take(&timer, at: 200)
        // Half an hour forward in between, and back again.
        #expect(track.take(&timer, at: 220, step: 1_800)?.order == nil)
        #expect(track.take(&timer, at: 300, step: -150)?.order == 2)
    }

    @Test func `marks what comes after a later one was counted, and puts it nowhere`() throws {
        #expect(
            try told(track.play(.best, [500, 300, 480], bounds: [1, 1, 0.5], distances: [1, 2])) == [
                "1", "- out-of-turn", "1",
            ])
        // Within the window the earlier one is the first.
        #expect(try told(track.play(.first, [500, 490])) == ["1", "1"])
    }

    @Test func `lets a far one count only until a clear one comes`() throws {
        var timer = try track.timer(.first)
        for bib in 10..<30 { _ = track.take(&timer, at: 100 + Double(bib), bib: bib) }
        let far = try #require(track.take(&timer, at: 300, strongest: -88))
        let clear = try #require(track.take(&timer, at: 400))
        #expect(told([far, clear]) == ["1 stray", "1"])
        #expect(Checkpoint.Rule.first.prefers(clear, to: far))
        let again = try #require(track.take(&timer, at: 410, strongest: -88))
        #expect(told([again]) == ["- stray too-soon"])
    }

    @Test func `keeps a far one where it ends a lap that would be missing without it`() throws {
        var others = try track.timer(.best, distances: [1_000, 2_000, 3_000, 4_000])
        for bib in 10..<30 { _ = track.take(&others, at: 100 + Double(bib), bib: bib) }
        func play(far: Double, then times: [Double]) -> [String] {
            var timer = others
            let first = [200.0, 400].map { track.take(&timer, at: $0) }
            let rest = [track.take(&timer, at: far, strongest: -88)] + times.map { track.take(&timer, at: $0) }
            return told((first + rest).compactMap(\.self))
        }
        #expect(play(far: 600, then: [800]) == ["1", "2", "3 stray", "4 long-lap"])
        // Half-way round, where the course comes near.
        #expect(play(far: 500, then: [600, 800]) == ["1", "2", "3 stray", "3", "4"])
        #expect(play(far: 530, then: [660, 860]) == ["1", "2", "3 stray", "3", "4"])
        // Early on a lap that took as long as two: either lap may be the missing one.
        #expect(play(far: 460, then: [810, 1_010]) == ["1", "2", "3 stray", "3 long-lap", "4"])
        #expect(play(far: 640, then: [730, 930]) == ["1", "2", "3 stray", "3 long-lap", "4"])
        // The way from the start alone does not give the length of a lap from here to here.
        var timer = others
        let early = [(200.0, Int8(-60)), (400, -88), (600, -60)].map {
            track.take(&timer, at: $0, strongest: $1)
        }
        #expect(told(early.compactMap(\.self)) == ["1", "2 stray", "2 long-lap"])
        // A runner that was fast from the start to here runs whole laps after it.
        var tired = others
        let laps = [(250.0, Int8(-60)), (630, -60), (835, -88), (1_040, -60), (1_450, -60)].map {
            track.take(&tired, at: $0, strongest: $1)
        }
        #expect(told(laps.compactMap(\.self)) == ["1", "2", "3 stray", "3", "4"])
        // No more laps than the course has.
        #expect(play(far: 600, then: [800, 1_000]) == ["1", "2", "3 stray", "4 long-lap", "- surplus"])
    }

    @Test func `takes the time of whoever rests within hearing from when they pass`() throws {
        var timer = try track.timer(.best, distances: [1_000, 2_000, 3_000, 4_000])
        for bib in 10..<30 { _ = track.take(&timer, at: 100 + Double(bib), bib: bib) }
        let laps = [200.0, 400].compactMap { track.take(&timer, at: $0) }
        let rest = try #require(track.take(&timer, at: 530, strongest: -88))
        let passed = try #require(track.take(&timer, at: 730, since: 525))
        #expect(told(laps + [rest, passed]) == ["1", "2", "3 stray", "3 long-lap"])
    }

    @Test func `keeps a far one after a restart as before it`() throws {
        var timer = try track.timer(.best, distances: [1_000, 2_000, 3_000, 4_000])
        for bib in 10..<30 { _ = track.take(&timer, at: 100 + Double(bib), bib: bib) }
        var restarted = timer
        for (time, strongest) in [(200.0, Int8(-60)), (400, -60), (600, -88)] {
            restarted.fold(try #require(track.take(&timer, at: time, strongest: strongest)))
        }
        let (live, folded) = (track.take(&timer, at: 800), track.take(&restarted, at: 800))
        #expect(told([live, folded].compactMap(\.self)) == ["4 long-lap", "4 long-lap"])
    }

    @Test func `counts who stays near the box for minutes once, whenever they go`() throws {
        // Reported while they rest at the line, and once more as they leave.
        var lap = try track.timer(.best, distances: [1_000, 2_000, 3_000])
        let rest = try #require(track.take(&lap, at: 100, flags: [.lingered]))
        let left = try #require(track.take(&lap, at: 400, since: 95, flags: [.lingered]))
        #expect(told([rest, left]) == ["1 lingered", "- lingered too-soon"])
        // The next lap is the second.
        #expect(track.take(&lap, at: 700)?.order == 2)
        // In the crowd of a start for a quarter of an hour: the last counts.
        var start = try track.timer(.last)
        let crowd = [60.0, 900].compactMap { track.take(&start, at: $0, since: 10, flags: [.lingered]) }
        #expect(told(crowd) == ["1 lingered", "1 lingered"])
        // A spare tag in a bag beside the line is taken home: the runner started long ago, and runs no lap with it.
        for var timer in [start, lap] {
            let bag = try #require(track.take(&timer, at: 5_000, since: 10, tag: 2, flags: [.lingered]))
            #expect(told([bag]) == ["- lingered too-soon"])
        }
    }

    @Test func `knows what it counted where the box was sent elsewhere by mistake, and back`() throws {
        var timers = RunTimers(gateway: TimedTrack.box)
        let ids = ["bridge", "finish"].map { CheckpointID(sample: $0) }
        func run(at place: Int) throws -> Run {
            let checkpoints = try ids.indices.map {
                try #require(
                    Checkpoint(
                        id: ids[$0], distances: [1_000, 2_000, 3_000].map { $0 + Double(place) },
                        box: $0 == place ? TimedTrack.box : nil))
            }
            return try track.run(checkpoints, bibs: [1])
        }
        let runs = try [0, 1].map(run)
        let owner = Enrolment(run: runs[0].id, bib: TimedTrack.bib(1))
        func take(at seconds: Double) -> [Passing] {
            timers.take(
                track.passage(at: seconds), of: [owner], dating: track.dating(),
                makeID: { _ in track.id(UInt64(seconds)) })
        }
        func stand(at place: Int?) {
            timers.follow(place.map { [runs[$0]] } ?? [], known: [owner.run], at: track.instant(0))
        }
        stand(at: 0)
        let laps = [200.0, 400].flatMap(take)
        #expect(told(laps) == ["1", "2"])
        stand(at: 1)
        let elsewhere = take(at: 500)
        #expect(told(elsewhere) == ["1"])
        stand(at: 0)
        let back = take(at: 600)
        #expect(told(back) == ["3"])
        // The same if the box was restarted in between.
        timers = RunTimers(gateway: TimedTrack.box)
        stand(at: 1)
        for passing in laps + elsewhere { timers.fold(passing) }
        stand(at: 0)
        let again = take(at: 600)
        #expect(told(again) == ["3"])
    }

    @Test func `says of a lap that took as long as two that another may lie in it, and lets it count`() throws {
        let laps = [0.0, 400, 800, 1_200, 1_600]
        #expect(
            try told(track.play(.best, [10, 110, 210, 400, 500], distances: laps)) == [
                "1", "2", "3", "4 long-lap", "5",
            ])
        // A first lap that was itself two laps hides no other.
        #expect(
            try told(track.play(.best, [10, 210, 310, 510, 610], distances: laps)) == [
                "1", "2", "3", "4 long-lap", "5",
            ])
        // A runner that slows down by a third, or has a next lap that is longer in metres.
        #expect(
            try told(track.play(.best, [10, 110, 230, 370, 520], distances: laps)) == ["1", "2", "3", "4", "5"])
        #expect(try told(track.play(.best, [10, 110, 310], distances: [0, 400, 1_200])) == ["1", "2", "3"])
        // The first lap counts from the start if it is long enough for a comparison.
        #expect(
            try told(track.play(.best, [200, 400, 800], distances: [1_000, 2_000, 3_000])) == [
                "1", "2", "3 long-lap",
            ])
        #expect(try told(track.play(.best, [200, 600], distances: [1_000, 2_000])) == ["1", "2 long-lap"])
        #expect(try told(track.play(.best, [30, 140], distances: [190, 480])) == ["1", "2"])
        // A way to the first lap that is much shorter than a lap is run faster, and a passing so early is impossible.
        #expect(try told(track.play(.best, [95, 2_045], distances: [400, 5_400])) == ["1", "2"])
        #expect(try told(track.play(.best, [10, 210], distances: [1_000, 2_000])) == ["1", "2"])
        // A better time for the same lap belongs to the same lap.
        #expect(
            try told(track.play(.best, [10, 110, 210, 410, 415], bounds: [1, 1, 1, 1, 0.5], distances: laps))
                == [
                    "1", "2", "3", "4 long-lap", "4 long-lap",
                ])
    }

    @Test func `doubts a lap that hardly anybody can have run, or not this runner, and lets it count`() throws {
        let laps = [0.0, 400, 800, 1_200]
        // 400 m in 40 s, then in 50 s: beyond a record, then twice as fast as the laps before.
        #expect(try told(track.play(.best, [10, 110, 150], distances: laps)) == ["1", "2", "3 fast-lap"])
        #expect(
            try told(track.play(.best, [10, 110, 210, 260], distances: laps)) == ["1", "2", "3", "4 fast-lap"])
        // A runner who hurries at the end, and a sprint of a lap.
        #expect(try told(track.play(.best, [10, 110, 210, 280], distances: laps)) == ["1", "2", "3", "4"])
        #expect(try told(track.play(.best, [10, 60], distances: laps)) == ["1", "2"])
    }

    @Test func `knows a runner's laps after a restart, and where the course was changed`() throws {
        var timer = try track.timer(.best, distances: [0, 400, 800, 1_200])
        var restarted = timer
        for time in [10.0, 110, 210] { if let told = track.take(&timer, at: time) { restarted.fold(told) } }
        #expect(track.take(&restarted, at: 410)?.flags == [.longLap])
        let shorter = try track.timer(.best, distances: [0, 400]).checkpoint
        timer.follow(try track.run(shorter), at: shorter)
        #expect(track.take(&timer, at: 410)?.flags == [.surplus])
    }

    @Test func `goes on after a restart from what was kept`() throws {
        var whole = try track.timer(.best, distances: [1_000, 2_000, 3_000], split: 60)
        var cut = whole
        let times: [Double] = [100, 130, 200, 210, 300, 900]
        let told = times.compactMap { track.take(&whole, at: $0) }
        for passing in told.prefix(3) { cut.fold(passing) }
        let rest = times.dropFirst(3).compactMap { track.take(&cut, at: $0) }
        #expect(rest == Array(told.dropFirst(3)))
        #expect(cut.count(of: TimedTrack.bib(1)) == 3)
    }

    private static let unset = ClockState(source: .freeRunning, bound: nil)

    @Test func `counts the next lap after a power cut that took the time along, however long it was`() throws {
        var before = try track.timer(.best, distances: [1_000, 2_000, 3_000, 4_000])
        let fresh = before
        var recalled = fresh
        for time in [200.0, 400] { recalled.fold(try #require(track.take(&before, at: time))) }
        // Switched on with a clock that is years late, or years ahead.
        for step in [-1e9, 1e9] {
            func play(_ times: [Double]) -> [String] {
                var timer = recalled
                return told(
                    times.compactMap { track.take(&timer, at: $0, step: step, clock: Self.unset) })
            }
            #expect(play([600, 610, 800]) == ["3 clock-unset", "- clock-unset too-soon", "4 clock-unset"])
            // A passing without a known time judges no lap; those before it do.
            #expect(play([600, 1_000]) == ["3 clock-unset", "4 clock-unset long-lap"])
        }
        // It knew no time before, and does now.
        var unknowing = fresh
        var knowing = fresh
        for time in [200.0, 400] {
            knowing.fold(
                try #require(track.take(&unknowing, at: time, step: -1e9, clock: Self.unset)))
        }
        #expect(track.take(&knowing, at: 600)?.order == 3)
        let long = try #require(track.take(&knowing, at: 800))
        #expect(told([long]) == ["4"])
        // No more laps than the course has.
        #expect(track.take(&knowing, at: 1_000)?.flags == [.surplus])
    }

    @Test func `measures by the clock that nobody sets where only the program was started anew`() throws {
        var before = try track.timer(.best, distances: [1_000, 2_000, 3_000])
        var after = before
        for time in [200.0, 400] {
            let passing = try #require(track.take(&before, at: time, step: -1e9, clock: Self.unset))
            after.fold(passing, at: track.instant(time))
        }
        let laps = [410.0, 600].compactMap { track.take(&after, at: $0, step: 1e9, clock: Self.unset) }
        #expect(told(laps) == ["- clock-unset too-soon", "3 clock-unset"])
    }

    /// Returns a timer restarted after so many seconds, with the earlier passings.
    private func restarted(
        _ fresh: CheckpointTimer, after earlier: [Passing], at seconds: Double
    ) -> CheckpointTimer {
        var timer = fresh
        for passing in earlier { timer.fold(passing) }
        timer.listen(from: track.instant(seconds))
        return timer
    }

    @Test func `gives whoever rests beside the box through a restart no lap`() throws {
        let fresh = try track.timer(.best, distances: [1_000, 2_000, 3_000, 4_000])
        var before = fresh
        let laps = [200.0, 400].compactMap { track.take(&before, at: $0) }
        // Reported meanwhile, and when they go.
        var rest = restarted(fresh, after: laps, at: 450)
        let stay = [500.0, 1_200].compactMap { track.take(&rest, at: $0, since: 451, flags: [.lingered]) }
        #expect(told(stay) == ["- lingered too-soon", "- lingered too-soon"])
        #expect(track.take(&rest, at: 1_400)?.order == 3)
        // A runner that comes by after a whole lap as the box begins to listen has run it.
        var lap = restarted(fresh, after: laps, at: 585)
        #expect(track.take(&lap, at: 600, since: 586)?.order == 3)
        // A later arrival is a new passing.
        var later = restarted(fresh, after: laps, at: 450)
        #expect(track.take(&later, at: 500, since: 490)?.order == 3)
        // With an unset clock: a runner that keeps standing there was there before, and one that goes past is a new
        // passing.
        var cut = restarted(fresh, after: laps, at: 450)
        let rests = [500.0, 1_200].compactMap {
            track.take(&cut, at: $0, since: 451, flags: [.lingered], step: -1e9, clock: Self.unset)
        }
        let both = Array(repeating: "- clock-unset lingered too-soon", count: 2)
        #expect(told(rests) == both)
        var runs = restarted(fresh, after: laps, at: 450)
        #expect(track.take(&runs, at: 460, since: 451, step: -1e9, clock: Self.unset)?.order == 3)
    }

    @Test func `takes whoever comes in as the box is started anew for one who has run there and back`() throws {
        let fresh = try track.timer(nil, distances: [0, 10_000])
        var before = fresh
        let start = [5.0].compactMap { track.take(&before, at: $0) }
        var finish = restarted(fresh, after: start, at: 2_395)
        #expect(track.take(&finish, at: 2_400, since: 2_396)?.order == 2)
        // A return so early is impossible: they have not left the start yet, or never will.
        var crowd = restarted(fresh, after: start, at: 200)
        #expect(track.take(&crowd, at: 250, since: 201)?.order == 1)
        var rest = restarted(fresh, after: start, at: 400)
        #expect(track.take(&rest, at: 420, since: 401)?.flags == [.tooSoon])
    }

    @Test func `names who is awaited`() throws {
        var timer = try track.timer(.first)
        #expect(timer.awaited(at: track.wall(0)).contains(TimedTrack.bib(1)))
        #expect(!timer.awaited(at: track.wall(0)).contains(TimedTrack.bib(2)))
        #expect(!timer.awaited(at: track.wall(59), after: .seconds(60)).contains(TimedTrack.bib(1)))
        _ = track.take(&timer, at: 100)
        #expect(!timer.awaited(at: track.wall(200)).contains(TimedTrack.bib(1)))
    }

    @Test func `times a tag in each of the runs that overlap, at the checkpoint where its box stands`() throws {
        var timers = RunTimers(gateway: TimedTrack.box)
        let names = [("a", TimedTrack.box), ("b", TimedTrack.box), ("c", GatewayID(sample: "other"))]
        let runs = try names.map { name, box in
            let point = try #require(
                Checkpoint(id: CheckpointID(sample: "finish"), distances: [1_000], isFinish: true, box: box))
            return try track.run(point, bibs: [1], id: name)
        }
        timers.follow(runs, known: Set(runs.map(\.id)), at: track.instant(0))
        #expect(timers[RunID(sample: "c")] == nil)
        let owners = runs.map { Enrolment(run: $0.id, bib: TimedTrack.bib(1)) }
        func take(at seconds: Double) -> [Passing] {
            timers.take(
                track.passage(at: seconds), of: owners, dating: track.dating(),
                makeID: { _ in track.id(UInt64(seconds)) })
        }
        #expect(take(at: 100).map(\.run.text) == ["a", "b"])
        // The counts stay while the runs change, and after an ended run goes on.
        let known = Set(runs.map(\.id))
        timers.follow(Array(runs.prefix(1)), known: known, at: track.instant(0))
        let again = take(at: 110)
        #expect(told(again) == ["- too-soon"])
        timers.follow(runs, known: known, at: track.instant(0))
        let both = take(at: 112)
        #expect(told(both) == ["- too-soon", "- too-soon"])
        timers.follow(Array(runs.prefix(1)), known: [runs[0].id], at: track.instant(0))
        timers.follow(runs, known: known, at: track.instant(0))
        let after = take(at: 114)
        #expect(told(after) == ["- too-soon", "1"], "of a run that was gone nothing is kept")
    }
}
