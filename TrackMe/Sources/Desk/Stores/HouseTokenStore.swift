import Foundation
public import GatewayModel
public import SQLDatabase
import Store

/// Tokens of the houses in SQLite.
public struct HouseTokenStore: Sendable {
    static let migration = Migration("desk-3") { db in
        try db.execute(
            sql: """
                CREATE TABLE desk_token (
                    gateway TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE
                ) STRICT, WITHOUT ROWID;
                """)
    }

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    public func gateway(ofTokenWith hash: [UInt8]) async throws -> GatewayID? {
        try await file.read { db in
            try String.fetchOne(
                db, sql: "SELECT gateway FROM desk_token WHERE hash = ?", arguments: [Data(hash)]
            ).flatMap { GatewayID($0) }
        }
    }

    /// Replaces the token of a house; nil ends it.
    public func set(_ hash: [UInt8]?, of gateway: GatewayID) async throws {
        try await file.write { db in
            try Self.removeToken(of: gateway, db)
            guard let hash else { return }
            try db.execute(
                sql: "INSERT INTO desk_token (gateway, hash) VALUES (?, ?)",
                arguments: [gateway.text, Data(hash)])
        }
    }

    public static func removeToken(of gateway: GatewayID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM desk_token WHERE gateway = ?", arguments: [gateway.text])
    }
}
