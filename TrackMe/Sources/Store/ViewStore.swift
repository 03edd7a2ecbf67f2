public import Accounts
public import GatewayModel
import SQLDatabase

/// Days of the log of views, in UTC.
enum DataViewDay {
    static let length: Int64 = 86_400_000
}

/// Log of the accounts that looked at persons' data: one row a day, account and manner.
public struct ViewStore: Sendable {
    static let migrations = [
        Migration("views-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE data_view (
                        gateway TEXT NOT NULL, person TEXT NOT NULL, day INTEGER NOT NULL, account INTEGER NOT NULL,
                        manner TEXT NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL,
                        PRIMARY KEY (gateway, person, day, account, manner)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
    ]

    let file: DatabasePool

    /// Counts a look, in a commit that precedes the answer.
    public func record(
        _ manner: DataView.Manner, by account: AccountID, of subject: HousePerson, at now: WallTime
    ) async throws {
        try await file.write { db in
            try db.execute(
                sql: """
                    INSERT INTO data_view (gateway, person, day, account, manner, count, last) VALUES (?, ?, ?, ?, ?, 1, ?)
                    ON CONFLICT (gateway, person, day, account, manner) DO UPDATE SET
                        count = data_view.count + 1, last = excluded.last
                    """,
                arguments: [
                    subject.gateway.text, subject.person.text, now.millisecondsSince1970 / DataViewDay.length,
                    account.number, manner.rawValue, now.millisecondsSince1970,
                ])
        }
    }

    /// Newest first, after the row `after`; nil begins with the newest.
    public func views(of subject: HousePerson, after: DataView?, most: Int) async throws -> [DataView] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT data_view.*, account."user" FROM data_view LEFT JOIN account ON account.id = data_view.account
                    WHERE gateway = :gateway AND person = :person AND (:last IS NULL OR last < :last
                        OR (last = :last AND (account, manner) > (:account, :manner)))
                    ORDER BY last DESC, account, manner LIMIT :most
                    """,
                arguments: [
                    "gateway": subject.gateway.text, "person": subject.person.text,
                    "last": after?.last.millisecondsSince1970, "account": after?.account.number,
                    "manner": after?.manner.rawValue, "most": most,
                ]
            ).compactMap { row in
                guard let manner = DataView.Manner(rawValue: row["manner"]) else { return nil }
                return DataView(
                    account: AccountID(row["account"]), user: (row["user"] as String?).flatMap { UserName($0) },
                    manner: manner, count: row["count"], last: WallTime(row["last"]))
            }
        }
    }
}

/// Looks of one account at the data of a person, of one day and manner.
public struct DataView: Hashable, Sendable {
    public enum Manner: String, CaseIterable, Hashable, Sendable {
        /// A page, with its stream.
        case page
        /// A file of readings.
        case file
        /// A program of the account.
        case program
        /// All data at once.
        case export
    }

    public let account: AccountID
    /// Nil for an account that was deleted.
    public let user: UserName?
    public let manner: Manner
    public let count: Int
    public let last: WallTime

    public init(account: AccountID, user: UserName?, manner: Manner, count: Int, last: WallTime) {
        (self.account, self.user, self.manner) = (account, user, manner)
        (self.count, self.last) = (count, last)
    }
}
