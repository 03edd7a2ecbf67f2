import CloudCommands
import Contract
import GatewayModel
import HouseAlarm
import Hub
import SOSLocal
import Vault

/// Command that makes alarms of a person less likely, with the answer of the house: a row of `state.sqlite`.
struct LimitQuestion: Codable, Hashable, Sendable {
    /// Time for an answer.
    static let longestWait = Duration.seconds(7 * 86_400)

    /// One limit that waits.
    struct Move: Codable, Hashable, Sendable {
        let slot: LimitSlot
        /// Figure in force when it was asked.
        let from: Double
        let to: Double
        /// It goes back to the figure of the settings.
        let isBack: Bool
    }

    struct Answer: Codable, Hashable, Sendable {
        let verdict: LimitAnswer.Verdict
        let by: String
        /// Milliseconds since 1970.
        let at: Int64
    }

    /// Place in the order of the commands.
    let number: Int64
    let person: String
    let kind: QuantityKind
    let moves: [Move]
    /// Issuer, ID and number of the command.
    let issuer: String
    let command: String
    let sequence: Int64
    /// Milliseconds since 1970.
    let asked: Int64
    /// Nil while it waits.
    private(set) var answer: Answer?

    init(
        _ number: Int64, person: PersonID, kind: QuantityKind, moves: [Move], name: CommandName,
        asked: WallTime
    ) {
        (self.number, self.person, self.kind, self.moves) = (number, person.text, kind, moves)
        (issuer, command, sequence) = (name.issuer.text, name.id, name.sequence)
        self.asked = asked.millisecondsSince1970
    }

    var change: StateChange { .put(.limitQuestion, StateChange.key(number), self) }

    func isAbout(_ person: PersonID, _ kind: QuantityKind) -> Bool {
        self.person == person.text && self.kind == kind
    }

    func hasLapsed(at now: WallTime) -> Bool {
        now.millisecondsSince1970 - asked >= Self.longestWait.wholeMilliseconds
    }

    func answered(_ verdict: LimitAnswer.Verdict, by name: String, at now: WallTime) -> LimitQuestion {
        var question = self
        question.answer = Answer(verdict: verdict, by: name, at: now.millisecondsSince1970)
        return question
    }

    /// Limits to set; nil goes back to the figure of the settings.
    var limits: [LimitSlot: Double?] {
        Dictionary(moves.map { ($0.slot, $0.isBack ? nil : $0.to) }) { first, _ in first }
    }

    /// Claims for the asker; nil while it waits.
    var told: LimitAnswer? {
        guard let answer, let person = PersonID(person) else { return nil }
        return LimitAnswer(
            person: person, kind: kind, verdict: answer.verdict,
            at: WallTime(millisecondsSince1970: answer.at),
            command: ReceiptClaims.Subject(issuer: issuer, id: command, sequence: sequence))
    }

    /// The question to the house; nil for a row with an ID of another form.
    var spoken: HouseQuestion? {
        guard let person = PersonID(person), let issuer = IssuerID(issuer) else { return nil }
        return HouseQuestion(
            "limits \(number)", about: person,
            .limits(issuer, kind, moves.map { HouseQuestion.Move($0.slot, from: $0.from, to: $0.to) }))
    }

    /// Line for people.
    var line: String {
        let moves = moves.map { "\($0.slot.rawValue) \($0.from) to \($0.to)" }.joined(separator: ", ")
        let asked = WallTime(millisecondsSince1970: asked)
        let state =
            answer.map {
                "\($0.verdict.rawValue) by \($0.by), \(WallTime(millisecondsSince1970: $0.at).inHouse)"
            }
            ?? "waits for an answer since \(asked.inHouse), expires \(lapse.inHouse)"
        return "\(person): \(issuer) asks to move \(kind.rawValue) \(moves): \(state)"
    }

    private var lapse: WallTime {
        WallTime(millisecondsSince1970: asked + Self.longestWait.wholeMilliseconds)
    }
}

/// Limits of one command, split by their effect on alarms. Pure.
struct LimitWidening: Sendable {
    /// Moves that make an alarm less likely than now.
    let widening: [LimitQuestion.Move]
    /// The other limits of the command.
    let rest: [LimitSlot: Double?]

    /// - Parameters:
    ///   - requested: limits of the command; nil goes back to the settings.
    ///   - written: rules of the settings.
    ///   - inForce: rules that are judged now.
    init(
        _ requested: [LimitSlot: Double?], of kind: QuantityKind, written: [LimitRule], inForce: [LimitRule]
    ) {
        var (widening, rest): ([LimitQuestion.Move], [LimitSlot: Double?]) = ([], [:])
        for (slot, limit) in requested.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            func figure(_ rules: [LimitRule]) -> Double? {
                rules.first { $0.kind == kind && $0.slot == slot }?.limit
            }
            guard let from = figure(inForce), let to = limit ?? figure(written),
                slot.side == .low ? to < from : to > from
            else {
                rest.updateValue(limit, forKey: slot)
                continue
            }
            widening.append(LimitQuestion.Move(slot: slot, from: from, to: to, isBack: limit == nil))
        }
        (self.widening, self.rest) = (widening, rest)
    }
}
