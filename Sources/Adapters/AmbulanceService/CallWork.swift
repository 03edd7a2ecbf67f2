import CAP
import GatewayModel
import HTTPTransfers
import HelpLine
import SOSLocal

/// What a request is for.
enum CallWork: Sendable {
    case call(DispatchOrder, of: PersonProfile, CallHistory.Place)
    case retraction(Retraction, of: PersonProfile)
    /// Whether a person has answered by now.
    case poll(Endpoint)
    case notice(NoticeMessage)
    case test
}

/// Writes the requests of one channel.
struct CallWriter: Sendable {
    let endpoint: Endpoint
    let caller: Caller
    let format: HTTPSChannel.Format
    let trial: HTTPSChannel.Trial

    /// - Parameters:
    ///   - id: of a test message.
    ///   - now: when a test message was made.
    func request(
        _ work: CallWork, id: MessageID, at now: WallTime
    ) throws(AmbulanceServiceError) -> HTTPRequest {
        switch (work, format) {
        case (.poll(let endpoint), _):
            return HTTPRequest(
                method: .get, endpoint: endpoint, headers: [accept], wantsFreshConnection: false)
        case (.test, _) where trial == .options:
            return HTTPRequest(method: .options, endpoint: endpoint, headers: [accept])
        case (.test, .cap):
            return post(CAPMessage(testing: id, at: now, caller: caller).xml, key: id.description)
        case (.test, .json):
            return post(try CallDocument(testing: id, at: now, caller: caller).bytes(), key: id.description)
        case (.call(let order, let profile, let place), .cap):
            let message = CAPMessage(order, of: profile, place: place, caller: caller)
            return post(message.xml, key: MessageIdentity(order).text)
        case (.call(let order, let profile, let place), .json):
            let document = CallDocument(order, of: profile, place: place, caller: caller)
            return post(try document.bytes(), key: MessageIdentity(order).text)
        case (.retraction(let retraction, let profile), .cap):
            let message = CAPMessage(retraction, of: profile, caller: caller)
            return post(message.xml, key: MessageIdentity(retraction).text)
        case (.retraction(let retraction, let profile), .json):
            let document = CallDocument(retraction, of: profile, caller: caller)
            return post(try document.bytes(), key: MessageIdentity(retraction).text)
        case (.notice(let message), .cap):
            return post(CAPMessage(message, caller: caller).xml, key: message.notice.id.description)
        case (.notice(let message), .json):
            let document = CallDocument(message, caller: caller)
            return post(try document.bytes(), key: message.notice.id.description)
        }
    }

    private var accept: HTTPRequest.Header {
        HTTPRequest.Header(name: "Accept", value: "application/json, application/cap+xml, application/xml")
    }

    private func post(_ body: [UInt8], key: String) -> HTTPRequest {
        let type = format == .cap ? "application/cap+xml; charset=utf-8" : "application/json"
        return HTTPRequest(
            method: .post, endpoint: endpoint,
            headers: [
                HTTPRequest.Header(name: "Content-Type", value: type), accept,
                HTTPRequest.Header(name: "Idempotency-Key", value: key),
            ],
            body: body)
    }
}
