/// Column of a bulk statement.
public struct BulkColumn: Hashable, Sendable {
    public enum Form: Hashable, Sendable { case integer, real, text, blob }

    public let name: String
    public let form: Form

    public init(_ name: String, _ form: Form) { (self.name, self.form) = (name, form) }
}

/// Insertion of many rows.
public struct BulkInsert: Hashable, Sendable {
    public let table: String
    public let columns: [BulkColumn]
    /// The first columns are the key of `insertNew`.
    public let keyLength: Int
    /// Clause `ON CONFLICT …`.
    public let conflict: String

    public init(into table: String, _ columns: [BulkColumn], keyLength: Int, conflict: String) {
        (self.table, self.columns, self.keyLength, self.conflict) = (table, columns, keyLength, conflict)
    }

    public var columnList: String { columns.map(\.name).joined(separator: ", ") }
}

/// Look-up of one column by a unique key.
public struct BulkLookUp: Hashable, Sendable {
    public let value: String
    public let table: String
    public let key: [BulkColumn]

    public init(_ value: String, in table: String, by key: [BulkColumn]) {
        (self.value, self.table, self.key) = (value, table, key)
    }
}
