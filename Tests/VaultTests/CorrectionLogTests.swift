import Foundation
import GatewayModel
import ModelSamples
import RunBeacon
import Samples
import TestSupport
import Testing
import Vault

@Suite struct `The log of corrections` {
    private let scratch: ScratchDirectory
    private var directory: String { scratch.url.path }
    private var url: URL { scratch.url.appending(path: "corrections.jsonl") }

    init() throws { scratch = try ScratchDirectory() }

    private static let acts: [RaceCorrection.Act] = [
        .add(RaceSample.finish, order: 2, time: Sample.moment(9).wall, bound: 1_500), .strike(Sample.id(4)),
        .mark(.disqualified), .undo(2),
    ]

    private func correction(_ number: Int) -> RaceCorrection {
        RaceCorrection(
            number: number, run: RaceSample.run, bib: RaceSample.bib(117),
            act: Self.acts[(number - 1) % Self.acts.count], by: "Anna", at: Sample.moment(1).wall,
            reason: "\"seen\"\non the video")
    }

    private func write(_ count: Int) throws {
        var (log, _) = try CorrectionLog.open(in: directory)
        for number in 1...count { try log.append(correction(number)) }
    }

    @Test func `gives back each act as it was written, over a restart`() throws {
        try write(4)
        var (log, report) = try CorrectionLog.open(in: directory)
        #expect(report.corrections == (1...4).map(correction) && report.flaws.isEmpty)
        try log.append(correction(5))
        #expect(try CorrectionLog.Report(of: directory).corrections.count == 5)
        #expect(try CorrectionLog.Report(of: directory).flaws.isEmpty)
    }

    @Test func `shows a line that was changed, removed or moved`() throws {
        try write(4)
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
        let changed = lines[1].split(separator: "Anna").joined(separator: "Berta")
        for damaged in [
            [lines[0], changed, lines[2], lines[3]], [lines[0], lines[2], lines[3]],
            [lines[0], lines[2], lines[1], lines[3]], [lines[0], "{}", lines[2], lines[3]],
        ] {
            try Data((damaged.joined(separator: "\n") + "\n").utf8).write(to: url)
            #expect(try !CorrectionLog.Report(of: directory).flaws.isEmpty)
        }
    }

    @Test func `drops a torn last line, and goes on after it`() throws {
        try write(2)
        let whole = try Data(contentsOf: url)
        for size in [1, 40, whole.count / 2 - 1] {
            try (whole + whole.prefix(size)).write(to: url)
            var (log, report) = try CorrectionLog.open(in: directory)
            #expect(report.corrections.count == 2 && report.flaws.isEmpty)
            try log.append(correction(3))
            #expect(try CorrectionLog.Report(of: directory).flaws.isEmpty)
        }
    }

    @Test func `is empty where nobody has corrected anything`() throws {
        #expect(try CorrectionLog.Report(of: directory).corrections.isEmpty)
    }
}
