public import GatewayModel

/// One attempt to hand a message on.
public struct ForwardingAttempt: Hashable, Sendable {
    public let call: CallID
    public let isDrill: Bool
    public let message: CallForwarding.Message
    /// Document of the message: the same bytes in each attempt.
    public let body: [UInt8]

    public init(call: CallID, isDrill: Bool, message: CallForwarding.Message, body: [UInt8]) {
        (self.call, self.isDrill, self.message, self.body) = (call, isDrill, message, body)
    }
}

/// Address of the outside service that tells whether a person has the call.
public struct AwaitedAnswer: Hashable, Sendable {
    public let call: CallID
    public let isDrill: Bool
    public let url: String

    public init(call: CallID, isDrill: Bool, url: String) {
        (self.call, self.isDrill, self.url) = (call, isDrill, url)
    }
}

/// Forwardings of the calls of the desk.
public protocol ForwardingStore: Sendable {
    /// Calls with something to do, the longest due first.
    func dueForwardings(at now: WallTime, most: Int) async throws -> [CallID]
    /// Begins an attempt. The message and its document are kept before they are returned.
    /// - Returns: nil if there is nothing to send now.
    func beginForwarding(
        of id: CallID, at now: WallTime,
        write: @escaping @Sendable (EmergencyCall, CallForwarding.Message) -> [UInt8]
    ) async throws -> ForwardingAttempt?
    /// Keeps the outcome of an attempt, with its lines in the log.
    func end(_ attempt: ForwardingAttempt, _ outcome: CallForwarding.Outcome, at now: WallTime) async throws
    func awaitedAnswers(at now: WallTime, most: Int) async throws -> [AwaitedAnswer]
    func markAcceptedOutside(_ id: CallID, by name: String, at now: WallTime) async throws
}
