public import ContractReading
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

/// Calls of the desk, their log and the outbox of acceptances.
public protocol DeskStore: Sendable {
    /// Handles a message that came besides the broker.
    /// - Returns: the alerts for the open pages.
    func receive(_ message: EmergencyMessage, from gateway: GatewayID, at now: WallTime) async throws
        -> [EmergencyCall.Alert]
    /// Open calls, the oldest first.
    func openCalls() async throws -> [EmergencyCall]
    /// Calls on which nobody has to work any more, the newest first.
    func endedCalls(most: Int) async throws -> [EmergencyCall]
    func call(_ id: CallID) async throws -> EmergencyCall?
    /// Forwarding of those calls that are handed on to the outside service.
    func forwardings(of calls: [CallID]) async throws -> [CallID: CallForwarding]
    /// Times from the arrival of a call to its first taking, of the calls since a time.
    func takingTimes(since: WallTime, at now: WallTime) async throws -> TakingTimes
    /// Closes those of the calls that nobody has taken, in one transaction.
    /// - Returns: the number of them.
    func closeUntaken(
        _ calls: [CallID], by dispatcher: Dispatcher, _ outcome: EmergencyCall.Outcome, note: String,
        at now: WallTime
    ) async throws -> Int
    /// Log of a call, the oldest line first.
    func log(of id: CallID) async throws -> [LoggedEntry]
    /// Writes into the audit log that a dispatcher reads a call: one line an hour of each dispatcher and call.
    func recordReading(of id: CallID, by dispatcher: Dispatcher, at now: WallTime) async throws
    /// Carries out an act in one transaction with its log and its acceptance. Of two dispatchers at once one wins.
    /// - Returns: the call afterwards, and the alerts for the open pages.
    /// - Throws: `DeskRefusal`, or the error of the database. Nothing is kept then.
    func carryOut(
        _ act: DeskAct, on id: CallID, by dispatcher: Dispatcher, at now: WallTime
    ) async throws -> (call: EmergencyCall, alerts: [EmergencyCall.Alert])

    /// Acceptances that the broker does not have, the oldest first.
    func dueAcceptances(at now: WallTime, most: Int) async throws -> [DueAcceptance]
    func markDelivered(_ acceptance: DueAcceptance, at now: WallTime) async throws
    /// Records that the broker does not take it. It is due again at `next`.
    func markRefused(_ acceptance: DueAcceptance, reason: String, at now: WallTime, next: WallTime) async throws
}
