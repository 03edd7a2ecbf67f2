import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

@Suite struct `The standings` {
    private let field = StandingsField()

    @Test func `rank by the time at the finish, then by how far one is and since when`() throws {
        var standings = try field.standings(bibs: 1...5)
        standings.add(try field.passing(3, "finish", after: 2_400))
        standings.add(try field.passing(1, "finish", after: 2_500))
        standings.add(try field.passing(5, "half", after: 1_300))
        standings.add(try field.passing(2, "half", after: 1_250))
        let table = standings.table()
        #expect(table.map(\.bib.number) == [3, 1, 2, 5, 4])
        #expect(table.map(\.rank) == [1, 2, 3, 4, nil])
        #expect(table.map(\.state) == [.finished, .finished, .running, .running, .expected])
        #expect(table[1].gap == .seconds(100))
        #expect(table[1].gun == .seconds(2_500))
        #expect(table[2].distance == 5_000)
        // The first of the table was not heard at 5 km: nobody knows how far behind these are.
        #expect(table[2].gap == nil)
    }

    @Test func `give who is equal one rank, and count them both for the next`() throws {
        var standings = try field.standings(bibs: 1...4)
        for (bib, seconds) in [(1, 2_400), (2, 2_500), (3, 2_500), (4, 2_600)] {
            standings.add(try field.passing(bib, "finish", after: seconds))
        }
        #expect(standings.table().map(\.rank) == [1, 2, 2, 4])
    }

    @Test func `count a net time from the runner's own start, and rank by it when asked`() throws {
        var standings = try field.standings(bibs: 1...2)
        standings.add(try field.passing(1, "start", after: 0))
        standings.add(try field.passing(2, "start", after: 60))
        standings.add(try field.passing(1, "finish", after: 2_400))
        standings.add(try field.passing(2, "finish", after: 2_430))
        #expect(standings.table(by: .gun).map(\.bib.number) == [1, 2])
        let net = standings.table(by: .net)
        #expect(net.map(\.bib.number) == [2, 1])
        #expect(net[0].net == .seconds(2_370))
        #expect(net[0].gun == .seconds(2_430))
        #expect(net[1].gap == .seconds(30))
    }

    @Test func `take the gun for who was not heard at the start`() throws {
        var standings = try field.standings(bibs: 1...1)
        standings.add(try field.passing(1, "finish", after: 2_400))
        let row = try #require(standings.table(by: .net).first)
        #expect(row.net == nil)
        #expect(row.rank == 1)
    }

    @Test func `put who left before the finish last, without a rank, and say so`() throws {
        var standings = try field.standings(bibs: 1...3)
        standings.add(try field.passing(1, "half", after: 1_200))
        standings.add(try field.passing(2, "finish", after: 2_400))
        standings.leave(try #require(Bib(1)))
        standings.leave(try #require(Bib(2)))
        let table = standings.table()
        #expect(table.map(\.bib.number) == [2, 3, 1])
        #expect(table.map(\.state) == [.finished, .expected, .left])
        #expect(table.map(\.rank) == [1, nil, nil])
    }

    @Test func `rank a category among itself`() throws {
        var standings = try field.standings(bibs: 1...4)
        for bib in 1...4 { standings.add(try field.passing(bib, "finish", after: 2_400 + 10 * bib)) }
        #expect(standings.categories == ["m", "w"])
        let women = standings.table(category: "w")
        #expect(women.map(\.bib.number) == [2, 4])
        #expect(women.map(\.rank) == [1, 2])
        #expect(women[1].gap == .seconds(20))
    }

    @Test func `let the rule of the checkpoint choose among passings of one order`() throws {
        var standings = try field.standings(bibs: 1...1)
        for seconds in [-30, 20, 5] { standings.add(try field.passing(1, "start", after: seconds)) }
        standings.add(try field.passing(1, "half", after: 1_200, bound: 900))
        standings.add(try field.passing(1, "half", after: 1_204, bound: 300))
        for seconds in [2_500, 2_400, 2_450] { standings.add(try field.passing(1, "finish", after: seconds)) }
        let splits = try #require(standings.table().first).splits
        #expect(splits.map(\.gun) == [.seconds(20), .seconds(1_204), .seconds(2_400)])
    }

    @Test func `take the last time at the start and the first at the finish of one box`() throws {
        let bib = try #require(Bib(1))
        let arch = try #require(
            Checkpoint(id: CheckpointID(sample: "arch"), distances: [0, 10_000], isFinish: true))
        let wave = Wave(id: WaveID(sample: "all"), start: field.start)
        var standings = Standings(
            try Run(
                id: field.run, title: "City 10K", end: field.time(after: 10_000), waves: [wave],
                checkpoints: [arch], participants: [Participant(bib: bib, wave: wave.id, tags: [])]))
        for seconds in [5, 200, 90] { standings.add(try field.passing(1, "arch", after: seconds)) }
        for seconds in [2_500, 2_400, 2_450] {
            standings.add(try field.passing(1, "arch", order: 2, after: seconds))
        }
        let row = try #require(standings.table().first)
        #expect(row.splits.map(\.gun) == [.seconds(200), .seconds(2_400)])
        #expect(row.net == .seconds(2_200))
    }

    @Test
    func
        `believe a person before a box, a box before positions, and a clock that was set before one that was not`()
        throws
    {
        var standings = try field.standings(bibs: 1...1)
        standings.add(try field.passing(1, "finish", after: 2_300, bound: nil))
        #expect(standings.table().first?.bound == nil)
        standings.add(try field.passing(1, "finish", after: 2_390, method: .gpsLine))
        standings.add(try field.passing(1, "finish", after: 2_400))
        #expect(standings.table().first?.gun == .seconds(2_400))
        standings.add(try field.passing(1, "finish", after: 2_410, method: .manual))
        #expect(standings.table().first?.gun == .seconds(2_410))
    }

    @Test func `say where two times are closer than their bounds`() throws {
        var standings = try field.standings(bibs: 1...3)
        standings.add(try field.passing(1, "finish", after: 2_400, bound: 800))
        standings.add(try field.passing(2, "finish", after: 2_401, bound: 800))
        standings.add(try field.passing(3, "finish", after: 2_404, bound: 800))
        #expect(standings.table().map(\.isUndecided) == [false, true, false])
    }

    @Test func `are as sure of a net time as of its start and its end together`() throws {
        var standings = try field.standings(bibs: 1...4)
        for (bib, start, finish) in [(1, 0, 2_400), (2, 60, 2_461), (3, 10, 2_412)] {
            standings.add(try field.passing(bib, "start", after: start, bound: 800))
            standings.add(try field.passing(bib, "finish", after: finish, bound: 600))
        }
        standings.add(try field.passing(4, "finish", after: 2_405, bound: 600))
        let net = standings.table(by: .net)
        #expect(net.map(\.bib.number) == [1, 2, 3, 4])
        // 800 ms and 600 ms; who was not heard at the start has the gun time, which has no error of a start.
        #expect(net.map(\.bound) == [.seconds(1), .seconds(1), .seconds(1), .milliseconds(600)])
        // 1 s is more than both finishes are off by, and less than both net times are.
        #expect(net.map(\.isUndecided) == [false, true, true, false])
        #expect(net[0].splits.map(\.netBound) == [.zero, .seconds(1)])
        let gun = standings.table()
        #expect(gun.map(\.bib.number) == [1, 4, 3, 2] && gun.allSatisfy { $0.bound == .milliseconds(600) })
        #expect(gun.allSatisfy { !$0.isUndecided })
    }

    @Test func `know no bound of a net time where the start has none, and are sure of a start by itself`()
        throws
    {
        var standings = try field.standings(bibs: 1...3)
        for bib in 1...3 {
            standings.add(try field.passing(bib, "start", after: bib, bound: bib == 1 ? nil : 800))
        }
        // Nobody is any faster yet: all of them have run for no time at all.
        #expect(standings.table(by: .net).map(\.rank) == [1, 1, 1])
        #expect(standings.table(by: .net).allSatisfy { !$0.isUndecided && $0.bound == .zero })
        for (bib, seconds) in [(1, 2_401), (2, 2_502)] {
            standings.add(try field.passing(bib, "finish", after: seconds, bound: 600))
        }
        let net = standings.table(by: .net)
        #expect(net[0].net == .seconds(2_400) && net[0].bound == nil)
        #expect(net[1].isUndecided, "nobody knows by how much")
        #expect(standings.table().first?.bound == .milliseconds(600))
    }

    @Test func `take nothing of another run, an unknown bib or a point that is none, nor what does not count`()
        throws
    {
        var standings = try field.standings(bibs: 1...1)
        #expect(standings.add(try field.passing(2, "finish", after: 1)) == .unknown)
        #expect(standings.add(try field.passing(1, "elsewhere", after: 1)) == .unknown)
        #expect(standings.add(try field.passing(1, "finish", order: 2, after: 1)) == .unknown)
        #expect(standings.add(try field.passing(1, "finish", after: 1, run: "other")) == .unknown)
        #expect(standings.add(try field.passing(1, "finish", order: nil, after: 1)) == .unchanged)
        #expect(standings.table().map(\.state) == [.expected])
        let passing = try field.passing(1, "finish", after: 1)
        #expect(standings.add(passing) == .changed)
        #expect(standings.add(passing) == .unchanged)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `are the same in whichever order the passings come, and however often`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var passings: [Passing] = []
        for _ in 0..<200 { passings.append(try field.random(bibs: 1...12, &random)) }
        var inOrder = try field.standings(bibs: 1...12)
        for passing in passings { inOrder.add(passing) }
        let doubled = (passings + passings.prefix(50)).shuffled(using: &random)
        var shuffled = try field.standings(bibs: 1...12)
        for passing in doubled { shuffled.add(passing) }
        for basis in StandingsBasis.allCases {
            #expect(shuffled.table(by: basis) == inOrder.table(by: basis))
            let ranks = inOrder.table(by: basis).compactMap(\.rank)
            #expect(ranks == ranks.sorted())
        }
    }
}
