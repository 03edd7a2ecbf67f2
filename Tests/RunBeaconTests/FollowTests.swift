import GatewayModel
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

/// Against simulated runners, whose truth is known; `make bench-race` prints more of them.
@Suite struct `Runners followed along a course` {
    private func score(_ drawn: DrawnCourse, _ style: Jog.Style, gaps: Double = 0.05) throws -> FollowScore {
        let course = drawn.course
        let points = Array(stride(from: 2_000, to: course.length - 500, by: 2_000)) + [course.length]
        var score = FollowScore()
        for seed in 1...4 as ClosedRange<UInt64> {
            try score.play(
                Jog(course, style, speed: 2.2 + 0.5 * Double(seed), gaps: gaps, seed: seed), points: points)
        }
        return score
    }

    @Test(arguments: [DrawnCourse.road, .outAndBack, .loops, .eight], Jog.Style.allCases)
    func `are where they are told to be, and at a checkpoint when it is said`(
        drawn: DrawnCourse, style: Jog.Style
    ) throws {
        let score = try score(drawn, style)
        #expect(score.errors.quantile(0.5) < 6)
        // Never another lap or the other side of the road: those are hundreds of metres off.
        #expect(score.errors.quantile(1) < 80)
        #expect(score.leap < 40)
        #expect(score.unsure * 50 < score.errors.count)
        #expect(score.predictions.count > 200)
        #expect(score.predictions.coverage >= 93)
        #expect(score.crossings.count >= 14)
        #expect(score.crossings.coverage >= 90)
        #expect(score.crossings.map(\.error).quantile(0.5) < 2)
        #expect(score.missed <= 3)
    }

    @Test func `are sure of their lap where it is short, as long as positions come`() throws {
        let score = try score(.stadium, .steady, gaps: 0)
        #expect(score.errors.quantile(1) < 80)
        #expect(score.unsure == 0)
        #expect(score.missed == 0)
    }

    @Test func `are found on their lap when the first position comes late, or marked unsure`() throws {
        let course = DrawnCourse.loops.course
        let jog = Jog(course, .steady, speed: 2.9, gaps: 0, seed: 5)
        var track = RunnerTrack(try FollowScore.run(course, [course.length]), start: Jog.start.wall)
        for sample in jog.samples.dropFirst(900) {
            guard case .taken(let position, _, _) = track.take(sample.report) else { continue }
            let distance = try #require(position.distance)
            #expect(
                position.flags.contains(.unsure) || abs(distance - sample.distance) < 60,
                "\(position) \(sample.distance)")
        }
    }

    @Test func `are sure of their lap again once a box has timed them`() throws {
        let course = DrawnCourse.stadium.course
        let jog = Jog(course, .steady, speed: 3.5, gaps: 0, seed: 5)
        let run = try FollowScore.run(course, [5_000, course.length])
        var track = RunnerTrack(run, start: Jog.start.wall)
        let mark = try #require(jog.time(at: 5_000))
        // The first ones come late in the race: of the laps nobody can be sure.
        let late = jog.samples.filter { $0.distance > 4_500 }
        for sample in late where sample.distance < 5_000 { _ = track.take(sample.report) }
        #expect(track.latest?.flags == [.unsure])
        track.passed(run.points[0], at: mark)
        for sample in late where sample.distance > 5_010 {
            guard case .taken(let position, _, _) = track.take(sample.report) else { continue }
            #expect(position.flags == [])
            #expect(abs(try #require(position.distance) - sample.distance) < 60)
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `stay where they were whatever a mad receiver says`(seed: UInt64) throws {
        let course = DrawnCourse.outAndBack.course
        var random = SeededGenerator(seed: seed)
        var track = RunnerTrack(try FollowScore.run(course, [course.length]), start: Jog.start.wall)
        var last: RunnerPosition?
        for second in 0..<600 {
            let coordinates = try #require(
                Coordinates(
                    latitude: .random(in: -90...90, using: &random),
                    longitude: .random(in: -180...180, using: &random)))
            let report = PositionReport(
                coordinates: coordinates,
                accuracy: [nil, -1, 0, 5, .infinity, .nan][Int.random(in: 0..<6, using: &random)],
                sourceTime: WallTime(millisecondsSince1970: .random(in: Int64.min...Int64.max, using: &random)),
                age: .seconds(Int64.random(in: -1_000...1_000, using: &random)),
                arrival: Jog.start.advanced(by: .seconds(second)))
            if case .taken(let position, _, _) = track.take(report) {
                #expect(last == nil, "two places of the world within ten minutes")
                last = position
            }
        }
    }
}
