public import Accounts
public import GatewayModel

/// Looks of one account at the data of a person, of one day and manner.
public struct DataView: Hashable, Sendable {
    public enum Manner: String, CaseIterable, Hashable, Sendable {
        /// A page, with its stream.
        case page
        /// A file of readings.
        case file
        /// A program of the account.
        case program
        /// All data at once.
        case export
    }

    public let account: AccountID
    /// Nil for an account that was deleted.
    public let user: UserName?
    public let manner: Manner
    public let count: Int
    public let last: WallTime

    public init(account: AccountID, user: UserName?, manner: Manner, count: Int, last: WallTime) {
        (self.account, self.user, self.manner) = (account, user, manner)
        (self.count, self.last) = (count, last)
    }
}

/// Log of the accounts that looked at the data of persons.
public protocol ViewStore: Sendable {
    /// Counts a look, in a commit that precedes the answer.
    func record(_ manner: DataView.Manner, by account: AccountID, of subject: HousePerson, at now: WallTime)
        async throws
    /// Newest first, after the row `after`; nil begins with the newest.
    func views(of subject: HousePerson, after: DataView?, most: Int) async throws -> [DataView]
}
