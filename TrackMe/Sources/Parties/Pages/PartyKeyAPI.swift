import CloudCommands
import Contract
import GatewayModel
import Store
import WebPages

/// The party itself and its keys, for its programs.
struct PartyKeyAPI: Sendable {
    let parties: PartyStore
    let access: PartyAccess
    let clock: @Sendable () -> WallTime

    var routes: [Route] {
        [
            Route(.get, "/api/v1/party", access: .program, style: .api) { context in
                let party = try await access.party(context)
                return Self.answer(party, party.keys)
            },
            Route(.post, "/api/v1/party/keys", access: .program, style: .api, answer: add),
            Route(.post, "/api/v1/party/keys/{kid}/end", access: .program, style: .api, answer: end),
        ]
    }

    private static func answer(_ party: Party, _ keys: PartyKeySet) -> WebAnswer {
        let list = keys.keys.map { key in
            #"{"added":"\#(key.added.rfc3339)","kid":\#(JSONText.quoted(key.id)),"thumbprint":"\#(key.thumbprint)"}"#
        }
        return .json(
            Array(
                #"{"id":"\#(party.id)","keys":[\#(list.joined(separator: ","))],"name":\#(JSONText.quoted(party.name)),"vat":"\#(party.vat)"}"#
                    .utf8))
    }

    private func add(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        try context.checkJSON()
        let key: PartyKey
        do throws(PinnedKey.Fault) {
            key = try await PartyKeyReader.key(
                String(decoding: context.request.body, as: UTF8.self), at: clock())
        } catch {
            throw Problem(.badRequest, "expected a public JWK of Ed25519 with a kid")
        }
        do {
            guard let keys = try await parties.addKey(key, to: party.id) else {
                throw Problem(.badToken, "the party is gone")
            }
            return Self.answer(party, keys)
        } catch PartyKeySet.Fault.known {
            throw Problem(.conflict, "this key, or a key of this kid, is there already")
        } catch PartyKeySet.Fault.tooMany {
            throw Problem(.conflict, "there are four keys: end one first")
        }
    }

    private func end(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        do {
            guard
                let keys = try await parties.endKey(
                    try context.parameter("kid"), of: party.id, at: clock())
            else { throw Problem(.badToken, "the party is gone") }
            return Self.answer(party, keys)
        } catch PartyKeySet.Fault.unknown {
            throw Problem(.notFound, "there is no key of this kid")
        } catch PartyKeySet.Fault.last {
            throw Problem(.conflict, "it is the last key: add the next one first")
        }
    }
}
