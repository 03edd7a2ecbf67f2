import Ciphers
import Consent
import Foundation
import ModelSamples
import RaceSimulation
import RealTime
import RunBeacon
import TagAdverts
import TestSupport
import Testing
import Vault
import WireFormats

@testable import Alarms
@testable import Contract
@testable import GatewayModel
@testable import Hub
@testable import Race

@Suite struct `The race thread` {
    private static let town = FieldRun(
        Field(.small), boot: BootInstant(nanoseconds: 600_000_000_000),
        wall: WallTime(millisecondsSince1970: 1_800_000_000_000))

    /// The clock of the test's own world: right, by a time server.
    private struct TownClock: RaceTimekeeping {
        let isSet: Bool
        /// Seconds in which a receiver says something else.
        let disputed: Range<Double>

        func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
            let seconds = Double(town.boot.duration(to: instant).wholeNanoseconds) / 1e9
            return (town.time(seconds), ClockState(source: .ntp, bound: isSet ? .milliseconds(5) : nil))
        }

        func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> { [] }

        func disputing(at instant: BootInstant) -> Set<ClockSource> {
            disputed.contains(Double(town.boot.duration(to: instant).wholeNanoseconds) / 1e9) ? [.gps] : []
        }
    }

    /// All that a loop tells.
    private struct Told: Sendable {
        let kept = Recorder<RecordedPassing>()
        let rules = Recorder<[AdvertFilter.Rule]>()
        let conditions = Recorder<(HealthCondition, Bool)>()
        let dropped = Recorder<Int>()
        let overdue = Recorder<OverdueRunner>()
        let turned = Recorder<[RunID]>()
        let ownRuns = Recorder<[PersonID: BootInstant]>()
        let marks = Recorder<ClockMark>()
        let published = Recorder<RaceStatus>()

        func holds(_ code: HealthCode, _ subject: String? = nil) -> Bool? {
            conditions.values.last { $0.0 == HealthCondition(code, subject: subject) }?.1
        }
    }

    private static func loop(
        _ inbox: RaceInbox, _ told: Told, isSet: Bool = true, disputed: Range<Double> = 0..<0,
        radios: [String] = ["hci0"]
    ) -> RaceLoop {
        let tracker = RaceTracker(
            gateway: FieldRun.box, boot: "this", clock: TownClock(isSet: isSet, disputed: disputed),
            recogniser: AdvertRecogniser(cipher: OpenSSLCipher()), makeID: { .random(at: $0) })
        return RaceLoop(
            tracker, inbox: inbox, radios: radios, silence: .seconds(600), cipher: OpenSSLCipher(),
            reports: RaceLoop.Reports(
                keep: told.kept.add, listens: told.rules.add, holds: { told.conditions.add(($0, $1)) },
                heard: {}, dropped: told.dropped.add, overdue: told.overdue.add,
                clock: told.marks.add, turned: told.turned.add, ownRuns: told.ownRuns.add),
            publish: told.published.add)
    }

    @Test func `listens for the tags of a run from its start to its end, and for nothing else`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(Self.town.book(until: 300)))
        _ = loop.turn(at: Self.town.instant(-30))
        #expect(!told.rules.values.contains { !$0.isEmpty })
        #expect(told.published.values.last?.nextChange == Self.town.time(0))
        let wait = try #require(loop.turn(at: Self.town.instant(-0.1)))
        #expect(wait <= .milliseconds(100), "late for the start")
        _ = loop.turn(at: Self.town.instant(0))
        #expect(told.rules.values.last?.count == Self.town.field.plan.scenario.runners)
        #expect(told.turned.values == [[FieldRun.run]])
        #expect(loop.turn(at: Self.town.instant(300)) == nil, "nothing is due any more")
        #expect(told.rules.values.last?.isEmpty == true && told.turned.values.last?.isEmpty == true)
    }

    @Test func `records the clock while a run is underway, the last mark before its start included`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        func turn(_ second: Double, changing: Bool) -> ClockMark {
            let mark = ClockMark(
                at: Self.town.instant(second), offset: 0, bound: .milliseconds(5), source: .ntp)
            if changing { inbox.put(.clock(RaceTime.Change(mark: mark, verdict: nil))) }
            _ = loop.turn(at: Self.town.instant(second))
            return mark
        }
        inbox.put(.runs(Self.town.book(until: 300)))
        _ = turn(-30, changing: true)
        let before = turn(-20, changing: true)
        #expect(told.marks.values.isEmpty, "no run is underway")
        _ = turn(0, changing: false)
        #expect(told.marks.values == [before])
        let during = turn(10, changing: true)
        #expect(told.marks.values == [before, during])
        _ = turn(300, changing: false)
        _ = turn(310, changing: true)
        #expect(told.marks.values == [before, during], "the run is over")
    }

    @Test func `tells once from when until when somebody of the house is in a run of their own`() throws {
        let (inbox, told, anna) = (try RaceInbox(), Told(), PersonID(sample: "anna"))
        let loop = Self.loop(inbox, told)
        let plan = Self.town.plan(until: 300)
        let bib = try #require(FieldRun.bib(0))
        func follow(without left: Set<Bib> = []) {
            var entrants = plan.entrants.filter { !left.contains($0.bib) }
            if let index = entrants.firstIndex(where: { $0.bib == bib }) {
                let one = entrants[index]
                entrants[index] = Entrant(bib: one.bib, wave: one.wave, tags: one.tags, person: anna)
            }
            var book = RunCatalog()
            let left = RunPlan(id: plan.id, outline: plan.outline, entrants: entrants)
            book.replaceFiles([left], with: RunMaterials(), at: Self.town.wall)
            inbox.put(.runs(book))
        }
        _ = loop.turn(at: Self.town.instant(-2))
        #expect(told.ownRuns.values.isEmpty, "it does not know which runs there are")
        follow()
        for second in [-1.0, 0, 10, 20] { _ = loop.turn(at: Self.town.instant(second)) }
        let end = Self.town.instant(300)
        #expect(told.ownRuns.values == [[:], [anna: end]])
        follow(without: [bib])
        _ = loop.turn(at: Self.town.instant(30))
        follow()
        for second in [40.0, 300, 310] { _ = loop.turn(at: Self.town.instant(second)) }
        #expect(told.ownRuns.values == [[:], [anna: end], [:], [anna: end], [:]])
    }

    @Test func `changes nobody's limits by a clock that nobody has set, but where there is no run at all`()
        throws
    {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told, isSet: false)
        inbox.put(.runs(Self.town.book(until: 300)))
        for second in [-1.0, 0, 10] { _ = loop.turn(at: Self.town.instant(second)) }
        #expect(told.ownRuns.values.isEmpty)
        inbox.put(.runs(RunCatalog()))
        _ = loop.turn(at: Self.town.instant(20))
        #expect(told.ownRuns.values == [[:]])
    }

    @Test func `times what is put into its inbox, and counts what had no room there`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(Self.town.book()))
        _ = loop.turn(at: Self.town.instant(0))
        inbox.put(Self.town.adverts)
        _ = loop.turn(at: Self.town.instant(200))
        #expect(FieldRun.times(told.kept.values.map(\.passing)) == Self.town.expected)
        #expect(told.dropped.values.isEmpty)
        let stranger = try #require(Self.town.adverts.first)
        for _ in 0..<3 { inbox.put(Array(repeating: stranger, count: RaceInbox.bound / 2)) }
        _ = loop.turn(at: Self.town.instant(201))
        let dropped = told.dropped.values.reduce(0, +)
        #expect(dropped >= RaceInbox.bound / 2 && dropped < RaceInbox.bound)
        #expect(told.published.values.last?.dropped == dropped)
    }

    @Test func `times by two radios, one of which is pulled out for half of the race, and tells of each`()
        throws
    {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told, radios: ["hci0", "hci1"])
        inbox.put(.runs(Self.town.book()))
        _ = loop.turn(at: Self.town.instant(0))
        var adverts = Self.town.adverts[...]
        var wasMissed: Bool?
        for second in 0..<200 {
            let now = Self.town.instant(Double(second))
            if second == 20 || second == 80 { inbox.put(.scanner(1, canHear: second == 80)) }
            let isOut = (20..<80).contains(second)
            let heard = adverts.prefix { $0.arrival <= now }
            adverts = adverts.dropFirst(heard.count)
            // Every other one is lost to the other side of the road.
            for (number, advert) in heard.enumerated() where number % 2 == 0 || !isOut {
                inbox.put([advert], antenna: UInt8(number % 2))
            }
            _ = loop.turn(at: now)
            if second == 50 { wasMissed = told.holds(.raceRadioDeaf, "hci1") }
        }
        #expect(FieldRun.times(told.kept.values.map(\.passing)) == Self.town.expected)
        #expect(wasMissed == true && told.holds(.raceRadioDeaf, "hci1") == false)
        #expect(told.conditions.values.allSatisfy { $0.0.code != .raceDeaf || !$0.1 })
        let radios = try #require(told.published.values.last?.radios)
        #expect(radios.map(\.name) == ["hci0", "hci1"] && radios.allSatisfy { $0.canHear && !$0.isQuiet })
        #expect(radios.allSatisfy { $0.last != nil })
    }

    @Test func `says of one radio that it is deaf, and of the box when both are`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told, radios: ["hci0", "hci1"])
        inbox.put(.runs(Self.town.book(until: 2_000)))
        inbox.put(.scanner(0, canHear: false))
        _ = loop.turn(at: Self.town.instant(0))
        #expect(told.holds(.raceRadioDeaf, "hci0") == true && told.holds(.raceRadioDeaf, "hci1") == false)
        #expect(told.holds(.raceDeaf) == false)
        let lines = try #require(told.published.values.last).lines(at: Self.town.instant(0))
        #expect(lines.contains { $0.hasPrefix("radio hci0: DEAF") })
        #expect(lines.contains("radio hci1: 0 reads in the last minute, none yet"))
        inbox.put(.scanner(1, canHear: false))
        _ = loop.turn(at: Self.town.instant(1))
        #expect(told.holds(.raceDeaf) == true && told.holds(.raceRadioDeaf, "hci0") == false)
    }

    @Test func `looks at nothing more of a runner who has left, of what waits neither`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(Self.town.book()))
        _ = loop.turn(at: Self.town.instant(0))
        inbox.put(Self.town.adverts)
        inbox.put(.runs(Self.town.book(without: [0])))
        _ = loop.turn(at: Self.town.instant(200))
        let bibs = Set(told.kept.values.map(\.passing.bib))
        #expect(!bibs.contains(try #require(FieldRun.bib(0))) && bibs.count > 8)
    }

    @Test func `says that nobody is heard, that the box is deaf, that the time is not known`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told, isSet: false)
        inbox.put(.scanner(0, canHear: false))
        inbox.put(.runs(Self.town.book(until: 2_000)))
        _ = loop.turn(at: Self.town.instant(-30))
        for code: HealthCode in [.raceDeaf, .raceSilent] { #expect(told.holds(code) == false) }
        // While there is time to do something about it, and where the clock is hours late.
        #expect(told.holds(.raceClockUnset) == true)
        _ = loop.turn(at: Self.town.instant(0))
        #expect(told.holds(.raceDeaf) == true && told.holds(.raceClockUnset) == true)
        inbox.put(.scanner(0, canHear: true))
        _ = loop.turn(at: Self.town.instant(599))
        #expect(told.holds(.raceDeaf) == false && told.holds(.raceSilent) == false)
        _ = loop.turn(at: Self.town.instant(600))
        #expect(told.holds(.raceSilent) == true)
        _ = loop.turn(at: Self.town.instant(2_000))
        #expect(told.holds(.raceSilent) == false && told.holds(.raceClockUnset) == false)
    }

    @Test func `says at once that a source of the time is not believed, and has it looked at where that lasts`()
        throws
    {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told, disputed: 100..<200)
        inbox.put(.runs(Self.town.book(until: 2_000)))
        func clockLine(at second: Double) throws -> String? {
            _ = loop.turn(at: Self.town.instant(second))
            return try #require(told.published.values.last).lines(at: Self.town.instant(second))
                .first { $0.hasPrefix("race clock:") }
        }
        let undisputed = "race clock: by ntp, right to within 5 ms"
        #expect(try clockLine(at: 0) == undisputed)
        #expect(try clockLine(at: 100) == undisputed + "; DISPUTED by gps (not believed)")
        _ = loop.turn(at: Self.town.instant(109.9))
        #expect(told.holds(.raceClockDisputed) == false)
        _ = loop.turn(at: Self.town.instant(110))
        #expect(told.holds(.raceClockDisputed) == true)
        #expect(try clockLine(at: 200) == undisputed)
        #expect(told.holds(.raceClockDisputed) == false)
    }

    @Test func `says nothing of a source that is not believed yet, and nothing without a run`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told, isSet: false, disputed: 0..<900)
        inbox.put(.runs(Self.town.book()))
        for second in [0.0, 300] { _ = loop.turn(at: Self.town.instant(second)) }
        #expect(told.holds(.raceClockUnset) == true && told.holds(.raceClockDisputed) == false)
        #expect(told.published.values.allSatisfy { $0.disputing.isEmpty })
        let other = Told()
        let idle = Self.loop(inbox, other, disputed: 0..<900)
        inbox.put(.runs(Self.town.book()))
        for second in [580.0, 595, 599, 600] { _ = idle.turn(at: Self.town.instant(second)) }
        #expect(other.conditions.values.contains { $0.0.code == .raceClockDisputed && $0.1 })
        #expect(other.holds(.raceClockDisputed) == false, "the run is over")
    }

    @Test func `counts for the status what of the adverts of tags gave no time`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(Self.town.book()))
        _ = loop.turn(at: Self.town.instant(0))
        var intake = AdvertIntake(AdvertFilter([.all]))
        var adverts: [Advert] = []
        // 127: the controller does not know the strength.
        let event = Broadcast(FieldRun.tag(0), address: 0).event(rssi: 127)
        for second in 1...3 {
            intake.take(event.span, arrival: Self.town.instant(Double(second)), into: &adverts)
        }
        inbox.put(adverts)
        _ = loop.turn(at: Self.town.instant(4))
        let status = try #require(told.published.values.last)
        #expect(status.adverts.heard == 3 && status.adverts.withoutStrength == 3)
        #expect(
            status.lines(at: Self.town.instant(4)).contains(
                "tags: 3 adverts came without a strength, and give no time"))
    }

    @Test func `reports once each runner who should have passed`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(Self.town.book(until: 4_000)))
        _ = loop.turn(at: Self.town.instant(0))
        inbox.put(Self.town.adverts)
        for second in stride(from: 150.0, to: 1_500, by: 15) { _ = loop.turn(at: Self.town.instant(second)) }
        let quitter = Self.town.field.plan.scenario.runners
        #expect(told.overdue.values.map(\.owner.bib.number) == [quitter])
        // And it can be asked for as long as it lasts.
        let status = try #require(told.published.values.last)
        let heard = try #require(told.overdue.values.first?.lastHeard).rfc3339.onTheClock
        #expect(status.overdue == told.overdue.values)
        #expect(
            status.lines(at: Self.town.instant(1_485)).filter { $0.hasPrefix("overdue: ") } == [
                "overdue: bib \(quitter) of town-run should have passed arch by now, time 2; last heard \(heard)"
            ])
        inbox.put(.runs(Self.town.book(without: [quitter - 1], until: 4_000)))
        _ = loop.turn(at: Self.town.instant(1_486))
        #expect(told.published.values.last?.overdue == [], "who has left is told of no more")
    }

    @Test func `names ten of those who should have passed, and says how many more there are`() throws {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        inbox.put(.runs(Self.town.book(until: 4_000)))
        for second in [0.0, 650] { _ = loop.turn(at: Self.town.instant(second)) }
        let runners = Self.town.field.plan.scenario.runners
        let lines = try #require(told.published.values.last).lines(at: Self.town.instant(650))
            .filter { $0.hasPrefix("overdue: ") }
        #expect(lines.count == 11 && lines.last == "overdue: and \(runners - 10) more")
        #expect(lines.first == "overdue: bib 1 of town-run should have passed arch by now, time 1; never heard")
    }

    @Test func `tests with one tag whether the box hears, without a run, and listens for that tag alone`()
        throws
    {
        let (inbox, told) = (try RaceInbox(), Told())
        let loop = Self.loop(inbox, told)
        let verdicts = Recorder<SelfTest.Verdict>()
        inbox.put(.selfTest(FieldRun.tag(0), verdicts.add))
        #expect(loop.turn(at: Self.town.instant(0)) != nil)
        #expect(told.rules.values.last?.count == 1)
        // A tag in the hand.
        var intake = AdvertIntake(AdvertFilter([.all]))
        var near: [Advert] = []
        let event = Broadcast(FieldRun.tag(0), address: 0).event(rssi: -60)
        for second in 1...12 {
            intake.take(event.span, arrival: Self.town.instant(Double(second)), into: &near)
        }
        inbox.put(near)
        _ = loop.turn(at: Self.town.instant(14))
        inbox.put(.selfTest(FieldRun.tag(1), verdicts.add))
        _ = loop.turn(at: Self.town.instant(100))
        _ = loop.turn(at: Self.town.instant(116))
        #expect(verdicts.values.count == 2)
        if case .passed? = verdicts.values.first {} else { Issue.record("\(verdicts.values)") }
        if case .failed(.notHeard)? = verdicts.values.last {} else { Issue.record("\(verdicts.values)") }
        #expect(told.rules.values.last?.isEmpty == true && told.kept.values.isEmpty)
    }
}
