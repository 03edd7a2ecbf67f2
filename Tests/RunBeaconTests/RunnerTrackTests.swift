import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import Testing

@Suite struct `A runner's track` {
    private let course = DrawnCourse.road.course

    private func track(_ points: [Double]? = nil, rules: TrackRules = TrackRules()) throws -> RunnerTrack {
        RunnerTrack(
            try FollowScore.run(course, points ?? [0, 5_000, course.length]), start: Jog.start.wall,
            rules: rules)
    }

    /// At `metres` of the course, `seconds` after the start, `aside` metres to the north of it.
    private func report(
        _ metres: Double, after seconds: Double, aside: Double = 0, accuracy: Double? = 10,
        from source: String? = "watch", sourceSeconds: Double? = nil, age: Duration = .zero
    ) throws -> PositionReport {
        let place = course.place(at: metres)
        let start = Jog.start
        return PositionReport(
            coordinates: try #require(
                Coordinates(latitude: place.latitude + aside / 111_200, longitude: place.longitude)),
            accuracy: accuracy, source: source.map { DeviceID(sample: $0) },
            sourceTime: sourceSeconds.map {
                WallTime(millisecondsSince1970: start.wall.millisecondsSince1970 + Int64($0 * 1_000))
            }, age: age, arrival: start.advanced(by: .milliseconds(Int64(seconds * 1_000))))
    }

    private func taken(_ verdict: RunnerTrack.Verdict) throws -> RunnerPosition {
        guard case .taken(let position, _, _) = verdict else {
            throw Refused(verdict: verdict)
        }
        return position
    }

    private struct Refused: Error {
        let verdict: RunnerTrack.Verdict
    }

    /// Run at 3 m/s, a position each 2 s.
    private func run(_ track: inout RunnerTrack, from start: Int = 0, until end: Int) throws {
        for second in stride(from: start, through: end, by: 2) {
            _ = track.take(try report(3 * Double(second), after: Double(second)))
        }
    }

    @Test func `knows distance, pace and when the next checkpoint comes`() throws {
        var track = try track()
        try run(&track, until: 600)
        let position = try #require(track.latest)
        #expect(abs(try #require(position.distance) - 1_800) < 10)
        #expect(try #require(position.offset) < 3)
        #expect(abs(try #require(position.secondsPerKilometre) - 333) < 15)
        let next = try #require(position.next)
        #expect(next.checkpoint == CheckpointID(sample: "at-5000"))
        let seconds = Double(next.time.millisecondsSince1970 - Jog.start.wall.millisecondsSince1970) / 1_000
        #expect(abs(seconds - 1_667) < 60)
        #expect(next.bound > .seconds(30) && next.bound < .seconds(400))
        #expect(position.flags == [])
    }

    @Test func `never lets a late, doubled or replayed position replace a newer one`() throws {
        var track = try track()
        try run(&track, until: 600)
        let newest = track.latest
        #expect(track.take(try report(1_800, after: 600)) == .refused(.late))
        #expect(track.take(try report(1_770, after: 605, age: .seconds(15))) == .refused(.late))
        #expect(track.latest == newest)
        // By the source's clock, which a replay cannot put forward.
        _ = track.take(try report(1_830, after: 610, sourceSeconds: 610))
        #expect(track.take(try report(1_815, after: 612, sourceSeconds: 605)) == .refused(.late))
        #expect(track.take(try report(1_830, after: 614, sourceSeconds: 610)) == .refused(.late))
        _ = try taken(track.take(try report(1_848, after: 616, sourceSeconds: 616)))
    }

    @Test func `takes no replay of one source after a position of another`() throws {
        var track = try track()
        _ = try taken(track.take(try report(1_830, after: 610, sourceSeconds: 610)))
        _ = try taken(track.take(try report(1_836, after: 612, from: nil)))
        #expect(track.take(try report(1_830, after: 614, sourceSeconds: 610)) == .refused(.late))
        _ = try taken(track.take(try report(1_848, after: 616, from: "phone", sourceSeconds: 16)))
        _ = try taken(track.take(try report(1_854, after: 618, sourceSeconds: 618)))
    }

    @Test func `does not wait for a year when a source's clock was wrong once`() throws {
        var track = try track()
        _ = try taken(track.take(try report(300, after: 100, sourceSeconds: 30_000_000)))
        _ = try taken(track.take(try report(306, after: 102, sourceSeconds: 102)))
    }

    @Test func `refuses what is old on arrival or says nothing`() throws {
        var track = try track()
        #expect(track.take(try report(300, after: 500, age: .seconds(121))) == .refused(.old))
        #expect(track.take(try report(300, after: 500, accuracy: 101)) == .refused(.inaccurate))
        #expect(track.latest == nil)
    }

    @Test func `holds out a leap, and goes on where it was`() throws {
        var track = try track()
        try run(&track, until: 600)
        #expect(track.take(try report(1_806, after: 602, aside: 900)) == .refused(.leap))
        let position = try taken(track.take(try report(1_812, after: 604)))
        #expect(position.flags == [])
        #expect(abs(try #require(position.distance) - 1_812) < 10)
    }

    @Test func `believes a leap once others agree with it, and marks it`() throws {
        var track = try track()
        try run(&track, until: 600)
        var verdicts: [RunnerTrack.Verdict] = []
        for second in stride(from: 602.0, through: 620, by: 2) {
            verdicts.append(track.take(try report(4_000 + 3 * second, after: second)))
        }
        let held = verdicts.prefix { $0 == .refused(.leap) }.count
        #expect(held == 5)
        let position = try taken(verdicts[held])
        #expect(position.flags.contains(.leapt))
        #expect(abs(try #require(position.distance) - (4_000 + 3 * 612)) < 20)
    }

    @Test func `never believes who goes on faster than anybody runs`() throws {
        var track = try track()
        try run(&track, until: 600)
        // 20 m/s: a car.
        let verdicts = try stride(from: 602.0, through: 680, by: 2).map {
            track.take(try report(1_800 + 20 * ($0 - 600), after: $0))
        }
        // Half a minute: what two positions hide in their errors shows over a longer stretch.
        #expect(verdicts.dropFirst(15).allSatisfy { $0 == .refused(.leap) })
    }

    @Test func `marks who is off the course, and keeps the distance for when they are back`() throws {
        var track = try track()
        try run(&track, until: 600)
        for second in stride(from: 610.0, through: 700, by: 10) {
            let aside = min(120, 12 * (second - 600))
            let position = try taken(track.take(try report(1_800, after: second, aside: aside)))
            guard aside > 100 else { continue }
            #expect(position.flags == [.offCourse])
            #expect(position.distance == nil)
            #expect(abs(try #require(position.offset) - aside) < 0.5 * aside)
        }
        for second in stride(from: 720.0, through: 740, by: 10) {
            let position = try taken(track.take(try report(1_800 + 3 * (second - 700), after: second)))
            #expect(position.flags.isDisjoint(with: [.offCourse]))
            #expect(abs(try #require(position.distance) - 1_800) < 200)
        }
    }

    @Test func `tells what is far or long enough after the last, and not each position`() throws {
        var track = try track()
        var told: [Double] = []
        for second in stride(from: 0.0, through: 300, by: 1) {
            let metres = second < 120 ? 3 * second : 360
            if case .taken(_, true, _) = track.take(try report(metres, after: second)) { told.append(second) }
        }
        let pauses = zip(told, told.dropFirst()).map { $1 - $0 }
        #expect(told.first == 0)
        #expect(pauses.allSatisfy { $0 >= 5 && $0 <= 30 })
        // 25 m at 3 m/s, then every half minute.
        #expect((14...22).contains(told.count), "\(told)")
    }

    @Test func `goes on past the last checkpoint where that is not the finish`() throws {
        var byPositions = try track([300])
        try run(&byPositions, until: 600)
        var byBox = try track([300])
        try run(&byBox, until: 98)
        byBox.passed(
            RunPoint(checkpoint: CheckpointID(sample: "at-300"), order: 1, distance: 300),
            at: Jog.start.advanced(by: .seconds(100)))
        try run(&byBox, from: 110, until: 600)
        // First seen when all of them are behind.
        var late = try track([300])
        try run(&late, from: 500, until: 600)
        for track in [byPositions, byBox, late] {
            let position = try #require(track.latest)
            #expect(abs(try #require(position.distance) - 1_800) < 15, "\(position)")
            #expect(position.next == nil && position.secondsPerKilometre != nil)
        }
    }

    @Test func `passes nothing of the laps that were not drawn where the line ends`() throws {
        // Two laps to run, and the line of one.
        let length = course.length
        var track = try track([length / 2, length * 1.02, length * 1.5, length * 2])
        var crossed: [RunPoint] = []
        for second in stride(from: 0.0, through: length / 3 + 300, by: 2) {
            guard case .taken(_, _, let crossings) = track.take(try report(3 * second, after: second)) else {
                continue
            }
            crossed += crossings.map(\.point)
        }
        #expect(crossed.map(\.distance) == [length / 2, length * 1.02])
        #expect(track.latest?.next == nil)
    }

    @Test func `is at the end for good once the finish is passed`() throws {
        var track = try track([course.length])
        try run(&track, until: Int(course.length / 3) + 60)
        let end = try #require(track.latest?.measured.boot)
        // On the way back to the car.
        let seconds = Double(Jog.start.boot.duration(to: end).wholeNanoseconds) / 1e9
        let position = try taken(track.take(try report(course.length - 200, after: seconds + 200)))
        #expect(position.distance == course.length && position.next == nil)
    }

    @Test func `follows without a course too`() throws {
        let wave = Wave(id: WaveID(sample: "all"), start: Jog.start.wall)
        let run = try Run(
            id: RunID(sample: "free"), title: "Free", end: Jog.start.advanced(by: .seconds(9_000)).wall,
            waves: [wave],
            checkpoints: [try #require(Checkpoint(id: CheckpointID(sample: "a"), distances: [5]))],
            participants: [])
        var track = RunnerTrack(run, start: wave.start)
        let position = try taken(track.take(try report(300, after: 100, accuracy: nil)))
        #expect(position.distance == nil && position.offset == nil && position.next == nil)
        #expect(position.flags == [.unknownAccuracy])
    }
}
