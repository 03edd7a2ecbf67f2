import Desk
public import GatewayModel
import Groups
import Parties
import Runs
public import SQLDatabase
public import Store

/// A house cannot be removed while somebody there calls for help.
public struct OpenCallAtHouse: Error, Hashable, Sendable {}

extension Schema {
    /// Removes a house with all that the server keeps of it, in one commit. Calls at the desk, results of runs and the audit log
    /// stay.
    ///
    /// - Parameters:
    ///   - name: of the operator, for the audit log.
    ///   - withdraw: command that ends a request in the house. It lives as long as a command, and is not renewed: the answers of
    ///     the house are not taken any more.
    /// - Returns: the number of requests that have ended; nil for a house that is not registered.
    /// - Throws: `OpenCallAtHouse`, or the error of `withdraw`.
    public static func removeHouse(
        _ house: GatewayID, by name: String, at now: WallTime, in file: DatabasePool,
        withdraw: @escaping @Sendable (_ request: OpenHouseRequest, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Int? {
        try await file.write { db in
            guard try !DeskStore.hasOpenCall(of: house, db) else { throw OpenCallAtHouse() }
            guard let own = try HouseRemoval.remove(house, at: now, db) else { return nil }
            let requests = try PartyRequestStore.endAll(of: house, at: now, db)
            let sharings = try RunStore.remove(house, db)
            try GroupMemberStore.removeMembers(of: house, db)
            try HouseTokenStore.removeToken(of: house, db)
            let open = own + requests + sharings
            for request in open {
                try CommandOutbox.enqueue(
                    try withdraw(request, try CommandOutbox.nextSequence(db, at: now)), db)
            }
            try AuditLog.append("removed by \(name)", about: house.text, in: "houses", at: now, db)
            return open.count
        }
    }
}
