import Accounts
import GatewayModel
import SQLDatabase
import Store

/// Commands about intervals of samples.
struct IntervalsLite: IntervalStore {
    static let migrations = [
        Migration("intervals-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE interval_command (
                        id TEXT PRIMARY KEY, account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                        gateway TEXT NOT NULL, person TEXT NOT NULL, kind TEXT NOT NULL, seconds INTEGER NOT NULL,
                        asked INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT, answered INTEGER
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX interval_of_account ON interval_command (account, asked);
                    CREATE INDEX interval_of_person ON interval_command (gateway, person, asked);
                    """)
        }
    ]

    let file: DatabasePool

    func set(
        _ seconds: Int, for kind: QuantityKind, of subject: HousePerson, by account: AccountID,
        at now: WallTime, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws {
        try await file.write { db in
            try LinkRights.requireActs(account, for: subject, db)
            let sent = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM interval_command WHERE account = ? AND asked > ?",
                arguments: [account.number, now.millisecondsSince1970 - 86_400_000])
            guard sent ?? 0 < IntervalCommand.mostInADay else { throw StoreFault.tooManyIntervals }
            let command = try make(try CommandOutbox.nextSequence(db, at: now))
            try CommandOutbox.enqueue(command, db)
            try db.execute(
                sql: """
                    INSERT INTO interval_command (id, account, gateway, person, kind, seconds, asked, state)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 'sent')
                    """,
                arguments: [
                    command.id, account.number, subject.gateway.text, subject.person.text, kind.rawValue,
                    seconds, now.millisecondsSince1970,
                ])
        }
    }

    func intervals(of subject: HousePerson, most: Int) async throws -> [IntervalCommand] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM interval_command WHERE gateway = ? AND person = ? ORDER BY asked DESC, id DESC LIMIT ?
                    """, arguments: [subject.gateway.text, subject.person.text, most]
            ).compactMap { row in
                guard let kind = QuantityKind(rawValue: row["kind"]),
                    let state = CommandState(rawValue: row["state"])
                else { return nil }
                return IntervalCommand(
                    id: row["id"], account: AccountID(row["account"]), subject: subject, kind: kind,
                    seconds: row["seconds"], asked: WallTime(row["asked"]), state: state, reason: row["reason"],
                    answered: (row["answered"] as Int64?).map { WallTime($0) })
            }
        }
    }
}
