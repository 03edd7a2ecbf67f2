public import GatewayModel
import SQLDatabase

/// Houses of the server.
public struct HouseStore: Sendable {
    static let migrations = [
        Migration("houses-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE house (
                        gateway TEXT PRIMARY KEY, key TEXT NOT NULL, added INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    ]

    let file: DatabasePool

    /// Adds a house, or replaces its key.
    public func register(_ house: House) async throws { try await file.write { try Self.register(house, $0) } }

    static func register(_ house: House, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO house (gateway, key, added) VALUES (?, ?, ?)
                ON CONFLICT (gateway) DO UPDATE SET key = excluded.key
                """, arguments: [house.gateway.text, house.key, house.added.millisecondsSince1970])
        try db.announce(StoreNotices.houses)
    }

    public func house(_ gateway: GatewayID) async throws -> House? {
        try await file.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM house WHERE gateway = ?", arguments: [gateway.text])
                .flatMap(House.init(row:))
        }
    }

    /// Sorted by ID.
    public func houses() async throws -> [House] {
        try await file.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM house ORDER BY gateway").compactMap(House.init(row:))
        }
    }
}

extension House {
    fileprivate init?(row: Row) {
        guard let gateway = GatewayID(row["gateway"] as String) else { return nil }
        self.init(gateway: gateway, key: row["key"], added: WallTime(row["added"]))
    }
}

/// A gateway that this server serves.
public struct House: Hashable, Sendable {
    public let gateway: GatewayID
    /// Public key of the gateway as a JWK, with its thumbprint as the `kid`.
    public let key: String
    public let added: WallTime

    public init(gateway: GatewayID, key: String, added: WallTime) {
        (self.gateway, self.key, self.added) = (gateway, key, added)
    }
}
