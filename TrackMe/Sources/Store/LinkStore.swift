public import Accounts
public import GatewayModel

/// Links of accounts to persons of houses.
public protocol LinkStore: Sendable {
    /// Records a link and its command in one commit. `make` gets the next sequence number of the issuer, which is above
    /// each earlier one and at least the time in milliseconds, and returns the signed command.
    ///
    /// - Throws: `StoreFault.linkExists`, `StoreFault.tooManyLinks`, `StoreFault.tooManyQuestions`, or the
    ///   error of `make`.
    func ask(
        _ link: NewLink, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> LinkID

    /// Newest first.
    func links(of account: AccountID) async throws -> [Link]

    /// A link of this account; nil for that of another.
    func link(_ id: LinkID, of account: AccountID) async throws -> Link?

    /// Ends an open link of this account at once, and queues its withdrawal in the house in the same commit. False if there
    /// was none.
    func end(
        _ id: LinkID, of account: AccountID, at now: WallTime,
        make: @escaping @Sendable (_ link: Link, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool
}

/// A link before the store has given it a number.
public struct NewLink: Hashable, Sendable {
    /// Links that an account may ask for in a day: a person at home is not to be pestered.
    public static let mostInADay = 5
    /// Questions that may wait for the answer of one person, from all accounts together.
    public static let mostOpen = 2

    public let account: AccountID
    public let subject: HousePerson
    public let role: LinkRole
    public let request: RequestID
    public let asked: WallTime

    public init(
        account: AccountID, subject: HousePerson, role: LinkRole, request: RequestID, asked: WallTime
    ) {
        (self.account, self.subject, self.role) = (account, subject, role)
        (self.request, self.asked) = (request, asked)
    }
}
