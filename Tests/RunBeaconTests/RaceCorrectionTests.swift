import GatewayModel
import ModelSamples
import RunBeacon
import Testing

@Suite struct `Corrections of a run` {
    private let field = StandingsField()

    private func corrections(_ acts: (Int, RaceCorrection.Act)...) throws -> RaceCorrections {
        var corrections = RaceCorrections()
        for (bib, act) in acts {
            corrections.add(
                RaceCorrection(
                    number: corrections.nextNumber, run: field.run, bib: try #require(Bib(bib)), act: act,
                    by: "Anna", at: field.time(after: 3_000), reason: "seen on the video"))
        }
        return corrections
    }

    private func table(_ passings: [Passing], _ corrections: RaceCorrections) throws -> [Standing] {
        let run = try field.makeRun(bibs: 1...3)
        var standings = Standings(run)
        standings.add(passings, corrected: corrections, of: run)
        return standings.table()
    }

    private func finishes() throws -> [Passing] {
        try [(1, 2_400), (2, 2_450), (3, 2_500)].map { try field.passing($0, "finish", after: $1) }
    }

    @Test func `rank a passing by hand with its bound, and say that it is by hand`() throws {
        let added = try corrections(
            (3, .add(CheckpointID(sample: "finish"), order: 1, time: field.time(after: 2_300), bound: 2_000)))
        let first = try #require(try table(Array(try finishes().prefix(2)), added).first)
        #expect(first.bib.number == 3 && first.rank == 1 && first.gun == .seconds(2_300))
        #expect(first.bound == .seconds(2) && first.splits.last?.method == .manual)
    }

    @Test func `take a struck passing out, and let the next one of the same point count`() throws {
        var passings = try finishes()
        passings.append(try field.passing(1, "finish", after: 2_460))
        let row = try table(passings, try corrections((1, .strike(passings[0].id)))).first {
            $0.bib.number == 1
        }
        #expect(row?.gun == .seconds(2_460) && row?.rank == 2)
    }

    @Test func `give no rank to a runner that is marked, and the rank to the next`() throws {
        let marked = try corrections((1, .mark(.disqualified)), (3, .mark(.didNotFinish)))
        let rows = try table(try finishes(), marked)
        #expect(rows.map(\.bib.number) == [2, 3, 1])
        #expect(rows.map(\.rank) == [1, nil, nil])
        #expect(rows.map(\.state) == [.finished, .didNotFinish, .disqualified])
    }

    @Test func `count again once their undoing is undone`() throws {
        let once = try corrections((1, .mark(.disqualified)), (1, .undo(1)))
        #expect(once.marks.isEmpty && once.all.map(once.counts) == [false, true])
        let twice = try corrections((1, .mark(.disqualified)), (1, .undo(1)), (1, .undo(2)))
        #expect(twice.marks.count == 1 && twice.all.map(twice.counts) == [true, false, true])
    }

    @Test func `leave the passings of the log as they are`() throws {
        let passings = try finishes()
        let run = try field.makeRun(bibs: 1...3)
        let struck = try corrections((1, .strike(passings[0].id)), (1, .undo(1)))
        #expect(struck.corrected(passings, of: run) == passings)
    }

    @Test func `refuse a runner, a point, a time, a passing and a number that the run does not have`() throws {
        let run = try field.makeRun(bibs: 1...3)
        let bib = try #require(Bib(1))
        let own = try finishes().filter { $0.bib == bib }
        let other = try field.passing(2, "finish", after: 2_400)
        let (finish, swim) = (CheckpointID(sample: "finish"), CheckpointID(sample: "swim"))
        let known = try corrections((1, .mark(.didNotStart)), (1, .undo(1)), (2, .mark(.didNotStart)))
        func refusal(_ act: RaceCorrection.Act, _ bib: Bib = bib) -> CorrectionRefusal? {
            known.refusal(of: act, about: bib, in: run, passings: own)
        }
        #expect(refusal(.mark(.didNotStart), try #require(Bib(9))) == .unknownRunner(try #require(Bib(9))))
        #expect(
            refusal(.add(swim, order: 1, time: field.time(after: 60), bound: 1_000))
                == .unknownPoint(swim, order: 1))
        #expect(
            refusal(.add(finish, order: 2, time: field.time(after: 60), bound: 1_000))
                == .unknownPoint(finish, order: 2))
        for seconds in [-1, 10_000 + 86_401] {
            #expect(
                refusal(.add(finish, order: 1, time: field.time(after: seconds), bound: 1_000))
                    == .unknownTime(field.time(after: seconds)))
        }
        #expect(refusal(.strike(other.id)) == .unknownPassing(other.id))
        #expect(refusal(.undo(3)) == .unknownCorrection(3))
        #expect(refusal(.undo(1)) == .undone(1))
        #expect(refusal(.strike(own[0].id)) == nil && refusal(.undo(2)) == nil)
    }
}
