import GatewayModel
import ModelSamples
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

@Suite struct `The passings of several boxes, as one list` {
    private func passing(
        _ number: Int, by box: String, bib: Int = 7, order: Int? = 1, at seconds: Double,
        bound: Duration? = .seconds(1), hits: Int = 30
    ) throws -> Passing {
        let time = WallTime(millisecondsSince1970: 1_780_000_000_000 + Int64(seconds * 1_000))
        return Passing(
            id: try #require(
                MessageID(
                    "019caa1b-3c40-7d10-8a01-" + String(repeating: "0", count: 12 - "\(number)".count)
                        + "\(number)")),
            run: RunID(sample: "spring"), checkpoint: CheckpointID(sample: "finish"),
            gateway: GatewayID(sample: box), bib: try #require(Bib(bib)), order: order, time: time,
            first: time, last: time,
            clock: ClockState(source: .gps, bound: bound.map { _ in .milliseconds(100) }),
            bound: bound, hits: hits, strongest: -60, flags: [])
    }

    @Test func `counts the surer of two that are one, and keeps the other behind it`() throws {
        let sure = try passing(1, by: "b", at: 10, bound: .milliseconds(300))
        let other = try passing(2, by: "a", at: 10.9, bound: .milliseconds(900))
        let merged = PassingMerge.merge([other, sure])
        #expect(merged.map(\.passing) == [sure, other])
        #expect(merged.map(\.backupOf) == [nil, sure.id])
        #expect(merged.allSatisfy { $0.disputes.isEmpty })
    }

    @Test func `says where their times lie further apart than their bounds allow`() throws {
        let merged = PassingMerge.merge([
            try passing(1, by: "a", at: 10, bound: .milliseconds(500)),
            try passing(2, by: "b", at: 14, bound: .milliseconds(600)),
        ])
        #expect(merged.map(\.disputes) == [[.time], [.time]])
        let apart = PassingMerge.merge([
            try passing(1, by: "a", at: 10, bound: .milliseconds(500)),
            try passing(2, by: "b", at: 15.001, bound: .milliseconds(600)),
        ])
        #expect(apart.map(\.backupOf) == [nil, nil], "5 s and more: two")
        let wide = PassingMerge.merge([
            try passing(1, by: "a", at: 10, bound: .seconds(4)),
            try passing(2, by: "b", at: 17, bound: .seconds(4)),
        ])
        #expect(wide.map(\.backupOf) == [nil, wide[0].passing.id], "their bounds allow 8 s")
    }

    @Test func `takes the higher count where one of them has missed the runner before, and says so`() throws {
        let merged = PassingMerge.merge([
            try passing(1, by: "a", order: 1, at: 0),
            try passing(2, by: "a", order: 2, at: 600, bound: .seconds(2)),
            try passing(3, by: "b", order: 1, at: 600.5),
        ])
        #expect(merged.map(\.passing.order) == [1, 2, 2])
        #expect(merged[1].passing.gateway.text == "b" && merged[1].disputes == [.order])
    }

    @Test func `takes a merged list with a third box, and still says who had counted differently`() throws {
        // The surer one had missed the runner before: it takes the other's count, so that both are alike from then on.
        let two = PassingMerge.merge([
            try passing(1, by: "a", order: 2, at: 600, bound: .seconds(2)),
            try passing(2, by: "b", order: 1, at: 600.5),
        ])
        #expect(Set(two.map(\.passing.order)) == [2])
        let third = try passing(3, by: "c", order: 2, at: 600.2, bound: .milliseconds(100))
        let merged = PassingMerge.merge(two + [MergedPassing(passing: third)])
        #expect(merged.map(\.backupOf) == [nil, third.id, third.id])
        #expect(merged.map(\.disputes) == [[.order], [.order], [.order]])
        #expect(merged.counting == [third])
        #expect((merged + two).counting == [third], "what stands behind it counts nowhere")
    }

    @Test func `lets two of one box be two, and takes the nearest of the other for each`() throws {
        let merged = PassingMerge.merge([
            try passing(1, by: "a", at: 10), try passing(2, by: "a", at: 12),
            try passing(3, by: "b", at: 12.2, bound: .seconds(2)),
        ])
        #expect(merged.map(\.passing.id).count == 3)
        #expect(merged.map { $0.backupOf == nil } == [true, true, false])
        #expect(merged[2].backupOf == merged[1].passing.id)
    }

    @Test func `never matches what nobody knows the time of, nor other runners`() throws {
        let merged = PassingMerge.merge([
            try passing(1, by: "a", at: 10, bound: nil), try passing(2, by: "b", at: 10),
            try passing(3, by: "c", bib: 8, at: 10),
        ])
        #expect(merged.allSatisfy { $0.backupOf == nil })
    }

    @Test func `is the same whatever the order of what comes in, and of a list with itself that list`() throws {
        for seed in UInt64(0)..<300 {
            var random = SeededGenerator(seed: seed)
            let all = try (1...Int.random(in: 1...60, using: &random)).map { number in
                try passing(
                    Int.random(in: 1...max(1, number), using: &random),
                    by: ["a", "b", "c"].randomElement(using: &random) ?? "a",
                    bib: Int.random(in: 1...4, using: &random),
                    order: Int.random(in: 0...3, using: &random).nonZero,
                    at: Double(Int.random(in: 0...40, using: &random)) / 2,
                    bound: Bool.random(using: &random)
                        ? .milliseconds(Int.random(in: 0...4_000, using: &random)) : nil,
                    hits: Int.random(in: 1...3, using: &random))
            }
            let merged = PassingMerge.merge(all)
            for _ in 0..<5 {
                #expect(PassingMerge.merge(all.shuffled(using: &random)) == merged, "seed \(seed)")
            }
            #expect(PassingMerge.merge(all + all) == merged)
            #expect(PassingMerge.merge(merged) == merged, "merged again, seed \(seed)")
            // Nothing is lost, nothing doubled, and what is behind another is behind one that counts.
            #expect(
                merged.count == Set(all.map(\.id)).count && Set(merged.map(\.passing.id)) == Set(all.map(\.id)))
            let counting = Set(merged.filter { $0.backupOf == nil }.map(\.passing.id))
            #expect(merged.allSatisfy { $0.backupOf.map(counting.contains) ?? true })
            for group in Dictionary(grouping: merged, by: { $0.backupOf ?? $0.passing.id }).values {
                #expect(Set(group.map(\.passing.gateway)).count == group.count, "one of each box")
            }
        }
    }
}

@Suite struct `A passing that was timed before the clock was set` {
    private static let boot = "b-1"

    private func record(boundOfClock: Duration?) throws -> RecordedPassing {
        let time = WallTime(millisecondsSince1970: 5_000)
        let told = Passing(
            id: try #require(MessageID("019caa1b-3c40-7d10-8a01-000000000001")), run: RunID(sample: "r"),
            checkpoint: CheckpointID(sample: "c"), gateway: GatewayID(sample: "g"), bib: try #require(Bib(1)),
            order: 1, time: time, first: time, last: time,
            clock: ClockState(source: .freeRunning, bound: boundOfClock), bound: boundOfClock, hits: 9,
            strongest: -70, flags: [.clockUnset])
        func at(_ seconds: Int64) -> BootInstant { BootInstant(nanoseconds: seconds * 1_000_000_000) }
        return RecordedPassing(
            told, boot: Self.boot, nearest: at(100), first: at(95), last: at(104),
            passageBound: .milliseconds(400))
    }

    private func mark(_ seconds: Int64, hours: Int64, _ bound: Duration?) -> ClockMark {
        ClockMark(
            at: BootInstant(nanoseconds: seconds * 1_000_000_000), offset: hours * 3_600_000_000_000,
            bound: bound,
            source: .gps)
    }

    @Test func `is dated by the mark of the same start of the machine that makes it surest`() throws {
        let marks = [
            Self.boot: [
                mark(50, hours: 7, nil), mark(1_000, hours: 1, .milliseconds(300)),
                mark(4_000, hours: 2, .milliseconds(200)),
                mark(90_000, hours: 3, .milliseconds(100)),
            ], "b-0": [mark(100, hours: 9, .milliseconds(1))],
        ]
        let record = try record(boundOfClock: nil)
        let dated = record.dated(by: marks)
        // 300 ms and 45 ms for the way of 900 s; the next two are surer where they were made, and 395 ms and 4.6 s here.
        #expect(dated.time.millisecondsSince1970 == 3_600_000 + 100_000)
        #expect(dated.first.millisecondsSince1970 == 3_600_000 + 95_000)
        #expect(dated.clock == ClockState(source: .gps, bound: .milliseconds(345)))
        #expect(dated.bound.map { abs($0.wholeMilliseconds - 528) <= 1 } == true, "400 ms and 345 ms")
        #expect(dated.flags == [.clockUnset] && dated.order == 1 && dated.id == record.passing.id)
    }

    @Test func `keeps its time where the clock was set, or was never`() throws {
        let marks = [Self.boot: [mark(101, hours: 1, .milliseconds(1))]]
        let set = try record(boundOfClock: .seconds(3))
        #expect(set.dated(by: marks) == set.passing)
        let never = try record(boundOfClock: nil)
        #expect(never.dated(by: [:]) == never.passing)
        #expect(never.dated(by: [Self.boot: [mark(101, hours: 1, nil)]]) == never.passing)
    }
}

extension Int {
    fileprivate var nonZero: Int? { self == 0 ? nil : self }
}
