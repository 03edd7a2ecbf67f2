public import GatewayModel
public import SQLDatabase
import Store

/// Webhooks of third parties in SQLite.
public struct SubscriptionStore: Sendable {
    static let migration = Migration("subscriptions-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE subscription (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, party TEXT NOT NULL REFERENCES party, url TEXT NOT NULL,
                    state TEXT NOT NULL, cursor INTEGER NOT NULL, pending INTEGER, failures INTEGER NOT NULL,
                    next INTEGER NOT NULL, last_status INTEGER
                ) STRICT;
                CREATE INDEX subscription_of_party ON subscription (party);
                CREATE INDEX subscription_due ON subscription (next) WHERE state = 'active';
                """)
    }

    /// Time of each suspension. An old one is dated by the time at which its last attempt was due.
    static let suspensions = Migration("subscriptions-2") { db in
        try db.execute(
            sql: """
                ALTER TABLE subscription ADD COLUMN suspended INTEGER;
                UPDATE subscription SET suspended = next WHERE state = 'suspended';
                """)
    }

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    /// Keeps a subscription to the copies after a number.
    ///
    /// - Throws: `PartyFault.tooManySubscriptions`.
    public func subscribe(
        _ party: PartyID, url: String, after number: Int64, at now: WallTime
    ) async throws -> Subscription {
        try await file.write { db in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM subscription WHERE party = ? AND state <> 'ended'",
                arguments: [party.text])
            guard count ?? 0 < Subscription.most else { throw PartyFault.tooManySubscriptions }
            let id = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO subscription (party, url, state, cursor, failures, next)
                    VALUES (?, ?, 'active', ?, 0, ?) RETURNING id
                    """, arguments: [party.text, url, number, now.millisecondsSince1970])
            return Subscription(
                id: SubscriptionID(id ?? 0), party: party, url: url, cursor: number, next: now)
        }
    }

    /// Newest first.
    public func subscriptions(of party: PartyID) async throws -> [Subscription] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM subscription WHERE party = ? ORDER BY id DESC LIMIT 100",
                arguments: [party.text]
            ).compactMap(Subscription.init(row:))
        }
    }

    public func subscription(_ id: SubscriptionID, of party: PartyID) async throws -> Subscription? {
        try await file.read { db in try Self.subscription(id, db).flatMap { $0.party == party ? $0 : nil } }
    }

    /// Suspended subscriptions of all parties that are not closed, the longest suspended first.
    public func suspended(most: Int) async throws -> [Subscription] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT subscription.* FROM subscription JOIN party ON party.id = subscription.party
                    WHERE subscription.state = 'suspended' AND party.state <> 'closed'
                    ORDER BY subscription.suspended, subscription.id LIMIT ?
                    """, arguments: [most]
            ).compactMap(Subscription.init(row:))
        }
    }

    /// Changes a subscription in one commit. Nil for an unknown one.
    ///
    /// - Parameter change: returns whether it changed something.
    public func change(
        _ id: SubscriptionID, of party: PartyID, _ change: @escaping @Sendable (inout Subscription) -> Bool
    ) async throws -> (subscription: Subscription, isChanged: Bool)? {
        try await file.write { db in
            guard var subscription = try Self.subscription(id, db), subscription.party == party else {
                return nil
            }
            let isChanged = change(&subscription)
            if isChanged { try Self.keep(subscription, db) }
            return (subscription, isChanged)
        }
    }

    /// Active subscriptions of approved parties whose time has come and that have something to send, the longest due first.
    public func due(at now: WallTime, most: Int) async throws -> [Subscription] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT subscription.* FROM subscription JOIN party ON party.id = subscription.party
                    WHERE subscription.state = 'active' AND party.state = 'approved' AND subscription.next <= ?
                        AND (subscription.pending IS NOT NULL OR EXISTS (
                            SELECT 1 FROM shared JOIN party_request ON party_request.id = shared.request
                            WHERE shared.party = subscription.party AND shared.number > subscription.cursor
                                AND \(SharedStore.readable)))
                    ORDER BY subscription.next LIMIT ?
                    """,
                arguments: [now.millisecondsSince1970, now.millisecondsSince1970, most]
            ).compactMap(Subscription.init(row:))
        }
    }

    /// The batch of the next attempt, fixed by the same commit. Nil where there is nothing to send any more.
    public func nextBatch(
        of id: SubscriptionID, most: Int, bytes: Int, at now: WallTime
    ) async throws -> SubscriptionBatch? {
        try await file.write { db in
            guard var subscription = try Self.subscription(id, db), subscription.state == .active,
                try PartyStore.party(subscription.party, db)?.state == .approved
            else { return nil }
            let isRetry = subscription.pending != nil
            let messages = try SharedStore.read(
                of: subscription.party, after: subscription.cursor, upTo: subscription.pending ?? .max,
                most: most, bytes: bytes, isCounted: !isRetry, at: now, db)
            if let last = messages.last {
                subscription.begin(upTo: last.number)
            } else {
                subscription.skip()
            }
            try Self.keep(subscription, db)
            return messages.isEmpty ? nil : SubscriptionBatch(subscription: subscription, messages: messages)
        }
    }

    /// Whether each copy of the batch may still be handed out.
    public func isWhole(_ batch: SubscriptionBatch, at now: WallTime) async throws -> Bool {
        guard let first = batch.messages.first, let last = batch.messages.last else { return true }
        return try await file.read { db in
            let count = try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM shared JOIN party_request ON party_request.id = shared.request
                        JOIN party ON party.id = shared.party
                    WHERE shared.party = ? AND shared.number >= ? AND shared.number <= ? AND \(SharedStore.readable)
                        AND party.state = 'approved'
                    """,
                arguments: [
                    batch.subscription.party.text, first.number, last.number, now.millisecondsSince1970,
                ])
            return count == batch.messages.count
        }
    }

    private static func subscription(_ id: SubscriptionID, _ db: Database) throws -> Subscription? {
        try Row.fetchOne(db, sql: "SELECT * FROM subscription WHERE id = ?", arguments: [id.number])
            .flatMap(Subscription.init(row:))
    }

    private static func keep(_ subscription: Subscription, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE subscription SET state = ?, cursor = ?, pending = ?, failures = ?, next = ?, last_status = ?,
                    suspended = ?
                WHERE id = ?
                """,
            arguments: [
                subscription.state.rawValue, subscription.cursor, subscription.pending, subscription.failures,
                subscription.next.millisecondsSince1970, subscription.lastStatus,
                subscription.suspended?.millisecondsSince1970, subscription.id.number,
            ])
    }
}

extension Subscription {
    /// Nil for a row that another version wrote.
    fileprivate init?(row: Row) {
        guard let party = PartyID(row["party"] as String), let state = State(rawValue: row["state"]) else {
            return nil
        }
        self.init(
            id: SubscriptionID(row["id"] as Int64), party: party, url: row["url"], state: state,
            cursor: row["cursor"], pending: row["pending"], failures: row["failures"],
            next: WallTime(row["next"]), lastStatus: row["last_status"],
            suspended: (row["suspended"] as Int64?).map(WallTime.init(_:)))
    }
}

/// Copies of one POST to an endpoint.
public struct SubscriptionBatch: Hashable, Sendable {
    public let subscription: Subscription
    /// In the order of their numbers, not empty.
    public let messages: [SharedMessage]

    public init(subscription: Subscription, messages: [SharedMessage]) {
        (self.subscription, self.messages) = (subscription, messages)
    }
}
