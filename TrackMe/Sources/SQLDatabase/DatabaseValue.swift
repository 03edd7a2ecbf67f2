public import FoundationEssentials

/// Value of a column or of an argument.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// Type that has a form in the database.
public protocol DatabaseValueConvertible: Sendable {
    var databaseValue: DatabaseValue { get }

    /// Nil for a value of another form, and for null.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self?
}

extension DatabaseValue: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { self }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }
}

extension DatabaseValueConvertible where Self: FixedWidthInteger {
    public var databaseValue: DatabaseValue { .integer(Int64(clamping: self)) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        switch value {
        case .integer(let number): Self(exactly: number)
        case .real(let number): Self(exactly: number)
        case .null, .text, .blob: nil
        }
    }
}

extension Int: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension UInt8: DatabaseValueConvertible {}
extension UInt16: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}

/// 0 or 1: SQLite has no Boolean type, and the columns are the same in both databases.
extension Bool: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
        if case .integer(let number) = value { number != 0 } else { nil }
    }
}

extension Double: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .real(self) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Double? {
        switch value {
        case .real(let number): number
        case .integer(let number): Double(number)
        case .null, .text, .blob: nil
        }
    }
}

extension String: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .text(self) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
        if case .text(let text) = value { text } else { nil }
    }
}

extension Data: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .blob(self) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Data? {
        if case .blob(let bytes) = value { bytes } else { nil }
    }
}
