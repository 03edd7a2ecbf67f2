import Foundation
import GRDB
import GatewayModel

/// The file of `StateDatabase`: its tables, and the form of their rows.
enum StateSchema {
    static func path(in directory: String) -> String { directory + "/state.sqlite" }

    /// Opens the file, or makes it, readable by its owner alone; checks every page and every row.
    static func open(_ path: String) throws(DiskFailure) -> DatabaseQueue {
        try SQLiteFile.checkIsUsable(path)
        try DurableFile.create(path)
        return try DiskFailure.translating("opening", path) {
            let queue = try DatabaseQueue(path: path, configuration: SQLiteFile.configuration)
            // After the opening: GRDB sets NORMAL when it enters the WAL mode.
            try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
            try migrator.migrate(queue)
            try queue.read(check)
            return queue
        }
    }

    private static func check(_ db: Database) throws {
        let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard found == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: found) }
        let bad = try StateTable.allCases.reduce(0) { try $0 + rows(of: $1, in: db).bad }
        guard bad == 0 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(bad) rows have a wrong checksum")
        }
    }

    /// Tables that the first version of the file did not have, each with a migration of its own.
    private static let later: [StateTable] = [
        .wearableAbility, .sosButton, .notice, .personChoice, .requestNotice, .answerReceipt, .limitQuestion,
        .disclosure, .profileShare, .runnerNews, .sentCorrection,
    ]

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("create_tables") { db in
            for table in StateTable.allCases where !later.contains(table) { try create(table, in: db) }
        }
        for table in later {
            migrator.registerMigration("create_\(table.rawValue)") { db in try create(table, in: db) }
        }
        return migrator
    }

    private static func create(_ table: StateTable, in db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE \(table.rawValue) (
                  place INTEGER PRIMARY KEY,
                  key TEXT NOT NULL UNIQUE,
                  content BLOB NOT NULL,
                  sum TEXT NOT NULL
                ) STRICT
                """)
    }

    static func rows(of table: StateTable, in db: Database) throws -> (sound: [StateRow], bad: Int) {
        let cursor = try Row.fetchCursor(
            db, sql: "SELECT key, content, sum FROM \(table.rawValue) ORDER BY key")
        var (sound, bad) = ([StateRow](), 0)
        while let row = try cursor.next() {
            if let row = decode(row, of: table) { sound.append(row) } else { bad += 1 }
        }
        return (sound, bad)
    }

    /// Nil where the checksum is wrong.
    ///
    /// - Parameter row: key, content, checksum.
    static func decode(_ row: Row, of table: StateTable) -> StateRow? {
        guard let key = row.text(0), let content = row.bytes(1), let sum = row.text(2) else { return nil }
        let found = StateRow(key: key, content: content)
        return sum == self.sum(of: found, in: table) ? found : nil
    }

    private static func sum(of row: StateRow, in table: StateTable) -> String {
        // No name and no key has a line break.
        String(LedgerHash.of(Array("\(table.rawValue)\n\(row.key)\n".utf8) + row.content).prefix(16))
    }

    static func apply(_ change: StateChange, in db: Database) throws {
        switch change {
        case .put(let table, let row):
            let statement = try db.cachedStatement(
                sql: """
                    INSERT INTO \(table.rawValue) (key, content, sum) VALUES (?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET content = excluded.content, sum = excluded.sum
                    """)
            try statement.execute(arguments: [row.key, Data(row.content), sum(of: row, in: table)])
        case .remove(let table, let key):
            try db.execute(sql: "DELETE FROM \(table.rawValue) WHERE key = ?", arguments: [key])
        case .clear(let table):
            try db.execute(sql: "DELETE FROM \(table.rawValue)")
        case .trim(let table, let count):
            try db.execute(
                sql: """
                    DELETE FROM \(table.rawValue) WHERE key <=
                    (SELECT key FROM \(table.rawValue) ORDER BY key DESC LIMIT 1 OFFSET ?)
                    """, arguments: [count])
        }
    }

    /// Inserts the rows of earlier files. A row that the database has already is newer and stays; where it differs from
    /// that of the file, both versions were in use in turn, and not every command is remembered.
    static func insert(_ changes: [StateChange], in db: Database) throws {
        var areAllNew = true
        for change in changes {
            guard case .put(let table, let row) = change else {
                try apply(change, in: db)
                continue
            }
            let known = try Row.fetchOne(
                db, sql: "SELECT content FROM \(table.rawValue) WHERE key = ?", arguments: [row.key])
            if let known {
                areAllNew = areAllNew && known.bytes(0) == row.content
            } else {
                try apply(change, in: db)
            }
        }
        if !areAllNew { try apply(.clear(.commandMemory), in: db) }
    }
}
