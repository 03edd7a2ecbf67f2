public import Accounts

/// Failure of the store. The operation left no trace.
public enum StoreFault: Error, Hashable, Sendable {
    /// The user name is taken.
    case nameTaken(UserName)
    /// The disk or the database refused; the text names no person.
    case failed(String)
}
