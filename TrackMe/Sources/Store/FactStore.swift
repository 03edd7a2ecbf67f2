public import Accounts
public import GatewayModel

/// Lasting fact about a person that a house gives to this server after a yes to a question about this fact alone. The names
/// are those of the contract.
public enum FactKind: String, CaseIterable, Hashable, Sendable {
    case limits
    case fiscalCode = "profile-fiscal-code"
}

/// Fact of a house.
public enum FactValue: Hashable, Sendable {
    case limits([AlarmLimits])
    /// Look-up value of the fiscal code; nil where the house has no code.
    case fiscalCode(lookUp: [UInt8]?)

    public var kind: FactKind {
        switch self {
        case .limits: .limits
        case .fiscalCode: .fiscalCode
        }
    }
}

/// Request of this server for a fact about a person, and the answer of the house.
public struct FactSharing: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The house has no answer yet.
        case asked
        case shared, refused, ended, expired
        /// The house has refused the command: `reason` has its code.
        case failed

        public var isOpen: Bool { self == .asked || self == .shared }
    }

    /// Requests for one fact of a person in a day: a person at home is not to be pestered.
    public static let mostInADay = 3

    public let subject: HousePerson
    public let request: RequestID
    public let state: State
    public let reason: String?
    public let asked: WallTime
    public let decided: WallTime?
    /// Nil unless it is shared and has arrived.
    public let value: FactValue?

    public init(
        subject: HousePerson, request: RequestID, state: State, reason: String?, asked: WallTime,
        decided: WallTime?, value: FactValue?
    ) {
        (self.subject, self.request, self.state, self.reason) = (subject, request, state, reason)
        (self.asked, self.decided, self.value) = (asked, decided, value)
    }

    /// Empty unless they are shared.
    public var limits: [AlarmLimits] { if case .limits(let limits) = value { limits } else { [] } }
}

/// Fact as a house sent it.
public struct StoredFact: Hashable, Sendable {
    public let subject: HousePerson
    public let value: FactValue
    /// The request that it answers; nil of a gateway before 1.9 of the contract.
    public let request: RequestID?
    /// When the gateway found it: the newest counts.
    public let time: WallTime

    public init(subject: HousePerson, value: FactValue, request: RequestID?, time: WallTime) {
        (self.subject, self.value, self.request, self.time) = (subject, value, request, time)
    }
}

/// Person with a fiscal code that a second house gives for another person, and the users of the linked accounts.
public struct FiscalCodeHolder: Hashable, Sendable, CustomStringConvertible {
    public let subject: HousePerson
    public let users: [UserName]

    public init(_ subject: HousePerson, users: [UserName]) { (self.subject, self.users) = (subject, users) }

    public var description: String {
        "\(subject.person) of \(subject.gateway) (\(users.map(\.text).joined(separator: ", ")))"
    }
}

/// Facts that persons share with this server, one open request for each person and kind.
public protocol FactStore: Sendable {
    /// Records the request and queues its command in one commit.
    ///
    /// - Throws: `StoreFault.notLinked`, `StoreFault.factAsked`, `StoreFault.tooManyFactRequests`, or the error of `make`.
    func ask(
        _ request: RequestID, about kind: FactKind, of subject: HousePerson, by account: AccountID,
        at now: WallTime, make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws
    /// Newest request for the fact; nil if there was none.
    func sharing(_ kind: FactKind, of subject: HousePerson) async throws -> FactSharing?
    /// Ends the request here at once, removes the fact, and queues the command in one commit. False if no request is open.
    ///
    /// - Parameter account: that acts for the person; nil for the server itself.
    /// - Throws: `StoreFault.notLinked`, or the error of `make`.
    func end(
        _ kind: FactKind, of subject: HousePerson, by account: AccountID?, at now: WallTime,
        make: @escaping @Sendable (_ request: RequestID, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool
    /// Open requests of persons without a linked account.
    func unlinked(most: Int) async throws -> [(kind: FactKind, subject: HousePerson)]
    /// Fiscal codes that houses give for more than one linked person. The first person of each had the code first, and is
    /// found by it; the others are not.
    func contestedCodes() async throws -> [[FiscalCodeHolder]]
}
