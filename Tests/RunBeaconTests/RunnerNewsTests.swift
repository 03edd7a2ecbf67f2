import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import RunBeacon

@Suite struct `News of runners` {
    private static let milan = RunID(sample: "milan")
    private let bridge = CheckpointID(sample: "bridge")

    private func owner(_ bib: Int) -> Enrolment { Enrolment(run: Self.milan, bib: Bib(bib)!) }

    private func overdue(_ bib: Int, order: Int = 1) -> OverdueRunner {
        OverdueRunner(owner: owner(bib), checkpoint: bridge, order: order, lastHeard: nil)
    }

    private func position(at seconds: Double, next: Bool = true) -> RunnerPosition {
        RaceSample.position(
            at: seconds,
            next: next
                ? RunnerPosition.Prediction(
                    checkpoint: bridge, time: Sample.moment(0).wall, bound: .seconds(1)) : nil)
    }

    private func situation(
        _ seconds: Double, _ bibs: Set<Int> = [17, 18], overdue: [OverdueRunner] = [],
        at positions: [Int: RunnerPosition] = [:], isUnderway: Bool = true
    ) -> RunnerNewsMachine.Situation {
        RunnerNewsMachine.Situation(
            now: Sample.moment(seconds), enrolments: [Self.milan: Set(bibs.compactMap { Bib($0) })],
            underway: isUnderway ? [Self.milan] : [], overdue: overdue,
            located: positions.sorted { $0.key < $1.key }.map { (owner($0.key), $0.value) })
    }

    @Test func `tell of an overdue runner once, for each time at the checkpoint, over a restart`() {
        var machine = RunnerNewsMachine()
        #expect(machine.look(situation(0)).isEmpty)
        let first = machine.look(situation(1, overdue: [overdue(17)]))
        #expect(first.map(\.event) == [.overdue(bridge, order: 1, lastHeard: nil)])
        #expect(machine.look(situation(2, overdue: [overdue(17)])).isEmpty)
        var restarted = RunnerNewsMachine(machine.records)
        // The log of the passings is not read yet: not overdue for a moment is not found.
        #expect(restarted.look(situation(3)).isEmpty)
        #expect(restarted.look(situation(60, overdue: [overdue(17)])).isEmpty)
        let second = restarted.look(situation(61, overdue: [overdue(17, order: 2)]))
        #expect(second.map(\.number) == [2])
    }

    @Test func `tell that a runner is found, after a time without a doubt, while the run goes on`() {
        var machine = RunnerNewsMachine()
        _ = machine.look(situation(0))
        _ = machine.look(situation(1, overdue: [overdue(17)]))
        #expect(machine.look(situation(10)).isEmpty)
        #expect(machine.look(situation(99)).isEmpty)
        #expect(machine.look(situation(100)).map(\.event) == [.found(bridge)])
        _ = machine.look(situation(200, overdue: [overdue(18)]))
        for second in stride(from: 201.0, to: 900, by: 1) {
            #expect(machine.look(situation(second, isUnderway: false)).isEmpty, "the run is over")
        }
    }

    @Test func `tell of a lost tracker of a runner who is on the course, and that it is back`() {
        var machine = RunnerNewsMachine()
        let (on, over) = (position(at: 0), position(at: 0, next: false))
        _ = machine.look(situation(0, at: [17: on, 18: over]))
        #expect(machine.look(situation(299, at: [17: on, 18: over])).isEmpty)
        let lost = machine.look(situation(300, at: [17: on, 18: over]))
        #expect(lost.map(\.owner.bib) == [Bib(17)!])
        #expect(lost.map(\.event) == [.trackerLost(lastPosition: Sample.moment(0).wall)])
        #expect(machine.look(situation(301, at: [17: on])).isEmpty)
        #expect(machine.look(situation(302, at: [17: position(at: 302)])).map(\.event) == [.trackerBack])
    }

    @Test func `tell that a runner has left, and nothing else of them`() {
        var machine = RunnerNewsMachine()
        _ = machine.look(situation(0, overdue: [overdue(17)]))
        let news = machine.look(situation(1, [18], overdue: [overdue(17)]))
        #expect(news.map(\.event) == [.left] && news.map(\.owner.bib) == [Bib(17)!])
        #expect(machine.look(situation(2, [18], overdue: [overdue(17)])).isEmpty)
        // Enrolled again, and left again: another news, with another number.
        _ = machine.look(situation(3))
        #expect(machine.look(situation(4, [18])).map(\.number) == [3])
    }

    @Test func `tell of a leaving while the gateway was off, and of none in a run that is new or over`() {
        var machine = RunnerNewsMachine()
        #expect(machine.look(situation(0)).isEmpty)
        var restarted = RunnerNewsMachine(machine.records)
        #expect(restarted.look(situation(5, [17])).map(\.owner.bib) == [Bib(18)!])
        let over = RunnerNewsMachine.Situation(
            now: Sample.moment(6), enrolments: [:], underway: [], overdue: [], located: [])
        #expect(restarted.look(over).isEmpty && restarted.records.isEmpty)
    }

    @Test func `stay within their bounds when a tracker flaps at the edge of reception`() {
        var machine = RunnerNewsMachine()
        var count = 0
        for second in stride(from: 0.0, to: 3_600, by: 1) {
            // Heard for a second in 302: the worst case.
            let last = position(at: (second / 302).rounded(.down) * 302)
            count += machine.look(situation(second, at: [17: last])).count
        }
        #expect(count <= 24 && count >= 20)
    }
}

@Suite struct `A pattern of runs` {
    @Test func `matches one id, or all that begin alike`() throws {
        func matches(_ pattern: String, _ run: String) throws -> Bool {
            try #require(RunPattern(pattern)).matches(RunID(sample: run))
        }
        #expect(try matches("milan", "milan") && matches("milan-*", "milan-10k") && matches("milan*", "milan"))
        #expect(try !matches("milan", "milan-10k") && !matches("milan-*", "milan") && !matches("mi*", "rome"))
        for text in ["", "*", "-*", "Milan", "mi*an", "**", "milan-**", "a b*"] {
            #expect(RunPattern(text) == nil, "\(text)")
        }
    }
}
