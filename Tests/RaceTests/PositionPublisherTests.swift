import Ciphers
import Foundation
import ModelSamples
import RaceSimulation
import RealTime
import RunBeacon
import Samples
import Synchronization
import TagAdverts
import TestSupport
import Testing
import WireFormats

@testable import Alarms
@testable import Contract
@testable import GatewayModel
@testable import Hub
@testable import Race
@testable import Readings

@Suite struct `The race thread and positions` {
    private static let box = GatewayID(sample: "house-14")
    private static let anna = PersonID(sample: "anna")
    private static let tag = DeviceAddress(octets: 0xC0AD_0000_0003)
    private static let road = DrawnCourse.road.course
    private static let run = RunID(sample: "spring")

    private struct Clock: RaceTimekeeping {
        func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
            (
                Jog.start.advanced(by: Jog.start.boot.duration(to: instant)).wall,
                ClockState(source: .ntp, bound: .milliseconds(5))
            )
        }

        func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> { [] }
        let isSet = true
    }

    private struct Told: Sendable {
        let wanted = Recorder<Set<PositionBearer>>()
        let positions = Recorder<(owner: Enrolment, position: RunnerPosition)>()
        let refused = Recorder<[RunnerTrack.Refusal: Int]>()
        let kept = Recorder<RecordedPassing>()
        let published = Recorder<RaceStatus>()
        let conditions = Recorder<(HealthCondition, Bool)>()
    }

    private static func instant(_ seconds: Double) -> BootInstant {
        Jog.start.boot.advanced(by: .nanoseconds(Int64(seconds * 1e9)))
    }

    private static func book(bibs: [Int] = [1, 2], until end: Int64 = 7_200) throws -> RunCatalog {
        let file = try #require(CompanionFile("road.gpx"))
        let outline = RunOutline(
            title: "Spring", end: Jog.start.advanced(by: .seconds(end)).wall,
            waves: [Wave(id: WaveID(sample: "all"), start: Jog.start.wall)],
            checkpoints: [
                try #require(Checkpoint(id: CheckpointID(sample: "bridge"), distances: [300])),
                try #require(
                    Checkpoint(id: CheckpointID(sample: "finish"), distances: [9_900], isFinish: true)),
            ], course: .file(file))
        let entrants = bibs.map {
            Entrant(
                bib: RaceSample.bib($0), tags: $0 == 3 ? [.heard(.address(tag))] : [],
                person: $0 == 2 ? anna : nil, carries: $0 == 1 ? box : nil)
        }
        var book = RunCatalog()
        book.replaceFiles(
            [RunPlan(id: run, outline: outline, entrants: entrants)],
            with: RunMaterials(courses: [file: road]), at: Jog.start.wall)
        return book
    }

    private static func loop(_ inbox: RaceInbox, _ told: Told) -> RaceLoop {
        let tracker = RaceTracker(
            gateway: box, boot: "this", clock: Clock(), recogniser: AdvertRecogniser(cipher: OpenSSLCipher()),
            makeID: { .random(at: $0) })
        return RaceLoop(
            tracker, inbox: inbox, silence: .seconds(600), cipher: OpenSSLCipher(),
            reports: RaceLoop.Reports(
                keep: told.kept.add, listens: { _ in }, holds: { told.conditions.add(($0, $1)) }, heard: {},
                dropped: { _ in }, overdue: { _ in }, turned: { _ in },
                positions: PositionPublisher.Reports(
                    wants: told.wanted.add, tell: { told.positions.add((owner: $0, position: $1)) },
                    refused: told.refused.add)),
            publish: told.published.add)
    }

    private static func report(_ metres: Double, at seconds: Double) -> PositionReport {
        PositionReport(
            coordinates: road.place(at: metres), accuracy: 8,
            arrival: Moment(boot: instant(seconds), wall: WallTime(millisecondsSince1970: 0)))
    }

    /// At 3 m/s, a position each second, looked at as it comes.
    private static func play(_ loop: RaceLoop, _ inbox: RaceInbox, from first: Int = 1, to last: Int) {
        for second in first...last {
            inbox.put(report(3 * Double(second), at: Double(second)), of: .box)
            _ = loop.turn(at: instant(Double(second)))
        }
    }

    @Test func `wants positions from the start of a run to its end, and nobody's else`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(try Self.book(until: 600)))
        _ = loop.turn(at: Self.instant(-30))
        #expect(told.wanted.values.isEmpty)
        _ = loop.turn(at: Self.instant(0))
        _ = loop.turn(at: Self.instant(1))
        #expect(told.wanted.values == [[.box, .person(Self.anna)]])
        inbox.put(.runs(try Self.book(bibs: [2], until: 600)))
        _ = loop.turn(at: Self.instant(2))
        #expect(told.wanted.values.last == [.person(Self.anna)])
        _ = loop.turn(at: Self.instant(600))
        #expect(told.wanted.values.last == [])
    }

    @Test func `tells some of them, keeps the passings that follow, and says how it stands`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(try Self.book()))
        _ = loop.turn(at: Self.instant(0))
        Self.play(loop, inbox, to: 130)
        #expect(told.positions.values.allSatisfy { $0.owner.bib == RaceSample.bib(1) })
        #expect((12...20).contains(told.positions.values.count), "\(told.positions.values.count)")
        #expect(told.kept.values.map(\.passing.method) == [.gpsLine])
        let status = try #require(told.published.values.last)
        #expect(status.passings == 1)
        let lines = status.positionLines(at: Self.instant(131))
        #expect(lines.first == "positions: of 1 runners")
        let row = try #require(lines.last)
        #expect(row.hasPrefix("spring  1    390 m  5:3") || row.hasPrefix("spring  1    39"), "\(lines)")
        #expect(row.contains("finish") && row.contains("1 s ago"), "\(lines)")
    }

    @Test func `tells where a tag says that it is`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(try Self.book(bibs: [1, 3])))
        _ = loop.turn(at: Self.instant(0))
        for second in 60...120 {
            let sent = Broadcast.remoteID(
                Self.road.place(at: 3 * Double(second)), address: Self.tag.octets,
                counter: UInt8(second), tenths: Clock().time(of: Self.instant(Double(second))).time.tenthsInHour
            )
            var intake = AdvertIntake(AdvertFilter([.all]))
            var adverts: [Advert] = []
            intake.take(sent.event(rssi: -70).span, arrival: Self.instant(Double(second)), into: &adverts)
            inbox.put(adverts)
            _ = loop.turn(at: Self.instant(Double(second)))
        }
        #expect(told.positions.values.count > 3)
        #expect(
            told.positions.values.allSatisfy { $0.owner.bib == RaceSample.bib(3) && $0.position.accuracy == 3 })
        #expect(told.kept.values.map(\.passing.method) == [.gpsLine])
    }

    @Test func `looks at nothing that waits of a runner who has left`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(try Self.book()))
        _ = loop.turn(at: Self.instant(0))
        for second in 1...20 { inbox.put(Self.report(30, at: Double(second)), of: .box) }
        inbox.put(.runs(try Self.book(bibs: [2])))
        _ = loop.turn(at: Self.instant(21))
        #expect(told.positions.values.isEmpty && told.published.values.last?.located.isEmpty == true)
    }

    @Test func `counts what could not be used, and says so once a minute at most`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(try Self.book()))
        _ = loop.turn(at: Self.instant(0))
        Self.play(loop, inbox, to: 10)
        for second in 11...80 {
            // A thousand kilometres to and fro.
            let report = PositionReport(
                coordinates: try #require(
                    Coordinates(latitude: second % 2 == 0 ? 10 : -10, longitude: 0)), accuracy: 8,
                arrival: Moment(boot: Self.instant(Double(second)), wall: WallTime(millisecondsSince1970: 0)))
            inbox.put(report, of: .box)
            _ = loop.turn(at: Self.instant(Double(second)))
        }
        #expect(told.refused.values.count == 2 && told.refused.values.first == [.leap: 1])
        #expect(told.refused.values.last == [.leap: 61])
        let lines = try #require(told.published.values.last).positionLines(at: Self.instant(80))
        #expect(lines.first?.hasSuffix("not used since the start: 70 leap") == true, "\(lines)")
        // Her watch has no fix; nobody carries the other one.
        for who in ["anna", "anna", "bruno"] { inbox.put(nil, of: .person(PersonID(sample: who))) }
        _ = loop.turn(at: Self.instant(141))
        #expect(told.refused.values.last == [.leap: 70, .noFix: 2])
        #expect(told.kept.values.isEmpty)
    }

    @Test func `is not held up by positions that nobody takes`() throws {
        let inbox = try RaceInbox()
        for second in 0..<5_000 { inbox.put(Self.report(1, at: Double(second)), of: .box) }
        let positions = inbox.take().positions
        #expect(positions.count <= RaceInbox.positionBound)
        #expect(positions.last?.report?.arrival.boot == Self.instant(4_999), "the newest stays")
    }
}

@Suite struct `Followed persons` {
    @Test func `reach the radio on each change, runners and persons in an alarm together`() {
        let told = Recorder<Set<PersonID>>()
        let followed = FollowedPersons(follow: told.add)
        let anna = PersonID(sample: "anna")
        let bea = PersonID(sample: "bea")
        followed.setRunners([])
        followed.setRunners([anna])
        followed.setPersonsInAlarm([anna])
        followed.setPersonsInAlarm([anna, bea])
        followed.setRunners([])
        followed.setPersonsInAlarm([])
        #expect(told.values == [[anna], [anna, bea], []])
    }
}

@Suite struct `Positions for the race` {
    @Test func `reach the race thread of bearers in a run that is underway alone`() throws {
        let positions = try RaceIntake()
        let inbox = positions.inbox
        let anna = PersonID(sample: "anna")
        positions.consumeLostFix(of: anna)
        #expect(inbox.take().positions.isEmpty)
        positions.replaceBearers([.person(anna)])
        positions.consumeLostFix(of: anna)
        positions.consumeLostFix(of: PersonID(sample: "bea"))
        #expect(inbox.take().positions.map(\.bearer) == [.person(anna)])
        positions.replaceBearers([])
        positions.consumeLostFix(of: anna)
        #expect(inbox.take().positions.isEmpty)
    }
}
