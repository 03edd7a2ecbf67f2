/// Number of an account in the store. Never reused.
public struct AccountID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public var description: String { String(number) }

    public static func < (left: AccountID, right: AccountID) -> Bool { left.number < right.number }
}
