import ContractReading
public import GatewayModel

/// Acceptance of a call that the house has to get.
public struct DueAcceptance: Hashable, Sendable {
    /// Number in the outbox, in the order of the takings.
    public let number: Int64
    public let call: CallID
    public let person: PersonID
    public let by: Dispatcher
    /// When the dispatcher took the call.
    public let taken: WallTime

    public init(number: Int64, call: CallID, person: PersonID, by: Dispatcher, taken: WallTime) {
        (self.number, self.call, self.person, self.by, self.taken) = (number, call, person, by, taken)
    }
}

/// Line of the log of a call.
public struct LoggedEntry: Hashable, Sendable {
    public let at: WallTime
    public let entry: EmergencyCall.Entry

    public init(at: WallTime, entry: EmergencyCall.Entry) { (self.at, self.entry) = (at, entry) }
}

/// Act of a dispatcher on a call.
public enum DeskAct: Hashable, Sendable {
    case take, release
    /// - Parameter isHolderAway: the holder has had no page of the desk in view for a while.
    case takeOver(reason: String, isHolderAway: Bool)
    case keepOn
    case close(EmergencyCall.Outcome, note: String)
    case note(String)
}
