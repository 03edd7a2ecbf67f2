public import Accounts
public import GatewayModel

/// State of a command to a house.
public enum CommandState: String, CaseIterable, Hashable, Sendable {
    /// On its way.
    case sent
    case done
    case refused
    case noAnswer = "no-answer"
}

/// Command that sets how often readings of a kind are sent, with the answer of the house.
public struct IntervalCommand: Hashable, Sendable {
    /// Commands that an account may send in a day.
    public static let mostInADay = 50

    /// `jti` of the command.
    public let id: String
    public let account: AccountID
    public let subject: HousePerson
    public let kind: QuantityKind
    /// 0 goes back to the settings of the house.
    public let seconds: Int
    public let asked: WallTime
    public let state: CommandState
    /// Code of the house.
    public let reason: String?
    public let answered: WallTime?

    public init(
        id: String, account: AccountID, subject: HousePerson, kind: QuantityKind, seconds: Int, asked: WallTime,
        state: CommandState = .sent, reason: String? = nil, answered: WallTime? = nil
    ) {
        (self.id, self.account, self.subject, self.kind) = (id, account, subject, kind)
        (self.seconds, self.asked, self.state) = (seconds, asked, state)
        (self.reason, self.answered) = (reason, answered)
    }
}

/// Commands of accounts about intervals of samples.
public protocol IntervalStore: Sendable {
    /// Records a command and queues it in one commit.
    ///
    /// - Throws: `StoreFault.tooManyIntervals`, `StoreFault.notLinked`, or the error of `make`.
    func set(
        _ seconds: Int, for kind: QuantityKind, of subject: HousePerson, by account: AccountID,
        at now: WallTime, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws
    /// Of all accounts, newest first.
    func intervals(of subject: HousePerson, most: Int) async throws -> [IntervalCommand]
}
