import Accounts
import ContractReading
public import GatewayModel
import PageSecurity
import SOSLocal
public import WebPages

/// Calls of houses over HTTPS: `docs/channels/https.md` is the protocol, `docs/api/openapi.yaml` the document.
public struct HouseCallAPI: Sendable {
    private static let path = "/api/v1/desk/cap"
    private static let largestKey = 200

    private let calls: DeskStore
    private let tokens: HouseTokenStore
    private let hub: DeskHub
    private let clock: @Sendable () -> WallTime

    public init(
        calls: DeskStore, tokens: HouseTokenStore, hub: DeskHub,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.calls, self.tokens, self.hub, self.clock) = (calls, tokens, hub, clock)
    }

    public var routes: [Route] {
        [
            Route(
                .post, Self.path, access: .program, style: .api, largestBody: CAPCall.largest, answer: receive),
            Route(.get, "\(Self.path)/{alarm}", access: .program, style: .api, answer: state),
        ]
    }

    private func house(_ context: RouteContext) async throws -> GatewayID {
        guard let token = context.request.bearerToken,
            let house = try await tokens.gateway(ofTokenWith: token.hash)
        else { throw Problem(.badToken, "give the house a token: trackme houses token") }
        return house
    }

    private func receive(_ context: RouteContext) async throws -> WebAnswer {
        let house = try await house(context)
        let type = context.request.headers["content-type"]?.lowercased().prefix { $0 != ";" }
        guard type == "application/cap+xml" else {
            throw Problem(.badRequest, "expected application/cap+xml: write format = \"cap\" for the channel")
        }
        guard let key = context.request.headers["idempotency-key"], PlainText.holds(key, 1...Self.largestKey)
        else {
            throw Problem(.badRequest, "expected an Idempotency-Key of 1 to 200 characters")
        }
        let call: CAPCall
        do throws(ContractFault) {
            guard let read = try CAPCall(context.request.body, from: house) else {
                return WebAnswer(status: 204)
            }
            call = read
        } catch {
            switch error {
            case .elsewhere: throw Problem(.notAllowed, "the sender is not the house of the token")
            case .unsound:
                throw Problem(.badRequest, "the body is no XML without a document type, of 64 KiB at most")
            case .form, .topic:
                throw Problem(
                    .badRequest, "the body is no call in CAP 1.2 as docs/channels/https.md describes it")
            }
        }
        let id = CallID(gateway: house, alarm: call.alarm)
        let known = try await calls.call(id)
        // The end of a call names no person. Of a call that never came there is nothing to end.
        guard let person = call.person ?? known?.person else { return WebAnswer(status: 204) }
        guard known.map({ $0.person == person }) ?? true else {
            throw Problem(.conflict, "the alarm is one of another person")
        }
        let alerts = try await calls.receive(call.message(key: key, of: person), from: house, at: clock())
        hub.changed(alerts)
        guard let now = try await calls.call(id) else { throw Problem(.failed, "the call is not kept") }
        return answer(now)
    }

    /// Whether a dispatcher has the call.
    private func state(_ context: RouteContext) async throws -> WebAnswer {
        let house = try await house(context)
        guard let alarm = AlarmID(try context.parameter("alarm")),
            let call = try await calls.call(CallID(gateway: house, alarm: alarm))
        else { throw Problem(.notFound, "the desk has no such call of the house") }
        return answer(call, isQuestion: true)
    }

    private func answer(_ call: EmergencyCall, isQuestion: Bool = false) -> WebAnswer {
        guard let holder = call.lastHolder else {
            var answer = WebAnswer.json(
                Array(#"{"accepted":null}"#.utf8), status: isQuestion || call.isOver ? 200 : 202)
            if answer.status == 202 {
                answer.headers.append(("Location", "\(Self.path)/\(call.id.alarm)"))
            }
            return answer
        }
        let json = #"{"accepted":{"alarm":"\#(call.id.alarm)","by":\#(JSONText.quoted(holder.name))}}"#
        return .json(Array(json.utf8))
    }
}
