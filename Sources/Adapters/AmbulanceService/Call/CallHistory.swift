import GatewayModel
import SOSLocal

/// Which message of an alarm was the first that the service may have: CAP's `Alert`; the others update it.
struct CallHistory: Hashable, Sendable {
    enum Place: Hashable, Sendable { case first, later }

    /// Since when every attempt is known: what an earlier run of the gateway sent is not.
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
