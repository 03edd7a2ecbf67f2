/// One row of a result.
public struct Row: Sendable, CustomStringConvertible {
    /// Names of the columns of a result, shared by its rows.
    public final class Columns: Sendable {
        public let names: [String]
        let places: [String: Int]

        public init(_ names: [String]) {
            self.names = names
            places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        }
    }

    let columns: Columns
    /// In the order of the columns.
    package let all: [DatabaseValue]

    public init(_ columns: Columns, _ values: [DatabaseValue]) {
        (self.columns, all) = (columns, values)
    }

    /// Value of a column: of the first one, where two have the name.
    ///
    /// The schema guarantees the type. A statement that does not select the column, or a column that may be null and is read
    /// as if it could not be, is an error of the programmer and stops the process.
    public subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value {
        guard let value = Value.fromDatabaseValue(value(of: column)) else {
            preconditionFailure("the column \(column) is null or of another type than \(Value.self)")
        }
        return value
    }

    /// Nil for null.
    public subscript<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        switch value(of: column) {
        case .null: return nil
        case let value:
            guard let converted = Value.fromDatabaseValue(value) else {
                preconditionFailure("the column \(column) is of another type than \(Value.self)")
            }
            return converted
        }
    }

    private func value(of column: String) -> DatabaseValue {
        guard let place = columns.places[column] else {
            preconditionFailure("the statement selects no column \(column), but \(columns.names)")
        }
        return all[place]
    }

    /// `[a:1 b:"x"]`
    public var description: String {
        let fields = zip(columns.names, all).map { name, value in
            switch value {
            case .null: "\(name):NULL"
            case .integer(let number): "\(name):\(number)"
            case .real(let number): "\(name):\(number)"
            case .text(let text): "\(name):\"\(text)\""
            case .blob(let bytes): "\(name):\(bytes.map { String($0, radix: 16) })"
            }
        }
        return "[" + fields.joined(separator: " ") + "]"
    }
}

/// Rows that are read one after the other. Other statements may run meanwhile.
public final class RowCursor {
    private let source: any RowSource

    init(_ source: any RowSource) { self.source = source }

    /// Nil after the last row.
    public func next() throws -> Row? { try source.next() }
}

/// Rows of an engine.
public protocol RowSource: AnyObject {
    func next() throws -> Row?
}

extension Row {
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] { try db.rows(sql, arguments) }

    /// The first row; further ones are not read.
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? { try db.rows(sql, arguments, most: 1).first }

    /// For results that need not fit into the memory.
    public static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> RowCursor { RowCursor(try db.connection.cursor(sql, arguments)) }
}

extension DatabaseValueConvertible {
    /// First column of the first row; nil without a row, and for null.
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        guard let value = try db.rows(sql, arguments, most: 1).first?.all.first, value != .null else {
            return nil
        }
        guard let converted = fromDatabaseValue(value) else {
            throw DatabaseError(.unexpectedType, "the first column of the result is no \(Self.self)")
        }
        return converted
    }

    /// First column of each row. A null in it is an error.
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try db.rows(sql, arguments).map { row in
            guard let value = row.all.first.flatMap({ fromDatabaseValue($0) }) else {
                throw DatabaseError(.unexpectedType, "the first column of the result is no \(Self.self)")
            }
            return value
        }
    }
}
