public import GatewayModel
import Groups
import Parties
public import SQLDatabase

extension Schema {
    /// Removes a closed company with all that the server keeps of it, in one commit. Its lines in the audit log stay, and so do the
    /// requests without their company, so that a late yes at home is withdrawn.
    ///
    /// - Parameter name: of the operator, for the audit log.
    /// - Returns: false for an unknown party.
    /// - Throws: `PartyNotRemovable`.
    public static func removeParty(
        _ party: PartyID, by name: String, at now: WallTime, in file: DatabasePool
    ) async throws -> Bool {
        try await file.write { db in
            try PartyGroupStore.removeGroups(of: party, db)
            return try PartyRemoval.remove(party, by: name, at: now, db)
        }
    }
}
