/// Failure of the database. It names no argument: those are data of persons.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// A unique key, a reference, a condition or a trigger refuses the change.
        case constraint
        /// Another transaction was in the way, and the attempts are used up.
        case conflict
        /// No connection, or it was lost before the commit was sent. Nothing was changed.
        case noConnection
        /// The connection was lost while the commit was under way: it may have happened or not.
        case outcomeUnknown
        /// A result has another type than the code expects.
        case unexpectedType
        case other
    }

    public let kind: Kind
    public let description: String

    public init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }
}
