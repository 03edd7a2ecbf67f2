import Contract
import ModelSamples
import Samples
import Testing
import Vault

@testable import CloudCommands
@testable import GatewayModel
@testable import SOSLocal
@testable import SignedCommands

@Suite struct `A command that widens limits` {
    private static func rule(_ side: LimitRule.Side, _ limit: Double, isWarning: Bool = false) -> LimitRule {
        let defaults = RuleDefaults.of(.heartRate)
        return LimitRule(
            kind: .heartRate, side: side, limit: limit,
            confirmation: isWarning
                ? defaults?.warningConfirmation ?? Confirmation(readings: 1, within: .zero)
                : Confirmation(readings: 3, within: .seconds(2)),
            hysteresis: 5, priority: isWarning ? .medium : .high)
    }

    private static let written = [rule(.low, 40), rule(.high, 131)]

    private func split(_ limits: [LimitSlot: Double?], inForce: [LimitRule] = written) -> LimitWidening {
        LimitWidening(limits, of: .heartRate, written: Self.written, inForce: inForce)
    }

    @Test func `lowers a low limit or raises a high one; every other move narrows`() {
        for (limits, widening) in [
            ([.high: 150], [.high]), ([.low: 35], [.low]), ([.high: 120], []), ([.low: 45], []),
            ([.high: 131, .low: 40], []), ([.high: 150, .low: 45], [.high]),
            ([.high: 150, .low: 35], [.high, .low]),
        ] as [([LimitSlot: Double?], [LimitSlot])] {
            let found = split(limits)
            #expect(found.widening.map(\.slot) == widening, "\(limits)")
            #expect(Set(found.rest.keys) == Set(limits.keys).subtracting(widening), "\(limits)")
        }
    }

    @Test func `is compared with the limit in force, also on the way back to the settings`() {
        let narrowed = [Self.rule(.low, 40), Self.rule(.high, 110)]
        let back = split([.high: nil], inForce: narrowed)
        #expect(back.widening == [LimitQuestion.Move(slot: .high, from: 110, to: 131, isBack: true)])
        #expect(split([.high: 120], inForce: narrowed).widening.map(\.from) == [110])
        let widened = [Self.rule(.low, 40), Self.rule(.high, 150)]
        #expect(split([.high: nil], inForce: widened).widening.isEmpty)
        #expect(split([.high: 140], inForce: widened).widening.isEmpty)
    }

    private func question(_ number: Int64 = 1) -> LimitQuestion {
        LimitQuestion(
            number, person: Sample.maria, kind: .heartRate,
            moves: [
                LimitQuestion.Move(slot: .high, from: 131, to: 150, isBack: false),
                LimitQuestion.Move(slot: .low, from: 45, to: 40, isBack: true),
            ], name: CommandName(issuer: IssuerID(sample: "trackme"), id: "c-1", sequence: 7),
            asked: Sample.moment(0).wall)
    }

    @Test func `keeps the question and its answer in its row`() throws {
        let asked = question()
        let limits: [LimitSlot: Double?] = [.high: 150, .low: nil]
        #expect(asked.told == nil && asked.limits == limits)
        let answered = asked.answered(.accepted, by: "Maria", at: Sample.moment(60).wall)
        guard case .put(.limitQuestion, let row) = answered.change else {
            Issue.record("no row")
            return
        }
        let found = try #require(row.decoded(as: LimitQuestion.self))
        #expect(found == answered)
        let told = try #require(found.told)
        #expect(told.verdict == .accepted && told.person == Sample.maria && told.kind == .heartRate)
        #expect(
            told.command == ReceiptClaims.Subject(issuer: "trackme", id: "c-1", sequence: 7))
        #expect(found.line.contains("accepted by Maria"))
    }

    @Test func `lapses after seven days`() {
        let week = 7 * 86_400.0
        #expect(!question().hasLapsed(at: Sample.moment(week - 1).wall))
        #expect(question().hasLapsed(at: Sample.moment(week).wall))
    }
}
