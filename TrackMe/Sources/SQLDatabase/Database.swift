/// Handle of one transaction. It is used on the thread of its transaction, and not after it.
public final class Database {
    package let connection: any DatabaseConnection
    /// Rows that the last statement has inserted, changed or deleted.
    public private(set) var changesCount = 0
    /// Actions for after the commit, in order.
    package private(set) var commitActions: [@Sendable () -> Void] = []

    package init(_ connection: any DatabaseConnection) { self.connection = connection }

    /// Spelling of the few expressions that the two databases write differently.
    public var dialect: SQLDialect { connection.dialect }

    /// Runs a statement; without arguments, also several that are separated by semicolons.
    public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
        changesCount = arguments.isEmpty ? try connection.run(sql) : try connection.execute(sql, arguments)
    }

    /// A statement that is run more than once.
    public func cachedStatement(sql: String) throws -> Statement { Statement(db: self, sql: sql) }

    /// Runs an action after the commit, on the thread of the transaction. It does not run if the transaction fails.
    public func afterCommit(_ action: @escaping @Sendable () -> Void) { commitActions.append(action) }

    /// Tells the other processes with this database of a change, with the commit: a transaction that fails tells nothing, and
    /// one that commits loses no notice. Does nothing on SQLite, which one server uses.
    public func announce(_ notice: DatabaseNotice) throws { try connection.announce(notice) }

    /// Inserts rows, in one round trip where the database is another process.
    ///
    /// - Parameter rows: the values of each row, in the order of the columns. No two rows may change the same row of the
    ///   table.
    public func insert(_ rows: [[DatabaseValue]], by insertion: BulkInsert) throws {
        guard !rows.isEmpty else { return }
        try connection.insert(rows, insertion)
    }

    /// Inserts the rows whose key is new, in one round trip where the database is another process.
    ///
    /// - Parameter insertion: its first columns are the key, and its conflict does nothing.
    /// - Returns: for each row whether it was inserted. Of rows with the same key it is the first one.
    public func insertNew(_ rows: [[DatabaseValue]], by insertion: BulkInsert) throws -> [Bool] {
        guard !rows.isEmpty else { return [] }
        return try connection.insertNew(rows, insertion)
    }

    /// Looks up one column for each key, in one round trip where the database is another process.
    ///
    /// - Returns: the values in the order of the keys; nil for a key without a row.
    public func lookUp(_ keys: [[DatabaseValue]], by lookUp: BulkLookUp) throws -> [DatabaseValue?] {
        guard !keys.isEmpty else { return [] }
        return try connection.lookUp(keys, lookUp)
    }

    /// Makes the database refuse each change of this kind to a table, with a message.
    public func refuse(_ changes: [RefusedChange], of table: String, because message: String) throws {
        for sql in connection.dialect.refusals(of: changes, of: table, because: message) {
            try execute(sql: sql)
        }
    }

    func rows(_ sql: String, _ arguments: StatementArguments, most: Int = .max) throws -> [Row] {
        let (rows, changes) = try connection.query(sql, arguments, most: most)
        changesCount = changes
        return rows
    }
}

/// Statement that is prepared once for each connection.
public struct Statement {
    let db: Database
    let sql: String

    public func execute(arguments: StatementArguments) throws { try db.execute(sql: sql, arguments: arguments) }
}

/// Connection with an open transaction, as an engine gives it. All calls block.
public protocol DatabaseConnection: AnyObject {
    var dialect: SQLDialect { get }

    /// Runs statements without arguments. Returns the changes of the last one.
    func run(_ sql: String) throws -> Int
    /// Returns the number of rows changed.
    func execute(_ sql: String, _ arguments: StatementArguments) throws -> Int
    /// - Parameter most: rows that are needed.
    func query(
        _ sql: String, _ arguments: StatementArguments, most: Int
    ) throws -> (rows: [Row], changes: Int)
    func cursor(_ sql: String, _ arguments: StatementArguments) throws -> any RowSource
    func announce(_ notice: DatabaseNotice) throws
    func insert(_ rows: [[DatabaseValue]], _ insertion: BulkInsert) throws
    func insertNew(_ rows: [[DatabaseValue]], _ insertion: BulkInsert) throws -> [Bool]
    func lookUp(_ keys: [[DatabaseValue]], _ lookUp: BulkLookUp) throws -> [DatabaseValue?]
}
