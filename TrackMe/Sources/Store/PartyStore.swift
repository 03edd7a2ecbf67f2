public import GatewayModel
public import Parties

/// Third parties and their keys.
public protocol PartyStore: Sendable {
    /// Keeps an application.
    ///
    /// - Throws: `StoreFault.partyTaken`, `StoreFault.tooManyApplications`.
    func add(_ party: NewParty) async throws
    func party(_ id: PartyID) async throws -> Party?
    /// Sorted by ID.
    func parties() async throws -> [Party]
    /// Carries out an act of the operator, with its line in the audit log in the same commit. A party that is not
    /// approved afterwards has no token any more, and a closed one no copies.
    ///
    /// - Parameter name: of the operator, for the audit log.
    /// - Returns: the party afterwards; nil for an unknown one.
    /// - Throws: `StoreFault.actImpossible`.
    func change(_ id: PartyID, by act: PartyAct, as name: String, at now: WallTime) async throws -> Party?
    /// Adds a key, with its line in the audit log. Returns the keys afterwards; nil for an unknown party.
    ///
    /// - Throws: `PartyKeySet.Fault`.
    func addKey(_ key: PartyKey, to party: PartyID) async throws -> PartyKeySet?
    /// Ends a key, with its line in the audit log. Returns the keys afterwards; nil for an unknown party.
    ///
    /// - Throws: `PartyKeySet.Fault`.
    func endKey(_ id: String, of party: PartyID, at now: WallTime) async throws -> PartyKeySet?
}

/// A token before the store keeps its hash, and the assertion for which it was given.
public struct NewPartyToken: Sendable {
    /// Tokens that a party may be given while an assertion lives.
    public static let most = 60

    public let party: PartyID
    /// SHA-256 of the token.
    public let hash: [UInt8]
    public let expires: WallTime
    /// `jti` of the assertion.
    public let assertion: String
    public let assertionExpires: WallTime

    public init(
        party: PartyID, hash: [UInt8], expires: WallTime, assertion: String, assertionExpires: WallTime
    ) {
        (self.party, self.hash, self.expires) = (party, hash, expires)
        (self.assertion, self.assertionExpires) = (assertion, assertionExpires)
    }
}

/// Access tokens of third parties.
public protocol PartyTokenStore: Sendable {
    /// Keeps a token and the ID of its assertion in one commit.
    ///
    /// - Throws: `StoreFault.assertionUsed`, `StoreFault.tooManyTokens`, `StoreFault.partyNotApproved`.
    func open(_ token: NewPartyToken) async throws
    /// The approved party of a token that is valid; nil otherwise.
    func party(ofToken hash: [UInt8], at now: WallTime) async throws -> Party?
    /// Removes tokens and assertions that have ended.
    func endTokens(before now: WallTime) async throws
}
