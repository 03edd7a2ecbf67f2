import CPostgres
import Glibc
import SQLDatabase

/// Connection to the server.
///
/// `@unchecked Sendable`: `PostgresEngine` gives it to one thread at a time.
final class PostgresConnection: DatabaseConnection, @unchecked Sendable {
    /// Failure of a statement, before it is judged whether the transaction may run again.
    struct Failure: Error {
        /// SQLSTATE; empty if the connection was lost.
        let code: String
        let error: DatabaseError

        /// Another transaction was in the way.
        var isConflict: Bool { code == "40001" || code == "40P01" }
        /// The connection is of no use any more: lost, ended by the server, to a server that is a standby now, or with plans
        /// of a schema that has changed.
        var endsConnection: Bool {
            code.isEmpty || code.hasPrefix("57P") || code.hasPrefix("08") || code == "25006" || code == "0A000"
                || code == "25P03"
        }
    }

    /// Statements that are kept prepared.
    private static let mostPrepared = 400
    /// Rows of one step of a cursor.
    fileprivate static let cursorStep = 200

    private let connection: OpaquePointer
    private var prepared: [String: String] = [:]
    private var cursors = 0
    /// Whether a text is one of a migration.
    var isSchema = false
    /// Name of this process in its notices.
    private let origin: String

    /// Connects. Blocks, for each host of the string as long as its `connect_timeout`.
    init(_ string: PostgresAddress, origin: String = "") throws {
        self.origin = origin
        // Keywords before the string give way to it, those after it do not.
        let settings = [
            ("connect_timeout", "3"), ("keepalives_idle", "10"), ("keepalives_interval", "3"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
            ("target_session_attrs", "read-write"), ("application_name", "trackme"), ("dbname", string.text),
            ("client_encoding", "UTF8"),
        ]
        let words = settings.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for word in words {
                free(word.0)
                free(word.1)
            }
        }
        let names = words.map { UnsafePointer<CChar>($0.0) } + [nil]
        let values = words.map { UnsafePointer<CChar>($0.1) } + [nil]
        guard let connection = PQconnectdbParams(names, values, 1) else {
            throw DatabaseError(.noConnection, "no memory for a connection to the database")
        }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else {
            // The deinit frees it.
            throw DatabaseError(.noConnection, Self.line(PQerrorMessage(connection)))
        }
        // A commit is on the disks that the operator has named before it is acknowledged. A process that stands still inside
        // a transaction must not hold up the others.
        _ = try send(
            """
            SELECT set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
                    THEN 'on' ELSE current_setting('synchronous_commit') END, false),
                set_config('idle_in_transaction_session_timeout', '10s', false),
                set_config('statement_timeout', '60s', false), set_config('lock_timeout', '30s', false),
                set_config('client_min_messages', 'warning', false)
            """)
    }

    deinit { PQfinish(connection) }

    private static func line(_ text: UnsafePointer<CChar>?) -> String {
        let text = text.map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    // MARK: Transactions

    /// Runs `body` between `begin` and the commit.
    ///
    /// - Throws: `Failure` if the database has refused something and nothing was kept; `DatabaseError.outcomeUnknown` if the
    ///   connection was lost in the commit; else the error of `body`, after a rollback.
    func transaction<T>(
        _ begin: String, _ body: (Database) throws -> T
    ) throws -> (value: T, actions: [@Sendable () -> Void]) {
        let database = Database(self)
        let value: T
        do {
            _ = try send(begin)
            value = try body(database)
        } catch {
            if PQstatus(connection) == CONNECTION_OK { _ = try? send("ROLLBACK") }
            throw error
        }
        let result: PostgresResult
        do { result = try send("COMMIT") } catch let failure as Failure {
            guard failure.code.isEmpty || failure.code.hasPrefix("57P") else { throw failure }
            throw DatabaseError(
                .outcomeUnknown,
                "the connection was lost in the commit, which may have happened or not: \(failure.error)")
        }
        guard result.command == "COMMIT" else {
            throw DatabaseError(
                .other, "a statement has failed in the transaction, and its error was not handed on")
        }
        return (value, database.commitActions)
    }

    // MARK: Statements

    var dialect: SQLDialect { .postgres }

    func run(_ sql: String) throws -> Int {
        if isSchema { return try send(PostgresSQL.schema(sql)).changes }
        return try send(try PostgresSQL(sql, StatementArguments()).text).changes
    }

    func execute(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try result(of: try PostgresSQL(sql, arguments)).changes
    }

    func query(
        _ sql: String, _ arguments: StatementArguments, most: Int
    ) throws -> (rows: [Row], changes: Int) {
        let result = try result(of: try PostgresSQL(sql, arguments))
        return (try result.rows(most: most), result.changes)
    }

    func cursor(_ sql: String, _ arguments: StatementArguments) throws -> any RowSource {
        let statement = try PostgresSQL(sql, arguments)
        cursors += 1
        let name = "rows\(cursors)"
        _ = try send(
            "DECLARE \(name) NO SCROLL CURSOR FOR \(statement.text)", PostgresParameters(statement.arguments))
        return PostgresRows(self, name)
    }

    fileprivate func step(_ cursor: String) throws -> [Row] {
        try send("FETCH \(Self.cursorStep) FROM \(cursor)", PostgresParameters([])).rows()
    }

    fileprivate func close(_ cursor: String) throws { _ = try send("CLOSE \(cursor)") }

    // MARK: Notices

    func announce(_ notice: DatabaseNotice) throws {
        _ = try execute(
            "SELECT pg_notify(?, ?)",
            [PostgresListener.channel, try PostgresListener.payload(notice, from: origin)])
    }

    /// Waits for notifications, and returns those that are here.
    ///
    /// - Parameter milliseconds: longest wait.
    func notifications(within milliseconds: Int32) throws -> [String] {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
        guard PQconsumeInput(connection) == 1 else {
            throw Failure(
                code: "", error: DatabaseError(.noConnection, Self.line(PQerrorMessage(connection))))
        }
        var payloads: [String] = []
        while let notification = PQnotifies(connection) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }

    // MARK: Many rows

    func insert(_ rows: [[DatabaseValue]], _ insertion: BulkInsert) throws {
        _ = try result(of: Self.text(of: insertion), try PostgresParameters(rows, of: insertion.columns))
    }

    func insertNew(_ rows: [[DatabaseValue]], _ insertion: BulkInsert) throws -> [Bool] {
        // Nearly always all rows are new, and a count says so: no key has to come back.
        _ = try send("SAVEPOINT rows")
        let inserted = try result(
            of: Self.text(of: insertion), try PostgresParameters(rows, of: insertion.columns)
        ).changes
        guard inserted != rows.count else {
            _ = try send("RELEASE SAVEPOINT rows")
            return [Bool](repeating: true, count: rows.count)
        }
        _ = try send("ROLLBACK TO SAVEPOINT rows")
        var firsts: [ArraySlice<DatabaseValue>: Int] = [:]
        for (index, row) in rows.enumerated() where firsts[row.prefix(insertion.keyLength)] == nil {
            firsts[row.prefix(insertion.keyLength)] = index
        }
        let key = insertion.columns.prefix(insertion.keyLength).map(\.name).joined(separator: ", ")
        let result = try result(
            of: Self.text(of: insertion) + " RETURNING \(key)",
            try PostgresParameters(firsts.values.sorted().map { rows[$0] }, of: insertion.columns))
        var isNew = [Bool](repeating: false, count: rows.count)
        for values in try result.rows().map(\.all) {
            if let index = firsts[values[...]] { isNew[index] = true }
        }
        return isNew
    }

    /// Rows are inserted in the order of their keys: of two transactions, none waits for the other in a circle.
    private static func text(of insertion: BulkInsert) -> String {
        let order = (1...max(insertion.keyLength, 1)).map(String.init).joined(separator: ", ")
        return """
            INSERT INTO \(insertion.table) (\(insertion.columnList))
            SELECT * FROM \(arrays(insertion.columns)) ORDER BY \(order) \(insertion.conflict)
            """
    }

    private static func arrays(_ columns: [BulkColumn]) -> String {
        let places = columns.enumerated().map { "$\($0 + 1)::\(PostgresType.array(of: $1.form).name)[]" }
        return "unnest(\(places.joined(separator: ", ")))"
    }

    func lookUp(_ keys: [[DatabaseValue]], _ lookUp: BulkLookUp) throws -> [DatabaseValue?] {
        let names = lookUp.key.map(\.name).joined(separator: ", ")
        let condition = lookUp.key.map { "found.\($0.name) = sought.\($0.name)" }.joined(separator: " AND ")
        let result = try result(
            of: """
                SELECT sought.place, found.\(lookUp.value) FROM \(Self.arrays(lookUp.key))
                    WITH ORDINALITY AS sought (\(names), place) JOIN \(lookUp.table) AS found ON \(condition)
                """, try PostgresParameters(keys, of: lookUp.key))
        var values = [DatabaseValue?](repeating: nil, count: keys.count)
        for row in try result.rows().map(\.all) {
            if case .integer(let place) = row[0] { values[Int(place) - 1] = row[1] }
        }
        return values
    }

    // MARK: libpq

    private func result(of statement: PostgresSQL) throws -> PostgresResult {
        try result(of: statement.text, PostgresParameters(statement.arguments))
    }

    /// Runs a statement that is prepared once.
    private func result(of text: String, _ parameters: PostgresParameters) throws -> PostgresResult {
        let name = try name(ofPrepared: text, parameters)
        return try checked(
            parameters.withPointers { values, lengths, formats in
                PQexecPrepared(connection, name, Int32(parameters.types.count), values, lengths, formats, 1)
            })
    }

    private func name(ofPrepared text: String, _ parameters: PostgresParameters) throws -> String {
        let key = parameters.signature + "\n" + text
        if let known = prepared[key] { return known }
        if prepared.count >= Self.mostPrepared {
            _ = try send("DEALLOCATE ALL")
            prepared = [:]
        }
        let name = "s\(prepared.count)"
        _ = try checked(
            PQprepare(connection, name, text, Int32(parameters.types.count), parameters.types))
        prepared[key] = name
        return name
    }

    /// Runs a statement with arguments once.
    private func send(_ text: String, _ parameters: PostgresParameters) throws -> PostgresResult {
        try checked(
            parameters.withPointers { values, lengths, formats in
                PQexecParams(
                    connection, text, Int32(parameters.types.count), parameters.types, values, lengths, formats,
                    1)
            })
    }

    /// Runs statements without arguments.
    func send(_ text: String) throws -> PostgresResult { try checked(PQexec(connection, text)) }

    private func checked(_ result: OpaquePointer?) throws -> PostgresResult {
        guard let result else {
            throw Failure(
                code: "", error: DatabaseError(.noConnection, Self.line(PQerrorMessage(connection))))
        }
        let outcome = PostgresResult(result)
        guard !outcome.isSuccess else { return outcome }
        guard PQstatus(connection) == CONNECTION_OK, let code = outcome.field(Int32(UInt8(ascii: "C"))) else {
            throw Failure(
                code: "", error: DatabaseError(.noConnection, Self.line(PQerrorMessage(connection))))
        }
        // The primary message alone: the detail repeats values.
        let message = outcome.field(Int32(UInt8(ascii: "M"))) ?? ""
        throw Failure(code: code, error: DatabaseError(Self.kind(of: code), "\(message) (SQLSTATE \(code))"))
    }

    private static func kind(of code: String) -> DatabaseError.Kind {
        switch code {
        case "40001", "40P01", "55P03", "57014": .conflict
        case _ where code.hasPrefix("23"): .constraint
        default: .other
        }
    }

    // MARK: State

    /// Whether the connection is encrypted.
    var isEncrypted: Bool { PQsslInUse(connection) == 1 }
    /// Host or directory of the socket, and the port.
    var place: String {
        let (host, port) = (PQhost(connection), PQport(connection))
        return (host.map { String(cString: $0) } ?? "") + ":" + (port.map { String(cString: $0) } ?? "")
    }
}

private final class PostgresRows: RowSource {
    private let connection: PostgresConnection
    private let name: String
    private var rows: [Row] = []
    private var isAtEnd = false

    init(_ connection: PostgresConnection, _ name: String) { (self.connection, self.name) = (connection, name) }

    func next() throws -> Row? {
        if rows.isEmpty, !isAtEnd {
            rows = try connection.step(name).reversed()
            if rows.count < PostgresConnection.cursorStep {
                isAtEnd = true
                try connection.close(name)
            }
        }
        return rows.popLast()
    }
}
