import GRDB
import SQLDatabase

/// Transaction of GRDB. Statements are prepared once for each connection.
final class SQLiteConnection: DatabaseConnection {
    private let db: GRDB.Database

    init(_ db: GRDB.Database) { self.db = db }

    var dialect: SQLDialect { .sqlite }

    func run(_ sql: String) throws -> Int {
        try db.execute(sql: sql)
        return db.changesCount
    }

    func execute(_ sql: String, _ arguments: SQLDatabase.StatementArguments) throws -> Int {
        try db.cachedStatement(sql: sql).execute(arguments: arguments.ofGRDB)
        return db.changesCount
    }

    func query(
        _ sql: String, _ arguments: SQLDatabase.StatementArguments, most: Int
    ) throws -> (rows: [SQLDatabase.Row], changes: Int) {
        let statement = try db.cachedStatement(sql: sql)
        let cursor = try GRDB.Row.fetchCursor(statement, arguments: arguments.ofGRDB)
        let columns = SQLDatabase.Row.Columns(statement.columnNames)
        var rows: [SQLDatabase.Row] = []
        while rows.count < most, let row = try cursor.next() { rows.append(SQLDatabase.Row(row, columns)) }
        return (rows, db.changesCount)
    }

    func cursor(_ sql: String, _ arguments: SQLDatabase.StatementArguments) throws -> any RowSource {
        // Not the cached one: another statement of the same text may run meanwhile.
        let statement = try db.makeStatement(sql: sql)
        return SQLiteRows(
            try GRDB.Row.fetchCursor(statement, arguments: arguments.ofGRDB),
            SQLDatabase.Row.Columns(statement.columnNames))
    }

    func announce(_ notice: DatabaseNotice) throws {}

    // MARK: Many rows

    private func statement(of insertion: BulkInsert) throws -> GRDB.Statement {
        let places = Array(repeating: "?", count: insertion.columns.count).joined(separator: ", ")
        return try db.cachedStatement(
            sql:
                "INSERT INTO \(insertion.table) (\(insertion.columnList)) VALUES (\(places)) \(insertion.conflict)"
        )
    }

    func insert(_ rows: [[SQLDatabase.DatabaseValue]], _ insertion: BulkInsert) throws {
        let statement = try statement(of: insertion)
        for row in rows { try statement.execute(arguments: GRDB.StatementArguments(row.map(\.ofGRDB))) }
    }

    func insertNew(_ rows: [[SQLDatabase.DatabaseValue]], _ insertion: BulkInsert) throws -> [Bool] {
        let statement = try statement(of: insertion)
        return try rows.map { row in
            try statement.execute(arguments: GRDB.StatementArguments(row.map(\.ofGRDB)))
            return db.changesCount == 1
        }
    }

    func lookUp(
        _ keys: [[SQLDatabase.DatabaseValue]], _ lookUp: BulkLookUp
    ) throws -> [SQLDatabase.DatabaseValue?] {
        let condition = lookUp.key.map { "\($0.name) = ?" }.joined(separator: " AND ")
        let statement = try db.cachedStatement(
            sql: "SELECT \(lookUp.value) FROM \(lookUp.table) WHERE \(condition)")
        return try keys.map { key in
            try GRDB.Row.fetchOne(statement, arguments: GRDB.StatementArguments(key.map(\.ofGRDB))).map {
                SQLDatabase.DatabaseValue($0.databaseValues[$0.startIndex].storage)
            }
        }
    }
}

private final class SQLiteRows: RowSource {
    private let cursor: RowCursor
    private let columns: SQLDatabase.Row.Columns

    init(_ cursor: GRDB.RowCursor, _ columns: SQLDatabase.Row.Columns) {
        (self.cursor, self.columns) = (cursor, columns)
    }

    func next() throws -> SQLDatabase.Row? {
        try converted { try cursor.next() }.map { SQLDatabase.Row($0, columns) }
    }

    private typealias RowCursor = GRDB.RowCursor
}

extension SQLDatabase.Row {
    fileprivate init(_ row: GRDB.Row, _ columns: Columns) {
        self.init(columns, row.databaseValues.map { SQLDatabase.DatabaseValue($0.storage) })
    }
}

extension SQLDatabase.DatabaseValue {
    fileprivate init(_ storage: GRDB.DatabaseValue.Storage) {
        self =
            switch storage {
            case .null: .null
            case .int64(let number): .integer(number)
            case .double(let number): .real(number)
            case .string(let text): .text(text)
            case .blob(let bytes): .blob(bytes)
            }
    }

    fileprivate var ofGRDB: (any GRDB.DatabaseValueConvertible)? {
        switch self {
        case .null: nil
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        case .blob(let bytes): bytes
        }
    }
}

extension SQLDatabase.StatementArguments {
    fileprivate var ofGRDB: GRDB.StatementArguments {
        byName.isEmpty
            ? GRDB.StatementArguments(positional.map(\.ofGRDB))
            : GRDB.StatementArguments(byName.mapValues(\.ofGRDB))
    }
}
