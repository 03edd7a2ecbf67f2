import GatewayModel

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
