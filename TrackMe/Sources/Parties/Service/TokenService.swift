import Accounts
import CloudCommands
public import GatewayModel
public import PageSecurity
import Store

/// Gives access tokens to programs of approved parties (RFC 6749 section 4.4, RFC 7523).
public struct TokenService: Sendable {
    /// Life of a token.
    public static let life = Duration.seconds(600)

    /// Reason for which no token is given.
    public enum Refusal: Error, Hashable, Sendable {
        /// For each fault of the assertion: an unknown client and a wrong signature get the same words.
        case invalidClient
        case tooManyTokens
    }

    private let parties: PartyStore
    private let tokens: PartyTokenStore
    private let audiences: Set<String>
    private let clock: @Sendable () -> WallTime

    /// - Parameter audiences: values of `aud` that name this server.
    public init(
        parties: PartyStore, tokens: PartyTokenStore, audiences: Set<String>,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.parties, self.tokens, self.audiences, self.clock) = (parties, tokens, audiences, clock)
    }

    /// - Parameter client: `client_id` of the request, if it has one.
    /// - Throws: `Refusal`, or the error of the store.
    public func token(for assertion: [UInt8], client: String?) async throws -> RandomSecret {
        let read: ClientAssertion
        do throws(CommandRefusal) { read = try ClientAssertion(assertion) } catch {
            throw Refusal.invalidClient
        }
        guard client == nil || client == read.client, let id = PartyID(read.client),
            let party = try await parties.party(id), party.state == .approved,
            let kept = party.keys.key(read.keyID)
        else { throw Refusal.invalidClient }
        let now = clock()
        do {
            try read.verify(by: try await PinnedKey(jwk: Array(kept.jwk.utf8)), at: audiences, now: now)
        } catch {
            throw Refusal.invalidClient
        }
        let secret = RandomSecret()
        do {
            try await tokens.open(
                NewPartyToken(
                    party: id, hash: secret.hash,
                    expires: now.advanced(by: Self.life), assertion: read.id, assertionExpires: read.expires))
        } catch PartyFault.assertionUsed {
            throw Refusal.invalidClient
        } catch PartyFault.partyNotApproved {
            throw Refusal.invalidClient
        } catch PartyFault.tooManyTokens {
            throw Refusal.tooManyTokens
        }
        return secret
    }

    /// Party of a token; nil for one that is not valid.
    public func party(of token: RandomSecret) async throws -> Party? {
        try await tokens.party(ofToken: token.hash, at: clock())
    }
}
