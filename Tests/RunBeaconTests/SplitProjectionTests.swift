import GatewayModel
import ModelSamples
import RunBeacon
import Testing

@Suite struct `A place that is projected by splits` {
    private let field = StandingsField()

    private func projection(_ passings: [(String, Int)], at seconds: Int) throws -> SplitProjection? {
        var standings = try field.standings(bibs: 1...1)
        for (checkpoint, time) in passings { standings.add(try field.passing(1, checkpoint, after: time)) }
        let row = try #require(standings.table().first)
        return SplitProjection(of: row, points: standings.points, at: field.time(after: seconds))
    }

    @Test func `moves with the pace of the last leg, and stops at the next point`() throws {
        let moving = try #require(try projection([("start", 100), ("half", 1_600)], at: 1_900))
        #expect(moving.distance == 6_000 && moving.secondsPerKilometre == 300)
        #expect(moving.expected == field.time(after: 3_100) && moving.next.checkpoint.text == "finish")
        let late = try #require(try projection([("start", 100), ("half", 1_600)], at: 3_300))
        #expect(late.distance == 10_000)
    }

    @Test func `has a bound of a third of the leg, and ends after it`() throws {
        let passings = [("start", 100), ("half", 1_600)]
        let bound = try #require(try projection(passings, at: 1_900)).bound.wholeMilliseconds
        #expect((500_000...500_010).contains(bound))
        #expect(try projection(passings, at: 3_599) != nil)
        #expect(try projection(passings, at: 3_602) == nil)
    }

    @Test func `takes the gun where the runner was not heard at the start`() throws {
        #expect(try projection([("half", 1_500)], at: 1_800)?.distance == 6_000)
    }

    @Test func `is none before a pace is known, after the finish, and at an impossible pace`() throws {
        #expect(try projection([], at: 60) == nil)
        #expect(try projection([("start", 100)], at: 160) == nil)
        #expect(try projection([("half", 1_500), ("finish", 3_000)], at: 3_100) == nil)
        #expect(try projection([("start", 100), ("half", 105)], at: 160) == nil)
    }

    @Test func `stays at the last point while the clock is behind it`() throws {
        #expect(try projection([("half", 1_500)], at: 1_400)?.distance == 5_000)
    }
}
