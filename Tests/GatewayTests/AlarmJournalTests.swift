import Foundation
import GatewayModel
import Samples
import Testing

@testable import Hub
@testable import SOSLocal
@testable import Vault

@Suite struct `The alarm journal` {
    private static let mqtt = ChannelID(checked: "mqtt")

    private func inDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "alarms-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.path + "/alarms.jsonl")
    }

    /// An alarm of the reading `number`, crossed and believed at that second, with a window of 2 s.
    private func alarm(_ number: Int = 10) -> Alarm {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 131,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
        let plan = SOSPlan(
            person: Sample.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [Self.mqtt]))
        let crossing = Crossing(reading: Sample.reading(number, bpm: 150), rule: rule)
        return Alarm(
            cause: .crossing(crossing), priority: .high, confirmation: crossing.instant, plan: plan)
    }

    /// Sounded after 3 ms, called after `called` seconds, handed over and accepted.
    private func accepted(_ number: Int = 10, called: Double = 2) -> Alarm {
        var alarm = alarm(number)
        let start = Double(number)
        alarm.annunciated(at: Sample.moment(start + 0.003).boot)
        _ = alarm.tick(at: Sample.moment(start + called).boot)
        alarm.dispatched(by: Self.mqtt, at: Sample.moment(start + called).boot)
        alarm.handedOver(by: Self.mqtt, .confirmed, at: Sample.moment(start + called + 0.5).boot)
        _ = alarm.accept(
            PersonAct(by: "Operator 7", means: .channel), channel: Self.mqtt,
            at: Sample.moment(start + called + 8).boot)
        return alarm
    }

    @Test func `tells each step with its offset from the crossing and its wall time`() {
        let record = AlarmRecord(accepted(), boot: "a")
        #expect(record.steps.map(\.what) == [.crossing, .confirmed, .sounded, .called, .handedOver, .accepted])
        #expect(record.steps.map(\.afterMs) == [0, 0, 3, 2_000, 2_500, 10_000])
        #expect(record.steps.map(\.at).last == "2026-03-01T08:30:20.000Z")
        #expect(record.ending?.text == "Operator 7" && record.ending?.channel == "mqtt")
    }

    @Test func `gives up one person's alarms, but not an open one, and nobody else's`() throws {
        try inDirectory { path in
            let journal = AlarmJournal(path: path)
            let (over, open) = (accepted(10), alarm(20))
            try journal.append([AlarmRecord(over, boot: "a"), AlarmRecord(open, boot: "a")])
            let other = PersonID(checked: "paolo")
            #expect(try journal.erase(other, sparing: []) == AlarmJournal.Erased(count: 0, spared: 0))
            #expect(try journal.load().records.count == 2)
            let erased = try journal.erase(Sample.maria, sparing: [open.id])
            #expect(erased == AlarmJournal.Erased(count: 1, spared: 1))
            #expect(try journal.load().records.map(\.id) == [open.id.description])
            #expect(try !String(contentsOfFile: path, encoding: .utf8).contains(over.id.description))
        }
    }

    @Test(arguments: [(4.5, true), (4.500_001, false)])
    func `judges a limit to the nanosecond, and not by rounded milliseconds`(called: Double, isHeld: Bool) {
        let record = AlarmRecord(accepted(called: called), boot: "a")
        #expect(record.handOver.measuredMs == 5_000)
        #expect(record.handOver.isHeld == isHeld)
    }

    /// Given to a channel after 2 s that never got it through, and ended after `ended` seconds.
    private func unreached(ended: Double) -> AlarmRecord {
        var alarm = alarm()
        _ = alarm.tick(at: Sample.moment(12).boot)
        alarm.dispatched(by: Self.mqtt, at: Sample.moment(12).boot)
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
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(AlarmRecord(accepted(), boot: "a")))
                as? [String: Any])
        old["dispatch"] = ["limitMs": 5_000, "measuredMs": 2_000, "isHeld": true]
        old["handOver"] = nil
        let record = try JSONDecoder().decode(
            AlarmRecord.self, from: JSONSerialization.data(withJSONObject: old))
        #expect(record == AlarmRecord(accepted(), boot: "a"))
        #expect(record.handOver.measuredMs == 2_500 && record.handOver.isHeld == true)
    }

    @Test func `says of an alarm the last that was written, the newest alarm first`() throws {
        try inDirectory { path in
            let journal = AlarmJournal(path: path)
            #expect(try journal.load().records.isEmpty)
            try journal.append([AlarmRecord(alarm(10), boot: "a"), AlarmRecord(alarm(20), boot: "a")])
            try journal.append([AlarmRecord(accepted(10), boot: "a")])
            let (records, unreadable) = try AlarmJournal(path: path).load()
            #expect(records == [AlarmRecord(alarm(20), boot: "a"), AlarmRecord(accepted(10), boot: "a")])
            #expect(unreadable == 0)
        }
    }

    @Test func `counts torn and damaged lines, and loses nothing besides`() throws {
        try inDirectory { path in
            let journal = AlarmJournal(path: path)
            try journal.append([AlarmRecord(accepted(10), boot: "a"), AlarmRecord(accepted(20), boot: "a")])
            let whole = try Data(contentsOf: URL(filePath: path))
            try (Data("{\"id\": 5}\n\u{0}\n".utf8) + whole.dropLast(10)).write(to: URL(filePath: path))
            try journal.append([AlarmRecord(accepted(30), boot: "a")])
            let (records, unreadable) = try journal.load()
            #expect(records.map(\.id) == [Sample.id(30), Sample.id(10)].map(\.description))
            #expect(unreadable == 3)
        }
    }

    @Test func `grows no further than its bound, and keeps the newest`() throws {
        try inDirectory { path in
            let journal = AlarmJournal(path: path, kept: 3, largest: 12_000)
            var largest = 0
            for number in 1...60 {
                try journal.append([AlarmRecord(accepted(number), boot: "a")])
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                largest = max(largest, size ?? .max)
            }
            #expect(largest <= 12_000)
            let kept = try journal.load().records.map(\.id)
            #expect(kept.count >= 3)
            #expect(kept == (0..<kept.count).map { Sample.id(60 - $0).description })
        }
    }

    @Test func `measures nothing over a restart of the machine`() throws {
        try inDirectory { path in
            let journal = AlarmJournal(path: path)
            var before = alarm()
            before.annunciated(at: Sample.moment(10.003).boot)
            try journal.append([AlarmRecord(before, boot: "a")])
            try journal.append([AlarmRecord(accepted(), boot: "b")])
            try journal.append([AlarmRecord(accepted(), boot: "b")])
            let record = try #require(try journal.load().records.first)
            #expect(record.isOverReboot)
            #expect(record.alarm.isHeld == true, "seen before it")
            #expect(record.handOver.measuredMs == nil && record.handOver.isHeld == nil)
            #expect(record.ending?.what == .accepted)
        }
    }

    @Test func `says which file the disk does not take`() {
        #expect {
            try AlarmJournal(path: "/proc/nowhere/alarms.jsonl").append([AlarmRecord(alarm(), boot: "a")])
        } throws: { "\($0)".contains("/proc/nowhere/alarms.jsonl") }
    }
}
