public import Accounts
import Foundation
public import GatewayModel
import SQLDatabase

/// One list of an export, read from the tables of a capability.
public struct ExportList: Sendable {
    public enum Owner: Sendable {
        /// The condition names `:account`.
        case account
        /// The condition names `:gateway` and `:person`.
        case person
    }

    /// Field of an export, with the column behind it.
    public struct Field: Sendable {
        enum Form { case text, number, flag, time, json }

        let name: String
        let expressions: [String]
        let form: Form

        private init(_ name: String, _ expressions: [String], _ form: Form) {
            (self.name, self.expressions, self.form) = (name, expressions, form)
        }

        /// - Parameter column: nil for the column of this name.
        public static func text(_ name: String, _ column: String? = nil) -> Field {
            Field(name, [column ?? name], .text)
        }
        public static func number(_ name: String, _ column: String? = nil) -> Field {
            Field(name, [column ?? name], .number)
        }
        public static func flag(_ name: String, _ column: String? = nil) -> Field {
            Field(name, [column ?? name], .flag)
        }
        public static func time(_ name: String, _ column: String? = nil) -> Field {
            Field(name, [column ?? name], .time)
        }
        public static func json(_ name: String, _ column: String? = nil) -> Field {
            Field(name, [column ?? name], .json)
        }
    }

    public let name: String
    public let owner: Owner
    /// Tables that the rows come from.
    public let tables: [String]
    private let fields: [Field]
    /// Tables, condition and order.
    private let source: String

    /// - Parameters:
    ///   - tables: those of which the fields are.
    ///   - source: `FROM`, a condition with the owner, and an order.
    public init(
        _ name: String, of owner: Owner, tables: [String], _ fields: [Field], _ source: String
    ) {
        (self.name, self.owner, self.tables) = (name, owner, tables)
        (self.fields, self.source) = (fields, source)
    }

    func read(_ arguments: StatementArguments, _ db: Database) throws -> ExportedList {
        let columns = fields.flatMap(\.expressions).enumerated().map { "\($1) AS field\($0)" }
        let rows = try Row.fetchAll(
            db, sql: "SELECT \(columns.joined(separator: ", ")) \(source)", arguments: arguments)
        return ExportedList(
            name: name,
            rows: rows.map { row in
                var place = 0
                return fields.map { field in
                    defer { place += field.expressions.count }
                    return (field.name, field.value(of: row, at: place))
                }
            })
    }
}

extension ExportList.Field {
    fileprivate func value(of row: Row, at place: Int) -> ExportValue {
        func value(_ place: Int) -> DatabaseValue { (row["field\(place)"] as DatabaseValue?) ?? .null }
        switch (value(place), form) {
        case (.integer(let number), .flag): return .flag(number != 0)
        case (.integer(let number), .time): return .time(WallTime(millisecondsSince1970: number))
        case (.integer(let number), _): return .integer(number)
        case (.real(let number), _): return .number(number)
        case (.text(let text), .json): return .json(Array(text.utf8))
        case (.text(let text), _): return .text(text)
        case (.blob(let bytes), .json): return .json(Array(bytes))
        case (.blob, _), (.null, _): return .none
        }
    }
}

/// Reads the lists of an export, all of one owner in one transaction.
public struct ExportStore: Sendable {
    let file: DatabasePool
    let lists: [ExportList]

    public func lists(of account: AccountID) async throws -> [ExportedList] {
        try await read(.account, ["account": account.number])
    }

    /// The caller has checked the link to the person.
    public func lists(of subject: HousePerson) async throws -> [ExportedList] {
        try await read(.person, ["gateway": subject.gateway.text, "person": subject.person.text])
    }

    private func read(
        _ owner: ExportList.Owner, _ arguments: StatementArguments
    ) async throws -> [ExportedList] {
        try await file.read { db in
            try lists.filter { $0.owner == owner }.map { try $0.read(arguments, db) }
        }
    }
}

/// Value of a field in an export.
public enum ExportValue: Hashable, Sendable {
    case none
    case text(String)
    case number(Double)
    case integer(Int64)
    case flag(Bool)
    case time(WallTime)
    /// A JSON value as it is kept.
    case json([UInt8])
}

/// Rows of an account or of a person that an export holds under one name.
public struct ExportedList: Sendable {
    public let name: String
    /// Fields of each row, in the order of the export.
    public let rows: [[(name: String, value: ExportValue)]]

    public init(name: String, rows: [[(name: String, value: ExportValue)]]) {
        (self.name, self.rows) = (name, rows)
    }
}
