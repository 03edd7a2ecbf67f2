import Contract
import Foundation
public import GatewayModel
import Store

extension SharedMessage {
    /// The payload as base64: the bytes of the house come through unchanged, whichever they are. A topic and the ID of a
    /// request have no character that JSON escapes.
    public var json: String {
        #"{"number":\#(number),"payload":"\#(Data(payload).base64EncodedString())","#
            + #""received":"\#(received.rfc3339)","request":"\#(request)","topic":"\#(topic)"}"#
    }
}

/// Body of a POST to an endpoint.
public struct WebhookMessage: Hashable, Sendable {
    /// `webhook-id`: the same in each attempt of the same batch.
    public let id: String
    public let body: [UInt8]

    /// Batch of copies. A batch that has lost copies by the end of a grant is another message.
    public init(_ batch: SubscriptionBatch, at now: WallTime) {
        let (first, last) = (batch.messages.first?.number ?? 0, batch.messages.last?.number ?? 0)
        id = "shared-\(batch.subscription.id)-\(first)-\(last)-\(batch.messages.count)"
        let list = batch.messages.map(\.json).joined(separator: ",")
        body = Array(
            (#"{"data":{"messages":[\#(list)],"next":\#(last),"subscription":\#(batch.subscription.id)},"#
                + #""timestamp":"\#(now.rfc3339)","type":"shared.messages"}"#).utf8)
    }

    /// Test call of a subscription.
    public init(testing subscription: SubscriptionID, at now: WallTime) {
        id = "test-\(subscription)-\(now.millisecondsSince1970)"
        body = Array(
            #"{"data":{"subscription":\#(subscription)},"timestamp":"\#(now.rfc3339)","type":"test"}"#.utf8)
    }
}

/// Sends POSTs to endpoints of third parties.
public protocol WebhookTransport: Sendable {
    /// Whether the address has a form to which it sends.
    func accepts(_ url: String) -> Bool
    /// Ends within its time limit, and at once when the task is cancelled. Follows no redirection.
    func post(
        _ body: [UInt8], headers: [(name: String, value: String)], to url: String
    ) async -> Subscription.Outcome
}
