import GatewayModel
import HTTPTransfers
import HelpLine
import SOSLocal

/// One alarm at the desk.
struct CallLine: Sendable {
    var waiting: [HelpMessage] = []
    /// Message that is being attempted.
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
    /// Fault of the last answer.
    var complaint: String?

    /// Nil while a question is under way: it has a limit of its own.
    var deadline: BootInstant? { underWay == nil ? min(next, end) : nil }
}

/// Which message of an alarm was the first that the service may have: CAP's `Alert`; the others update it.
struct CallHistory: Hashable, Sendable {
    enum Place: Hashable, Sendable { case first, later }

    /// Since when every attempt is known: attempts of an earlier run of the gateway are not.
    let start: BootInstant
    private(set) var first: MessageIdentity?

    init(start: BootInstant) {
        self.start = start
    }

    func place(of order: DispatchOrder) -> Place {
        if let first { return first == MessageIdentity(order) ? .first : .later }
        // An early notice is the first of its alarm. Anything else of an alarm that is older than this run
        // may be the second: as an update it is not taken for a double of the first.
        return order.stage == .pending || order.firstOrdered >= start ? .first : .later
    }

    /// An attempt has reached the service, or may have.
    mutating func mayHaveArrived(_ order: DispatchOrder) {
        if first == nil { first = MessageIdentity(order) }
    }
}
