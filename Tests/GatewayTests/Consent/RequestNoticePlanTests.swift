import HouseAlarm
import ModelSamples
import SOSLocal
import Samples
import Testing
import Vault

@testable import ConsentService
@testable import GatewayModel
@testable import Hub

@Suite struct `The plan of the words about a waiting question` {
    private typealias Plan = RequestNoticePlan

    private static let day = 86_400.0
    private static let question = HouseQuestion(
        "request r1", about: Sample.maria,
        .request(
            HouseQuestion.Asked(
                RequestID(sample: "r1"), party: "The clinic", kinds: [.quantity(.heartRate)],
                purpose: "Her heart")))
    private static let limits = HouseQuestion(
        "limits 1", about: Sample.maria,
        .limits(IssuerID(sample: "trackme"), .heartRate, [HouseQuestion.Move(.high, from: 131, to: 150)]))

    private func situation(
        _ seconds: Double, isClockSet: Bool = true, isAwake: Bool = true, inAlarm: Set<PersonID> = []
    ) -> Plan.Situation {
        Plan.Situation(
            now: Sample.moment(seconds).wall, isClockSet: isClockSet, isAwake: isAwake, personsInAlarm: inAlarm)
    }

    private func told(_ outcome: Plan.Outcome) -> Int {
        outcome.words.count { if case .tell = $0 { true } else { false } }
    }

    /// Days on which the house is told, looked at every hour.
    private func days(_ plan: inout Plan, from first: Int = 0, through last: Int) -> [Int] {
        (first * 24...last * 24).filter { told(plan.look([Self.question], situation(Double($0) * 3_600))) > 0 }
            .map {
                $0 / 24
            }
    }

    @Test func `tells at once, after a day, and then every three days, three reminders in all`() {
        var plan = Plan()
        #expect(days(&plan, through: 60) == [0, 1, 4, 7])
    }

    @Test func `goes on after a restart where it was, from its rows`() {
        var (plan, rows): (Plan, [String: StateRow]) = (Plan(), [:])
        for hour in 0...26 {
            for case .put(let table, let row) in plan.look(
                [Self.question], situation(Double(hour) * 3_600)
            ).rows {
                #expect(table == .requestNotice)
                rows[row.key] = row
            }
        }
        var next = Plan(Array(rows.values))
        #expect(next.look([Self.question], situation(26 * 3_600)).words.isEmpty)
        #expect(days(&next, from: 2, through: 60) == [4, 7])
    }

    @Test func `waits for the waking hours, for a clock that is set and for the end of an alarm`() {
        var plan = Plan()
        #expect(told(plan.look([Self.question], situation(0, isAwake: false))) == 0)
        #expect(told(plan.look([Self.question], situation(1, isClockSet: false))) == 0)
        #expect(told(plan.look([Self.question], situation(2, inAlarm: [Sample.maria]))) == 0)
        #expect(told(plan.look([Self.question], situation(3))) == 1)
    }

    @Test func `stops with the answer, and begins anew with another question`() {
        var plan = Plan()
        _ = plan.look([Self.question], situation(0))
        let outcome = plan.look([], situation(10))
        #expect(outcome.rows == [.remove(.requestNotice, key: "request r1")] && outcome.words.isEmpty)
        #expect(told(plan.look([Self.question], situation(20))) == 1)
    }

    @Test func `names a question when it arrives, at any hour and once`() {
        var plan = Plan()
        let first = plan.look([Self.limits], situation(0, isAwake: false))
        #expect(first.words == [.arrived(Self.limits)])
        let second = plan.look([Self.limits], situation(3_600))
        #expect(second.words == [.tell(Self.limits)])
    }

    @Test func `does not fall silent for years after a clock that was wrong`() {
        var plan = Plan()
        _ = plan.look([Self.question], situation(1_000 * Self.day))
        // The clock is set back; the pause counts from then on.
        #expect(told(plan.look([Self.question], situation(0))) == 0)
        #expect(told(plan.look([Self.question], situation(Self.day))) == 1)
    }

    @Test func `texts name no purpose and no figure, and carers are told of limits at once`() throws {
        let request = Self.question.notice(naming: "Maria")
        #expect(request.audience == .deciders && request.urgency == .wakingHours)
        for text in [request.text.en, request.text.it] {
            #expect(text.contains("The clinic") && text.contains("Maria"))
            #expect(text.contains("homegateway consent show r1") && !text.contains("Her heart"))
        }
        #expect(Self.question.noticeAtOnce(naming: "Maria") == nil)
        let limits = try #require(Self.limits.noticeAtOnce(naming: "Maria"))
        #expect(limits.audience == .carers && limits.urgency == .atOnce)
        for text in [limits.text.en, limits.text.it] {
            #expect(text.contains("homegateway limits list") && !text.contains("150"))
        }
    }
}
