import Accounts
import ContractReading
import Crypto
import FoundationEssentials
public import GatewayModel
public import SQLDatabase
public import Store

/// Logs of the copies for third parties in SQLite. A row never changes but for two steps: it gets its number when its
/// request is accepted, and it loses its payload when the grant ends.
public struct SharedStore: Sendable {
    static let migration = Migration("shared-1") { db in
        try db.execute(
            sql: """
                CREATE TABLE shared (
                    row INTEGER PRIMARY KEY AUTOINCREMENT, party TEXT NOT NULL REFERENCES party, number INTEGER,
                    request TEXT NOT NULL REFERENCES party_request (id), gateway TEXT NOT NULL, id BLOB NOT NULL,
                    topic TEXT NOT NULL, received INTEGER NOT NULL, payload BLOB, UNIQUE (party, gateway, id)
                ) STRICT;
                CREATE UNIQUE INDEX shared_number ON shared (party, number) WHERE number IS NOT NULL;
                CREATE INDEX shared_request ON shared (request) WHERE payload IS NOT NULL;
                CREATE INDEX shared_received ON shared (received);
                CREATE TABLE shared_last (party TEXT PRIMARY KEY REFERENCES party, number INTEGER NOT NULL) STRICT;
                CREATE TABLE shared_read (
                    request TEXT PRIMARY KEY REFERENCES party_request (id), count INTEGER NOT NULL,
                    last INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Time of the oldest value of each copy. That of an older row is taken to be its arrival.
    static let measurements = Migration("shared-2") { db in
        try db.execute(
            sql: """
                ALTER TABLE shared ADD COLUMN measured INTEGER NOT NULL DEFAULT 0;
                UPDATE shared SET measured = received;
                CREATE INDEX shared_measured ON shared (measured) WHERE payload IS NOT NULL;
                """)
    }

    /// Copies that wait for the receipt of the person's yes, of one request. The receipt leaves the house with them.
    static let mostHeld = 1_000
    /// Milliseconds for which a row stays after its payload was due to be erased: so long a repetition is known as one.
    private static let rowLife: Int64 = 60 * 86_400_000
    /// Milliseconds by which the clock of the house may be ahead of this one.
    private static let clockDifference: Int64 = 60_000

    private let file: DatabasePool

    public init(file: DatabasePool) { self.file = file }

    // MARK: Messages of the houses

    /// Handles an event in the transaction of its batch.
    ///
    /// - Returns: the reason for which a copy is not kept.
    public static func receive(_ event: PartyEvent, _ db: Database) throws -> DeadLetter.Reason? {
        switch event {
        case .answer(let party, let request, let subject, let answer, let time):
            try PartyRequestStore.apply(answer, to: request, of: party, by: subject, at: time, db)
            return nil
        case .copy(let copy): return try keep(copy, db)
        }
    }

    private static func keep(_ copy: SharedCopy, _ db: Database) throws -> DeadLetter.Reason? {
        guard try PartyStore.party(copy.party, db)?.state == .approved else { return .noParty }
        guard let request = try request(of: copy, db) else { return .noGrant }
        let isAccepted = request.state == .accepted
        if !isAccepted {
            let held = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM shared WHERE request = ? AND payload IS NOT NULL",
                arguments: [request.id.text])
            guard held ?? 0 < mostHeld else { return .noGrant }
        }
        // A copy without an ID is known by its content.
        let id = copy.id?.bytes ?? Array(SHA256.hash(data: Array(copy.topic.utf8) + [0] + copy.payload))
        let row = try Int64.fetchOne(
            db,
            sql: """
                INSERT INTO shared (party, request, gateway, id, topic, received, measured, payload)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING row
                """,
            arguments: [
                copy.party.text, request.id.text, copy.subject.gateway.text, Data(id), copy.topic,
                copy.received.millisecondsSince1970, copy.measured.millisecondsSince1970, Data(copy.payload),
            ])
        if let row, isAccepted { try number([row], of: copy.party, db) }
        return nil
    }

    /// The open request that a copy answers: the one that it names, and only by the number of its grant where it shows one.
    /// A copy that shows neither, of a gateway before 1.9 of the contract, belongs to the newest open request for its kind.
    private static func request(of copy: SharedCopy, _ db: Database) throws -> PartyRequest? {
        let requests = try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM party_request WHERE party = ? AND gateway = ? AND person = ? ORDER BY number DESC LIMIT 1000
                """,
            arguments: [copy.party.text, copy.subject.gateway.text, copy.subject.person.text]
        ).compactMap(PartyRequest.init(row:)).filter {
            $0.kinds.contains(copy.kind) && (copy.request ?? $0.id) == $0.id
        }
        let open = requests.filter(\.state.isOpen)
        guard let grant = copy.grant else {
            return open.first { $0.state == .accepted } ?? open.first
        }
        if let known = requests.first(where: { $0.grant == grant }) { return known.state.isOpen ? known : nil }
        // The receipt of this grant is still on its way.
        return open.first { $0.grant ?? 0 < grant }
    }

    private static func number(_ rows: [Int64], of party: PartyID, _ db: Database) throws {
        for row in rows {
            let number = try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO shared_last (party, number) VALUES (?, 1)
                    ON CONFLICT (party) DO UPDATE SET number = shared_last.number + 1 RETURNING number
                    """, arguments: [party.text])
            try db.execute(sql: "UPDATE shared SET number = ? WHERE row = ?", arguments: [number, row])
        }
    }

    /// Gives the held copies of an accepted request their numbers. Copies that came before the person's yes belong to an
    /// earlier grant, and are erased.
    static func release(
        _ request: RequestID, of party: PartyID, decided: WallTime, isNewGrant: Bool, _ db: Database
    ) throws {
        if isNewGrant {
            try db.execute(
                sql: "UPDATE shared SET payload = NULL WHERE request = ? AND received < ?",
                arguments: [request.text, decided.millisecondsSince1970 - clockDifference])
        }
        let rows = try Int64.fetchAll(
            db,
            sql:
                "SELECT row FROM shared WHERE request = ? AND number IS NULL AND payload IS NOT NULL ORDER BY row",
            arguments: [request.text])
        try number(rows, of: party, db)
    }

    static func erase(_ request: RequestID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE shared SET payload = NULL WHERE request = ? AND payload IS NOT NULL",
            arguments: [request.text])
    }

    /// Erases all copies for a party that was closed.
    static func eraseAll(of party: PartyID, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE shared SET payload = NULL WHERE party = ? AND payload IS NOT NULL",
            arguments: [party.text])
    }

    // MARK: The party

    /// Copies of the party after a number, and counts them as read in the same commit. Nothing of a request that is not
    /// accepted, or whose time is over.
    ///
    /// - Parameter bytes: no further copy follows once the payloads have so many.
    public func read(
        of party: PartyID, after number: Int64, most: Int, bytes: Int, at now: WallTime
    ) async throws -> [SharedMessage] {
        try await file.write { db in
            try Self.read(of: party, after: number, most: most, bytes: bytes, at: now, db)
        }
    }

    /// - Parameters:
    ///   - last: number of the last copy, if there is a bound.
    ///   - isCounted: whether the copies count as read.
    static func read(
        of party: PartyID, after number: Int64, upTo last: Int64 = .max, most: Int, bytes: Int,
        isCounted: Bool = true, at now: WallTime, _ db: Database
    ) throws -> [SharedMessage] {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT shared.number, shared.topic, shared.received, shared.payload, shared.request FROM shared
                    JOIN party_request ON party_request.id = shared.request
                WHERE shared.party = ? AND shared.number > ? AND shared.number <= ? AND \(readable)
                ORDER BY shared.number LIMIT ?
                """, arguments: [party.text, number, last, now.millisecondsSince1970, most])
        var (messages, size): ([SharedMessage], Int) = ([], 0)
        var counts: [String: Int] = [:]
        while size < bytes, let row = try rows.next() {
            // The row refers to a request: another text is a damaged database.
            guard let request = RequestID(row["request"] as String) else { continue }
            let payload = Array(row["payload"] as Data)
            messages.append(
                SharedMessage(
                    number: row["number"], request: request, topic: row["topic"],
                    received: WallTime(row["received"]), payload: payload))
            size += payload.count
            counts[row["request"], default: 0] += 1
        }
        for (request, count) in counts where isCounted {
            try db.execute(
                sql: """
                    INSERT INTO shared_read (request, count, last) VALUES (?, ?, ?)
                    ON CONFLICT (request) DO UPDATE SET count = shared_read.count + excluded.count, last = excluded.last
                    """, arguments: [request, count, now.millisecondsSince1970])
        }
        return messages
    }

    /// Condition for a copy that may be handed out at a time, which is its one argument.
    static let readable = """
        shared.payload IS NOT NULL AND party_request.state = 'accepted'
            AND (party_request.ends IS NULL OR party_request.ends > ?)
        """

    /// Erases the payloads below the limits, and removes their rows some time later.
    public func eraseShared(below limits: SharedRetention.Limits) async throws {
        try await file.write { db in
            try db.execute(
                sql:
                    "UPDATE shared SET payload = NULL WHERE payload IS NOT NULL AND measured < ? AND received < ?",
                arguments: [
                    limits.measured.millisecondsSince1970, limits.received.millisecondsSince1970,
                ])
            // By its arrival: a repetition comes after it, however old its value is.
            try db.execute(
                sql: "DELETE FROM shared WHERE payload IS NULL AND received < ?",
                arguments: [limits.measured.millisecondsSince1970 - Self.rowLife])
        }
    }
}
