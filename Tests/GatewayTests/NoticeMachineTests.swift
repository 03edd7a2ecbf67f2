import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Hub
@testable import Notices
@testable import Vault

@Suite struct `The machine of the notices` {
    private static let strap = HealthCondition(.wearableAway, subject: "strap")
    private static let mains = HealthCondition(.mainsLost)
    private static let anna = NoticeTarget.phone("+393331234567")
    private static let broker = NoticeTarget.channel(.mqtt)

    /// The machine, and all rows that it has written. A class, since an expectation cannot call what mutates.
    private final class Rig {
        var machine: NoticeMachine
        var rows: [String: NoticeRecord] = [:]
        var carers: [NoticeTarget]
        var mayTell = true
        var isAlarmOpen = false

        init(_ rows: [String: NoticeRecord] = [:], carers: [NoticeTarget] = [anna, broker]) {
            (self.rows, self.carers) = (rows, carers)
            machine = NoticeMachine(
                of: GatewayID(sample: "house-12"), resuming: rows.values.map(\.self), seed: 1)
        }

        /// The same house after a restart.
        func restarted() -> Rig { Rig(rows, carers: carers) }

        func situation(
            _ conditions: [HealthCondition], _ seconds: Double, isAwake: Bool = true
        ) -> NoticeMachine.Situation {
            NoticeMachine.Situation(
                now: Sample.moment(seconds), isAwake: isAwake, isAlarmOpen: isAlarmOpen,
                patience: .seconds(120),
                findings: NoticeFinding.all(
                    of: conditions,
                    persons: [NoticeFinding.Person(id: Sample.maria, name: "Maria", channels: [.mqtt])],
                    wearers: ["strap": Sample.maria, "watch": Sample.maria]),
                persons: [
                    Sample.maria: NoticeMachine.Situation.Person(
                        name: "Maria", mayTell: mayTell, mayAsk: true, carers: carers,
                        deciders: [anna])
                ])
        }

        /// Returns the texts that leave, each with its recipient, and hands all of them over unless they are to fail.
        func see(
            _ conditions: [HealthCondition], _ seconds: Double, isAwake: Bool = true,
            failing: Set<NoticeTarget> = []
        ) -> [String] {
            let outcome = machine.tick(situation(conditions, seconds, isAwake: isAwake))
            keep(outcome.rows)
            for delivery in outcome.deliveries {
                keep(
                    machine.ended(
                        delivery.notice.id, delivery.target, isHandedOver: !failing.contains(delivery.target),
                        at: Sample.moment(seconds).boot
                    ).rows)
            }
            return outcome.deliveries.map { "\($0.target.text): \($0.notice.phase) \($0.notice.text.en)" }
        }

        func keep(_ changes: [StateChange]) {
            for change in changes {
                switch change {
                case .put(.notice, let row): rows[row.key] = row.decoded()
                case .remove(.notice, let key): rows[key] = nil
                default: Issue.record("\(change) is no row of a notice")
                }
            }
        }
    }

    private static let away =
        "began Nobody is watching over Maria at the moment: the strap is out of reach. Check that it is worn, charged "
        + "and in the house."
    private static let back = "ended Maria is watched over again."

    @Test func `tells each recipient once that it began, and once that it is over`() {
        let house = Rig()
        #expect(house.see([Self.strap], 0).isEmpty)
        #expect(house.see([Self.strap], 119).isEmpty)
        let told = ["+393331234567: \(Self.away)", "mqtt: \(Self.away)"]
        #expect(house.see([Self.strap], 120) == told)
        #expect(house.see([Self.strap], 50_000).isEmpty)
        #expect(house.see([], 50_001).isEmpty)
        #expect(house.see([], 50_121) == ["+393331234567: \(Self.back)", "mqtt: \(Self.back)"])
        #expect(house.see([], 60_000).isEmpty)
    }

    @Test func `says nothing of what passes by itself`() {
        let house = Rig()
        for second in stride(from: 0.0, to: 5_000, by: 100) {
            #expect(house.see([Self.strap], second).isEmpty)
            #expect(house.see([], second + 50).isEmpty)
        }
        #expect(house.rows.isEmpty)
    }

    @Test func `takes several conditions of one device for one interruption`() {
        let house = Rig()
        let silent = HealthCondition(.wearableSilent, subject: "strap")
        let unworn = HealthCondition(.sensorContactLost, subject: "strap")
        #expect(house.see([Self.strap], 0).isEmpty)
        #expect(house.see([silent], 60).isEmpty)
        #expect(house.see([unworn], 120).count == 2)
        #expect(house.see([Self.strap], 121).isEmpty)
        #expect(house.see([], 122).isEmpty && house.see([], 242).count == 2)
    }

    @Test func `makes no stream of a matter that comes and goes`() {
        let house = Rig()
        var beginnings = 0
        // Five minutes away, five minutes back, for a day.
        for second in stride(from: 0.0, to: 86_400, by: 10) {
            let isAway = Int(second) / 300 % 2 == 0
            beginnings += house.see(isAway ? [Self.strap] : [], second).count { $0.contains("began") }
        }
        // At 0, 1, 3, 7, 15 and 23 hours, to two recipients.
        #expect(beginnings == 12)
        // After a quiet day it begins anew.
        #expect(house.see([], 200_000).isEmpty)
        #expect(house.see([Self.strap], 200_001).isEmpty && house.see([Self.strap], 200_121).count == 2)
    }

    @Test func `lets what is not urgent wait for the waking hours, and what is urgent go`() {
        let house = Rig()
        let low = HealthCondition(.batteryLow, subject: "strap")
        #expect(house.see([low, Self.mains], 0, isAwake: false).isEmpty)
        let night = house.see([low, Self.mains], 200, isAwake: false)
        #expect(night.count == 2 && night.allSatisfy { $0.contains("the mains are gone") }, "\(night)")
        let morning = house.see([low, Self.mains], 30_000)
        #expect(morning.count == 2 && morning.allSatisfy { $0.contains("is nearly empty") }, "\(morning)")
    }

    @Test func `tells of missing mains after three readings of the supply`() {
        let house = Rig()
        #expect(house.see([Self.mains], 0).isEmpty && house.see([Self.mains], 14).isEmpty)
        #expect(house.see([Self.mains], 15).count == 2)
    }

    @Test func `tells nothing twice over a restart, and the end after it`() {
        let house = Rig()
        #expect(house.see([Self.strap], 0).isEmpty && house.see([Self.strap], 120).count == 2)
        let again = house.restarted()
        // The first rounds know of no condition yet.
        #expect(again.see([], 200).isEmpty)
        for second in stride(from: 205.0, to: 2_000, by: 5) {
            #expect(again.see([Self.strap], second).isEmpty)
        }
        let third = again.restarted()
        #expect(third.see([], 3_000).isEmpty)
        #expect(third.see([], 3_120) == ["+393331234567: \(Self.back)", "mqtt: \(Self.back)"])
        let fourth = third.restarted()
        #expect(fourth.see([], 3_200).isEmpty && fourth.see([], 4_000).isEmpty)
    }

    @Test func `sends over a restart what somebody does not have yet, under the same id`() throws {
        let house = Rig()
        _ = house.see([Self.strap], 0)
        let first = house.see([Self.strap], 120, failing: [Self.anna])
        #expect(first.count == 2)
        let id = try #require(house.rows.values.first?.id)
        let again = house.restarted()
        #expect(again.see([Self.strap], 130) == ["+393331234567: \(Self.away)"])
        #expect(again.rows.values.map(\.id) == [id])
    }

    @Test func `tries again with growing pauses, until it is handed over or its end has come`() {
        let house = Rig(carers: [Self.anna])
        _ = house.see([Self.strap], 0)
        var tries: [Double] = []
        for second in stride(from: 120.0, to: 4_000, by: 1)
        where !house.see([Self.strap], second, failing: [Self.anna]).isEmpty {
            tries.append(second)
        }
        let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
        #expect(tries.first == 120 && pauses.count >= 6, "\(tries)")
        #expect(pauses[0] >= 11 && pauses[0] <= 15 && pauses[1] > pauses[0] && pauses.allSatisfy { $0 <= 900 })
        // An attempt may have arrived: the end is told, and the beginning no more.
        _ = house.see([], 4_000, failing: [Self.anna])
        #expect(house.see([], 4_120) == ["+393331234567: \(Self.back)"])
        #expect(house.see([], 9_000).isEmpty)
    }

    @Test func `tells no end to those who were never told the beginning`() {
        let house = Rig()
        house.isAlarmOpen = true
        #expect(house.see([Self.strap], 0).isEmpty && house.see([Self.strap], 120).isEmpty)
        #expect(house.see([], 121).isEmpty && house.see([], 241).isEmpty)
        house.isAlarmOpen = false
        #expect(house.see([], 242).isEmpty)
    }

    @Test func `lets nothing leave while an alarm is open`() {
        let house = Rig()
        house.isAlarmOpen = true
        #expect(house.see([Self.strap], 0).isEmpty && house.see([Self.strap], 600).isEmpty)
        house.isAlarmOpen = false
        #expect(house.see([Self.strap], 601).count == 2)
    }

    @Test func `says of a deaf box alone that nobody watches, and gives the strap time to come back`() {
        let house = Rig(carers: [Self.broker])
        let deaf = HealthCondition(.bluetoothUnavailable)
        #expect(house.see([deaf, Self.strap], 0).isEmpty)
        let told = house.see([deaf, Self.strap], 120)
        #expect(told.count == 1 && told[0].contains("cannot use its Bluetooth"), "\(told)")
        #expect(house.see([Self.strap], 130).isEmpty)
        #expect(house.see([], 140).isEmpty)
        #expect(house.see([], 250) == ["mqtt: \(Self.back)"])
    }

    @Test func `forgets what was told when the consent is withdrawn, and says no more`() {
        let house = Rig()
        #expect(house.see([Self.strap], 0).isEmpty && house.see([Self.strap], 120).count == 2)
        house.mayTell = false
        #expect(house.see([Self.strap], 121).isEmpty && house.rows.isEmpty)
        #expect(house.see([], 122).isEmpty && house.see([], 1_000).isEmpty)
    }

    @Test func `tells nobody, and remembers nothing, where nobody is to be told`() {
        let house = Rig(carers: [])
        #expect(house.see([Self.strap], 0).isEmpty && house.see([Self.strap], 500).isEmpty)
        #expect(house.rows.isEmpty)
        house.carers = [Self.anna]
        #expect(house.see([Self.strap], 501).count == 1)
    }

    @Test func `sends posted news to the carers or to the deciders, by urgency`() {
        let house = Rig()
        func post(_ audience: Notice.Audience, _ urgency: Notice.Urgency, _ text: String) {
            let notice = Notice(
                about: Sample.maria, "matter", to: audience, urgency, Text(en: text, it: text))
            house.keep(house.machine.post(notice, in: house.situation([], 0, isAwake: false)).rows)
        }
        post(.carers, .wakingHours, "Old.")
        post(.carers, .wakingHours, "New.")
        post(.deciders, .atOnce, "Who asks?")
        #expect(house.see([], 1, isAwake: false) == ["+393331234567: news Who asks?"])
        #expect(house.see([], 2).sorted() == ["+393331234567: news New.", "mqtt: news New."])
        #expect(house.see([], 3).isEmpty && house.rows.isEmpty)
    }

    @Test func `gives up news that nobody takes for a day`() {
        let house = Rig()
        let notice = Notice(about: Sample.maria, "m", to: .carers, .atOnce, Text(en: "N.", it: "N."))
        house.keep(house.machine.post(notice, in: house.situation([], 0)).rows)
        #expect(house.see([], 1, failing: [Self.anna, Self.broker]).count == 2)
        #expect(house.see([], 86_400).isEmpty && house.rows.isEmpty)
    }

    @Test func `erases the matters of a person that are over, without telling those that go on again`() {
        let house = Rig()
        _ = house.see([Self.strap], 0)
        _ = house.see([Self.strap, Self.mains], 120)
        _ = house.see([Self.strap], 140)
        #expect(house.see([Self.mains], 260).isEmpty)
        #expect(house.see([Self.mains], 380).count == 2)
        let erased = house.machine.erase(Sample.maria)
        house.keep(erased.rows)
        #expect(erased.rows.count == 1 && erased.spared == 1)
        #expect(house.rows.values.map(\.matter) == ["mains"])
        // The row of a matter that goes on does not name the person any more.
        #expect(house.rows.values.allSatisfy { $0.text == Text(en: "", it: "") })
        #expect(house.see([Self.mains], 400).isEmpty)
    }
}

@Suite struct `The findings of the notices` {
    private static let paolo = PersonID(sample: "paolo")
    private static let persons = [
        NoticeFinding.Person(id: Sample.maria, name: "Maria", channels: [.mqtt, ChannelID(sample: "centre")]),
        NoticeFinding.Person(id: paolo, name: "Paolo", channels: [.mqtt]),
    ]

    private func findings(_ conditions: [HealthCondition]) -> [NoticeFinding] {
        NoticeFinding.all(
            of: conditions, persons: Self.persons, wearers: ["strap": Sample.maria, "belt": Self.paolo])
    }

    @Test func `of a wearable concern its wearer, of the box everyone, of a person that person`() {
        #expect(findings([HealthCondition(.wearableAway, subject: "belt")]).map(\.person) == [Self.paolo])
        #expect(findings([HealthCondition(.wearableAway, subject: "unknown")]).isEmpty)
        #expect(findings([HealthCondition(.mainsLost)]).map(\.person) == [Sample.maria, Self.paolo])
        #expect(findings([HealthCondition(.drillFailed, subject: "maria")]).map(\.person) == [Sample.maria])
    }

    @Test func `a dead channel is urgent for a person without another one`() {
        let found = findings([
            HealthCondition(.helpUnreachable, subject: "paolo"),
            HealthCondition(.channelFailing, subject: "mqtt"),
        ])
        let open = found.filter { !$0.isCovered }
        #expect(open.map(\.person) == [Sample.maria, Self.paolo])
        #expect(open.map(\.matter) == ["channel mqtt", "help"])
        #expect(open.map(\.isUrgent) == [false, true])
        // It goes on beside the wider one: its end is not told too early.
        #expect(found.filter(\.isCovered).map(\.matter) == ["channel mqtt"])
    }

    @Test
    func
        `tell carers of a dead button of the box, of damage, silence, a clock and an alarm that cannot be cancelled`()
    {
        let found = findings([
            HealthCondition(.houseButtonDead), HealthCondition(.storageDamaged, subject: "state.sqlite"),
            HealthCondition(.houseSilent), HealthCondition(.clockNotSet),
            HealthCondition(.alarmNotCancellable, subject: "maria"),
        ])
        let maria = found.filter { $0.person == Sample.maria }
        #expect(maria.map(\.matter) == ["box-button", "storage", "sound", "clock", "cancel"])
        #expect(maria.map(\.isUrgent) == [true, false, false, false, false])
        #expect(
            found.filter { $0.person == Self.paolo }.map(\.matter) == [
                "box-button", "storage", "sound", "clock",
            ])
        let unalarmed = findings([HealthCondition(.houseUnalarmed), HealthCondition(.houseSilent)])
        #expect(unalarmed.filter { !$0.isCovered }.map(\.matter) == ["house", "house"])
    }

    @Test func `have words in both languages, with the person's name, for each condition that is told`() {
        for code in HealthCode.allCases {
            guard let rule = code.noticeRule(of: "strap") else { continue }
            let words = NoticeWords(name: "Maria", subject: "strap").beginning(rule)
            for text in [words.en, words.it] {
                #expect(text.contains("Maria") && text.hasSuffix("."), "\(code): \(text)")
                #expect(!text.contains("..") && !text.contains("  ") && text.count < 300, "\(code): \(text)")
            }
            #expect(words.en != words.it)
        }
        for concern in Concern.allCases where concern != .restart {
            let words = NoticeWords(name: "Maria", subject: "strap").ending(concern)
            #expect(words?.en.contains("Maria") == true && words?.it.contains("Maria") == true)
        }
    }

    @Test func `cover every condition that impairs the supervision, but the loss of the consents`() {
        let silent = HealthCode.allCases.filter {
            $0.declaration.severity == .supervision && $0.noticeRule(of: "strap") == nil
        }
        #expect(silent == [.consentDamaged])
    }
}
