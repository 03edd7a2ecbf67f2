import Contract
import ContractReading
import Crypto
import GatewayModel
import JSONReading
import Store
import WebPages

/// Requests of a third party, for its programs.
struct RequestAPI: Sendable {
    private static let most = 200

    let requests: PartyRequestStore
    let service: RequestService
    let access: PartyAccess
    let clock: @Sendable () -> WallTime

    var routes: [Route] {
        [
            Route(.get, "/api/v1/party/requests", access: .program, style: .api) { context in
                let party = try await access.party(context)
                let list = try await requests.requests(of: party.id, most: Self.most).map(Self.json)
                return .json(Array(#"{"requests":[\#(list.joined(separator: ","))]}"#.utf8))
            },
            Route(.post, "/api/v1/party/requests", access: .program, style: .api, answer: ask),
            Route(.get, "/api/v1/party/requests/{request}", access: .program, style: .api) { context in
                let party = try await access.party(context)
                guard let id = RequestID(try context.parameter("request")),
                    let request = try await requests.request(id, of: party.id)
                else { throw Problem(.notFound, "the party has no such request") }
                return .json(Array(Self.json(request).utf8))
            },
        ]
    }

    private static func json(_ request: PartyRequest) -> String {
        func time(_ name: String, _ time: WallTime?) -> String {
            time.map { #","\#(name)":"\#($0.rfc3339)""# } ?? ""
        }
        let kinds = request.kinds.map(JSONText.quoted).joined(separator: ",")
        // Only of a person who has said yes: before it, nobody learns that a fiscal code belongs to a person here.
        func subject(_ name: String, _ id: String?) -> String {
            guard request.state == .accepted, let id else { return "" }
            return #","\#(name)":"\#(id)""#
        }
        return #"{"asked":"\#(request.asked.rfc3339)""# + time("decided", request.decided)
            + #","expires":"\#(request.expires.rfc3339)""# + time("from", request.from)
            + (request.grant.map { #","grant":\#($0)"# } ?? "") + subject("house", request.house?.text)
            + #","id":"\#(request.id)","kinds":[\#(kinds)]"# + subject("person", request.person?.text)
            + #","purpose":\#(JSONText.quoted(request.purpose)),"#
            + #""state":"\#(request.state.rawValue)""# + time("until", request.until) + "}"
    }

    private func ask(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        try context.checkJSON()
        let key = try context.idempotencyKey()
        let asked: Asked
        do {
            asked = try JSONReader.decode(
                from: context.request.body, limit: WebRequest.largestBody, names: .snakeCase)
        } catch {
            throw Problem(.badRequest, "the body is not the JSON of a request")
        }
        let code: FiscalCode
        do throws(FiscalCode.Flaw) { code = try FiscalCode(asked.fiscalCode) } catch {
            throw Problem(.badRequest, "fiscal_code is not an Italian fiscal code")
        }
        do {
            let request = try await service.ask(
                for: code, try asked.terms(at: clock()), by: party, key: key, body: context.request.body)
            var answer = WebAnswer.json(Array(Self.json(request).utf8), status: 202)
            answer.headers.append(("Location", "/api/v1/party/requests/\(request.id)"))
            return answer
        } catch PartyFault.idempotencyKeyUsed {
            throw Problem(.conflict, "the Idempotency-Key belongs to another request")
        } catch PartyFault.partyNotApproved {
            throw Problem(.badToken, "get a token at /oauth/token")
        } catch PartyFault.tooManyRequests {
            throw Problem(.busy, "100 requests a day are the limit")
        }
    }

    /// Body of a request.
    private struct Asked: Decodable {
        struct SealingKey: Decodable {
            let kid, x25519: String
        }

        let fiscalCode, purpose: String
        let kinds: [String]
        let format, precision, from, until, signingKey: String?
        let sealingKey: SealingKey?

        func terms(at now: WallTime) throws(Problem) -> RequestTerms {
            var kinds: Set<DataKind> = []
            for name in self.kinds {
                guard let kind = DataKind(rawValue: name) else {
                    throw Problem(.badRequest, "kinds has an unknown kind")
                }
                kinds.insert(kind)
            }
            guard let format = ReadingFormat(rawValue: self.format ?? ReadingFormat.samples.rawValue),
                let precision = LocationPrecision(
                    rawValue: self.precision ?? LocationPrecision.coarse.rawValue)
            else { throw Problem(.badRequest, "format or precision is unknown") }
            let (from, until) = (try Self.time(from), try Self.time(until))
            let (sealing, signing) = (try key(), try signer())
            do throws(RequestTerms.Flaw) {
                return try RequestTerms(
                    purpose: purpose, kinds: kinds, format: format, precision: precision, from: from,
                    until: until, sealingKey: sealing, signingKey: signing, now: now)
            } catch {
                throw Self.problem(error)
            }
        }

        private static func time(_ text: String?) throws(Problem) -> WallTime? {
            guard let text else { return nil }
            guard let time = WallTime(rfc3339: text) else {
                throw Problem(.badRequest, "from or until is no time of RFC 3339")
            }
            return time
        }

        /// A key of small order seals nothing: a house would refuse it.
        private func key() throws(Problem) -> ThirdParty.SealingKey? {
            guard let sealingKey else { return nil }
            let own = Curve25519.KeyAgreement.PrivateKey()
            guard let id = KeyID(sealingKey.kid), let bytes = Base64URL.decode(sealingKey.x25519),
                let key = ThirdParty.SealingKey(id: id, bytes: bytes),
                let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes),
                // The library computes the secret zero instead of an error.
                let secret = try? own.sharedSecretFromKeyAgreement(with: other),
                secret.withUnsafeBytes({ $0.contains { $0 != 0 } })
            else { throw Problem(.badRequest, "sealing_key is no public key of X25519 with a kid") }
            return key
        }

        private func signer() throws(Problem) -> ThirdParty.SigningKey? {
            guard let signingKey else { return nil }
            guard let bytes = Base64URL.decode(signingKey), let key = ThirdParty.SigningKey(bytes: bytes)
            else {
                throw Problem(.badRequest, "signing_key is no public key of Ed25519")
            }
            return key
        }

        private static func problem(_ flaw: RequestTerms.Flaw) -> Problem {
            switch flaw {
            case .purpose: Problem(.badRequest, "purpose is no plain text of 1 to 500 characters")
            case .kinds: Problem(.badRequest, "kinds is empty")
            case .format: Problem(.badRequest, "fhir is a format of readings alone")
            case .precision: Problem(.badRequest, "exact is a precision of the location alone")
            case .period: Problem(.badRequest, "from is not before until")
            case .past: Problem(.badRequest, "until is over")
            }
        }
    }
}
