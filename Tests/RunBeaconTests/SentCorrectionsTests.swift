import GatewayModel
import ModelSamples
import RunBeacon
import Samples
import Testing

@Suite struct `Corrections that were sent` {
    private let run = RaceSample.run
    private let other = RunID(sample: "rome")

    private func corrections(_ numbers: ClosedRange<Int>, of run: RunID, at moment: Double = 1)
        -> RaceCorrections
    {
        RaceCorrections(
            numbers.map {
                RaceCorrection(
                    number: $0, run: run, bib: RaceSample.bib(117), act: .mark(.disqualified), by: "Anna",
                    at: Sample.moment(moment).wall, reason: "short cut")
            })
    }

    @Test func `are taken once, in their order`() {
        var sent = SentCorrections()
        #expect(sent.take(from: [run: corrections(1...2, of: run)], of: [run]).map(\.number) == [1, 2])
        #expect(sent.take(from: [run: corrections(1...2, of: run)], of: [run]).isEmpty)
        #expect(sent.take(from: [run: corrections(1...4, of: run)], of: [run]).map(\.number) == [3, 4])
        #expect(sent.last[run]?.number == 4)
    }

    @Test func `go on behind the last one of an earlier run of the program`() {
        var sent = SentCorrections([run: .init(corrections(3...3, of: run).all[0])])
        #expect(sent.take(from: [run: corrections(1...4, of: run)], of: [run]).map(\.number) == [4])
    }

    @Test func `of a run that is unknown wait until it is known`() {
        var sent = SentCorrections()
        let all = [run: corrections(1...1, of: run), other: corrections(1...2, of: other)]
        #expect(sent.take(from: all, of: [run]).map(\.run) == [run])
        #expect(sent.take(from: all, of: [run, other]).map(\.run) == [other, other])
    }

    @Test func `begin again after the log was set aside`() {
        var sent = SentCorrections()
        _ = sent.take(
            from: [run: corrections(1...3, of: run), other: corrections(1...2, of: other)], of: [run, other])
        // The new log has a correction of the run before anybody has seen it empty, and none of the other run.
        let new = [run: corrections(1...4, of: run, at: 2)]
        #expect(sent.take(from: new, of: [run, other]).map(\.number) == [1, 2, 3, 4])
        #expect(sent.last.count == 1)
        #expect(sent.take(from: new, of: [run, other]).isEmpty)
    }
}
