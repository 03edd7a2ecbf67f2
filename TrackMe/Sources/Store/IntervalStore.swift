public import Accounts
public import GatewayModel
import SQLDatabase

/// Commands about intervals of samples.
public struct IntervalStore: Sendable {
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

    /// Records a command and queues it in one commit.
    ///
    /// - Throws: `StoreFault.tooManyIntervals`, `StoreFault.notLinked`, or the error of `make`.
    public func set(
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

    /// Of all accounts, newest first.
    public func intervals(of subject: HousePerson, most: Int) async throws -> [IntervalCommand] {
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

/// State of a command to a house.
public enum CommandState: String, CaseIterable, Hashable, Sendable {
    /// On its way.
    case sent
    case done
    case refused
    case noAnswer = "no-answer"
}

/// Command that sets how often readings of a kind are sent, with the answer of the house.
public struct IntervalCommand: Hashable, Sendable {
    /// Commands that an account may send in a day.
    public static let mostInADay = 50

    /// `jti` of the command.
    public let id: String
    public let account: AccountID
    public let subject: HousePerson
    public let kind: QuantityKind
    /// 0 goes back to the settings of the house.
    public let seconds: Int
    public let asked: WallTime
    public let state: CommandState
    /// Code of the house.
    public let reason: String?
    public let answered: WallTime?

    public init(
        id: String, account: AccountID, subject: HousePerson, kind: QuantityKind, seconds: Int, asked: WallTime,
        state: CommandState = .sent, reason: String? = nil, answered: WallTime? = nil
    ) {
        (self.id, self.account, self.subject, self.kind) = (id, account, subject, kind)
        (self.seconds, self.asked, self.state) = (seconds, asked, state)
        (self.reason, self.answered) = (reason, answered)
    }
}
