public import Accounts
public import GatewayModel

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

/// Lists of an export, but for readings and records of a house, which are read page by page. These lists are short: the acts
/// behind their rows are limited by day.
public protocol ExportStore: Sendable {
    func lists(of account: AccountID) async throws -> [ExportedList]
    /// The caller has checked the link to the person.
    func lists(of subject: HousePerson) async throws -> [ExportedList]
}
