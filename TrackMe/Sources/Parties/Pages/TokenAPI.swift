import Accounts
import GatewayModel
import PageSecurity
import WebPages

/// Token endpoint for programs of third parties: `docs/api/openapi.yaml` describes it.
struct TokenAPI: Sendable {
    static let path = "/oauth/token"
    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Error of RFC 6749 section 5.2.
    private enum Fault: String {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case busy = "temporarily_unavailable"

        var status: Int {
            switch self {
            case .invalidRequest, .unsupportedGrantType: 400
            case .invalidClient: 401
            case .busy: 429
            }
        }

        func answer(_ description: StaticString) -> WebAnswer {
            let json =
                #"{"error":"\#(rawValue)","error_description":\#(JSONText.quoted(description.description))}"#
            var answer = WebAnswer.json(Array(json.utf8), status: status)
            if self == .busy { answer.headers.append(("Retry-After", "60")) }
            return answer
        }
    }

    let service: TokenService

    var routes: [Route] {
        [Route(.post, Self.path, access: .program, style: .api, answer: token)]
    }

    private func token(_ context: RouteContext) async throws -> WebAnswer {
        let type = context.request.headers["content-type"]?.lowercased().prefix { $0 != ";" }
        guard type == "application/x-www-form-urlencoded", let form = FormFields(context.request.body) else {
            return Fault.invalidRequest.answer("expected a form, each field once")
        }
        guard let grant = form["grant_type"] else {
            return Fault.invalidRequest.answer("grant_type is missing")
        }
        guard grant == "client_credentials" else {
            return Fault.unsupportedGrantType.answer("expected grant_type client_credentials")
        }
        guard form["client_assertion_type"] == Self.assertionType, let assertion = form["client_assertion"]
        else {
            return Fault.invalidRequest.answer("expected client_assertion, and its type jwt-bearer")
        }
        do {
            let token = try await service.token(for: Array(assertion.utf8), client: form["client_id"])
            let json =
                #"{"access_token":"\#(token.text)","expires_in":\#(TokenService.life.components.seconds),"#
                + #""token_type":"Bearer"}"#
            return .json(Array(json.utf8))
        } catch TokenService.Refusal.invalidClient {
            return Fault.invalidClient.answer(
                "no token: check iss, sub, aud, exp, jti, kid, the key, and that the operator has approved the company"
            )
        } catch TokenService.Refusal.tooManyTokens {
            return Fault.busy.answer("keep a token for its ten minutes")
        }
    }
}
