import GatewayModel
import HelpLine
import SOSLocal

/// One alarm at the desk.
struct CallLine: Sendable {
    var waiting: [HelpMessage] = []
    /// What is being attempted.
    var current: HelpMessage?
    var history: CallHistory
    var poll: CallPoll?
    /// When something last happened to it.
    var used: BootInstant

    init(start: BootInstant, _ now: BootInstant) {
        history = CallHistory(start: start)
        used = now
    }

    /// A retraction is under way or waits.
    var isRetracting: Bool {
        ((current.map { [$0] } ?? []) + waiting).contains { if case .retraction = $0 { true } else { false } }
    }

    func isForgotten(at now: BootInstant) -> Bool {
        current == nil && waiting.isEmpty && poll == nil && used.duration(to: now) > HTTPSCallMachine.pollLimit
    }
}

/// The questions whether a person has answered.
struct CallPoll: Hashable, Sendable {
    let address: Endpoint
    let person: PersonID
    let isDrill: Bool
    var next: BootInstant
    let end: BootInstant
    /// The question under way.
    var underWay: Int?
    /// What was wrong with the last answer.
    var complaint: String?

    /// Nil while a question is under way: it has a limit of its own.
    var deadline: BootInstant? { underWay == nil ? min(next, end) : nil }
}
