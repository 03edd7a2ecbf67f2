import GatewayModel
import ModelSamples
import RunBeacon
import Samples
import Testing

@Suite struct `Corrections that were sent` {
    private let run = RaceSample.run
    private let other = RunID(sample: "rome")

    private func corrections(_ numbers: ClosedRange<Int>, of run: RunID) -> RaceCorrections {
        RaceCorrections(
            numbers.map {
                RaceCorrection(
                    number: $0, run: run, bib: RaceSample.bib(117), act: .mark(.disqualified), by: "Anna",
                    at: Sample.moment(1).wall, reason: "short cut")
            })
    }

    @Test func `are taken once, in their order`() {
        var sent = SentCorrections()
        #expect(sent.take(from: [run: corrections(1...2, of: run)], of: [run]).map(\.number) == [1, 2])
        #expect(sent.take(from: [run: corrections(1...2, of: run)], of: [run]).isEmpty)
        #expect(sent.take(from: [run: corrections(1...4, of: run)], of: [run]).map(\.number) == [3, 4])
        #expect(sent.last == [run: 4])
    }

    @Test func `go on behind the last one of an earlier run of the program`() {
        var sent = SentCorrections([run: 3])
        #expect(sent.take(from: [run: corrections(1...4, of: run)], of: [run]).map(\.number) == [4])
    }

    @Test func `of a run that is unknown wait until it is known`() {
        var sent = SentCorrections()
        let all = [run: corrections(1...1, of: run), other: corrections(1...2, of: other)]
        #expect(sent.take(from: all, of: [run]).map(\.run) == [run])
        #expect(sent.take(from: all, of: [run, other]).map(\.run) == [other, other])
    }

    @Test func `begin again after the log was set aside`() {
        var sent = SentCorrections([run: 9, other: 2])
        #expect(sent.take(from: [:], of: [run, other]).isEmpty)
        #expect(sent.last.isEmpty)
        #expect(sent.take(from: [run: corrections(1...1, of: run)], of: [run]).map(\.number) == [1])
    }
}
