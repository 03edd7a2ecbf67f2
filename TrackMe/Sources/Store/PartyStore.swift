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
    /// approved afterwards has no token any more.
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
