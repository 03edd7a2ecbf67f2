import ControlContract
import Foundation
import GatewayModel
import RunBeacon
import Samples
import Testing

@testable import Commands
@testable import Hub

@Suite struct `Where runners are, for people` {
    /// What a clock on the wall of this machine's zone shows then.
    private func clock(_ seconds: Double) throws -> String {
        let date = Date(
            timeIntervalSince1970: Double(Sample.moment(seconds).wall.millisecondsSince1970) / 1_000)
        let parts = Calendar(identifier: .gregorian).dateComponents([.hour, .minute, .second], from: date)
        return try [parts.hour, parts.minute, parts.second].map { part in
            "\(100 + (try #require(part)))".dropFirst()
        }.joined(separator: ":")
    }

    private func row(_ position: RunnerPosition, at seconds: Double = 3) -> PositionRow {
        PositionRow(
            position, of: Enrolment(run: RaceSample.run, bib: RaceSample.bib(17)),
            at: Sample.moment(seconds).boot)
    }

    /// Of two looks at one position neither is news to whoever watches.
    @Test func `is the same however long ago it was, and another where something else has changed`() {
        let position = RaceSample.position(distance: 4_210.4)
        #expect(row(position) != row(position, at: 8))
        #expect(row(position).ageless == row(position, at: 8).ageless)
        #expect(row(position).ageless != row(RaceSample.position(distance: 4_220.4)).ageless)
    }

    @Test func `is the place, the pace, and when where next`() throws {
        let next = RunnerPosition.Prediction(
            checkpoint: RaceSample.finish, time: Sample.moment(90).wall, bound: .milliseconds(12_001))
        let rows = [
            row(RaceSample.position(distance: 4_210.4, speed: 2.932, next: next)),
            row(RaceSample.position(flags: [.offCourse, .leapt])),
        ]
        #expect(
            PositionTable(rows: rows).lines == [
                "RUN         BIB  AT      PACE         NEXT    EXPECTED        SEEN     DOUBTS",
                "spring-10k  17   4210 m  5:41 min/km  finish  \(try clock(90)) ±13 s  3 s ago  -",
                "spring-10k  17   -       -            -       -               3 s ago  leapt off-course",
            ])
        #expect(PositionTable(rows: []).lines.isEmpty)
    }

    @Test func `is a line of homegateway watch`() throws {
        let next = RunnerPosition.Prediction(
            checkpoint: RaceSample.finish, time: Sample.moment(90).wall, bound: .milliseconds(12_001))
        func line(_ position: RunnerPosition) -> String {
            WatchLine(
                .runner(
                    Enrolment(run: RaceSample.run, bib: RaceSample.bib(17)), at: position, id: Sample.id(1))
            ).description
        }
        #expect(
            line(RaceSample.position(distance: 4_210.4, speed: 2.932, next: next))
                == "\(try clock(0))  spring-10k: bib 17 at 4210 m, 5:41 min/km, finish at \(try clock(90)) ±13 s"
        )
        #expect(
            line(RaceSample.position(flags: [.offCourse]))
                == "\(try clock(0))  spring-10k: bib 17 on no course (off-course)")
    }
}
