import ControlContract
import Foundation
import GatewayModel
import Hub
import ModelSamples
import SOSLocal
import Samples
import TestSupport
import Testing
import Vault

@Suite struct `The record of alarms` {
    private let scratch: ScratchDirectory
    private let database: StateDatabase
    private let store: AlarmRecordStore

    init() throws {
        scratch = try ScratchDirectory()
        database = StateDatabase(in: scratch.url.path)
        store = AlarmRecordStore(database)
    }

    private func record(_ records: AlarmRecord..., in store: AlarmRecordStore? = nil) throws {
        for record in records { try database.apply((store ?? self.store).changes(recording: record)) }
    }

    @Test func `tells each step with its offset from the crossing and its wall time`() {
        let record = AlarmRecord(AlarmSample.accepted(), boot: "a")
        #expect(record.steps.map(\.what) == [.crossing, .confirmed, .sounded, .called, .handedOver, .accepted])
        #expect(record.steps.map(\.afterMs) == [0, 0, 3, 2_000, 2_500, 10_000])
        #expect(record.steps.map(\.at).last == "2026-03-01T08:30:20.000Z")
        #expect(record.ending?.text == "Operator 7" && record.ending?.channel == "mqtt")
    }

    @Test func `gives up one person's alarms, but not an open one, and nobody else's`() throws {
        let (over, open) = (AlarmSample.accepted(10), AlarmSample.open(20))
        try record(AlarmRecord(over, boot: "a"), AlarmRecord(open, boot: "a"))
        let other = PersonID(sample: "paolo")
        #expect(try store.erase(other, sparing: []) == AlarmRecordStore.Erased(count: 0, spared: 0))
        #expect(try store.load().count == 2)
        let erased = try store.erase(Sample.maria, sparing: [open.id])
        #expect(erased == AlarmRecordStore.Erased(count: 1, spared: 1))
        #expect(try store.load().map(\.id) == [open.id.description])
        // Neither in the file nor in its log.
        for name in ["state.sqlite", "state.sqlite-wal"] {
            let bytes = try Data(contentsOf: scratch.file(name))
            #expect(bytes.range(of: Data(over.id.description.utf8)) == nil, "\(name)")
        }
    }

    /// Answers to `alarms`, page by page.
    private func pages(
        _ records: [AlarmRecord], of person: PersonID = Sample.maria, from: Int64 = 0, to: Int64 = .max
    ) throws -> [AlarmHistory] {
        var (pages, after): ([AlarmHistory], AlarmID?) = ([], nil)
        repeat {
            let request = Verb.Alarms(
                person: person, from: WallTime(millisecondsSince1970: from),
                to: WallTime(millisecondsSince1970: to), after: after)
            pages.append(try AlarmHistory(records, for: request))
            after = pages.last?.next.flatMap { AlarmID($0) }
        } while after != nil && pages.count < 10
        return pages
    }

    @Test func `is listed by pages of a hundred, the newest first, without a repetition or a gap`() throws {
        let records = (0..<250).map { AlarmRecord(AlarmSample.accepted(1_000 - $0), boot: "a") }
        let pages = try pages(records)
        #expect(pages.map(\.alarms.count) == [100, 100, 50])
        #expect(pages.flatMap { $0.alarms.map(\.id) } == records.map(\.id))
        #expect(try self.pages(records, of: PersonID(sample: "paolo")).map(\.alarms.count) == [0])
        let newest = try #require(pages[0].alarms.first)
        let day = try self.pages(records, from: newest.crossed, to: newest.crossed + 1)
        #expect(day.flatMap(\.alarms) == [newest])
        let unknown = Verb.Alarms(
            person: Sample.maria, from: WallTime(millisecondsSince1970: 0),
            to: WallTime(millisecondsSince1970: 1), after: AlarmSample.open(5_000).id)
        #expect(throws: ControlError.self) { try AlarmHistory(records, for: unknown) }
    }

    @Test func `gives a list the instants of its steps, and its end`() throws {
        let alarm = try #require(AlarmHistory([AlarmRecord(AlarmSample.accepted(), boot: "a")]).alarms.first)
        #expect(alarm.rule == "heart-rate-high" && alarm.confirmed == alarm.crossed)
        #expect(alarm.sounded == alarm.crossed + 3 && alarm.called == alarm.crossed + 2_000)
        #expect(alarm.handedOver == alarm.crossed + 2_500)
        let ending = try #require(alarm.ending)
        #expect(ending.how == "accepted" && ending.at == alarm.crossed + 10_000)
        #expect(ending.by == "Operator 7" && ending.channel == "mqtt")
        #expect(AlarmHistory([AlarmRecord(AlarmSample.open(), boot: "a")]).alarms.first?.ending == nil)
    }

    @Test(arguments: [(4.5, true), (4.500_001, false)])
    func `judges a limit to the nanosecond, and not by rounded milliseconds`(called: Double, isHeld: Bool) {
        let record = AlarmRecord(AlarmSample.accepted(called: called), boot: "a")
        #expect(record.handOver.measuredMs == 5_000)
        #expect(record.handOver.isHeld == isHeld)
    }

    /// Given to a channel after 2 s that never got it through, and ended after `ended` seconds.
    private func unreached(ended: Double) -> AlarmRecord {
        var alarm = AlarmSample.open()
        _ = alarm.tick(at: Sample.moment(12).boot)
        alarm.dispatched(by: .mqtt, at: Sample.moment(12).boot)
        _ = alarm.resolve(PersonAct(by: "Luca", means: .console), at: Sample.moment(10 + ended).boot)
        return AlarmRecord(alarm, boot: "a")
    }

    @Test func `takes a call that lies in a queue for no hand-over`() {
        let broken = unreached(ended: 20)
        #expect(broken.handOver.measuredMs == nil && broken.handOver.isHeld == false)
        let short = unreached(ended: 4)
        #expect(short.handOver.measuredMs == nil && short.handOver.isHeld == nil)
    }

    @Test func `measures lines of earlier versions by their steps`() throws {
        var old = try #require(
            try JSONSerialization.jsonObject(
                with: JSONEncoder().encode(AlarmRecord(AlarmSample.accepted(), boot: "a")))
                as? [String: Any])
        old["dispatch"] = ["limitMs": 5_000, "measuredMs": 2_000, "isHeld": true]
        old["handOver"] = nil
        let record = try JSONDecoder().decode(
            AlarmRecord.self, from: JSONSerialization.data(withJSONObject: old))
        #expect(record == AlarmRecord(AlarmSample.accepted(), boot: "a"))
        #expect(record.handOver.measuredMs == 2_500 && record.handOver.isHeld == true)
    }

    @Test func `says of an alarm the last that was written, the newest alarm first`() throws {
        #expect(try store.load().isEmpty)
        try record(AlarmRecord(AlarmSample.open(10), boot: "a"), AlarmRecord(AlarmSample.open(20), boot: "a"))
        try record(AlarmRecord(AlarmSample.accepted(10), boot: "a"))
        let expected = [
            AlarmRecord(AlarmSample.open(20), boot: "a"), AlarmRecord(AlarmSample.accepted(10), boot: "a"),
        ]
        #expect(try store.load() == expected)
        // While the gateway runs, and beside it.
        let (rows, unreadable) = try StateReader(in: scratch.url.path).rows(of: .alarmRecord)
        #expect(AlarmRecord.sorted(rows) == expected && unreadable == 0)
    }

    @Test func `keeps the newest alarms`() throws {
        let few = AlarmRecordStore(database, kept: 3)
        for number in 1...10 { try record(AlarmRecord(AlarmSample.accepted(number), boot: "a"), in: few) }
        #expect(try few.load().map(\.id) == [10, 9, 8].map { Sample.id($0).description })
    }

    @Test func `measures nothing over a restart of the machine`() throws {
        var before = AlarmSample.open()
        before.annunciated(at: Sample.moment(10.003).boot)
        try record(AlarmRecord(before, boot: "a"))
        try record(
            AlarmRecord(AlarmSample.accepted(), boot: "b"), AlarmRecord(AlarmSample.accepted(), boot: "b"))
        let record = try #require(try store.load().first)
        #expect(record.isOverReboot)
        #expect(record.alarm.isHeld == true, "seen before it")
        #expect(record.handOver.measuredMs == nil && record.handOver.isHeld == nil)
        #expect(record.ending?.what == .accepted)
    }

    @Test func `says which file the disk does not take`() {
        let nowhere = StateDatabase(in: "/proc/nowhere")
        #expect {
            try nowhere.apply(
                AlarmRecordStore(nowhere).changes(recording: AlarmRecord(AlarmSample.open(), boot: "a")))
        } throws: { "\($0)".contains("/proc/nowhere/state.sqlite") }
    }
}
