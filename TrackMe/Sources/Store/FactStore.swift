public import Accounts
public import GatewayModel

/// Request of this server for the limits of a person's alarms, and the answer of the house.
public struct LimitSharing: Hashable, Sendable {
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The house has no answer yet.
        case asked
        case shared, refused, ended, expired
        /// The house has refused the command: `reason` has its code.
        case failed

        public var isOpen: Bool { self == .asked || self == .shared }
    }

    /// Requests for one person in a day: a person at home is not to be pestered.
    public static let mostInADay = 3

    public let subject: HousePerson
    public let request: RequestID
    public let state: State
    public let reason: String?
    public let asked: WallTime
    public let decided: WallTime?
    /// Empty unless they are shared.
    public let limits: [AlarmLimits]

    public init(
        subject: HousePerson, request: RequestID, state: State, reason: String?, asked: WallTime,
        decided: WallTime?, limits: [AlarmLimits]
    ) {
        (self.subject, self.request, self.state, self.reason) = (subject, request, state, reason)
        (self.asked, self.decided, self.limits) = (asked, decided, limits)
    }
}

/// Limits of a person's alarms, from a house that shares them with this server.
public struct StoredLimits: Hashable, Sendable {
    public let subject: HousePerson
    public let limits: [AlarmLimits]
    /// When the gateway found them: the newest count.
    public let time: WallTime

    public init(subject: HousePerson, limits: [AlarmLimits], time: WallTime) {
        (self.subject, self.limits, self.time) = (subject, limits, time)
    }
}

/// Limits of alarms that persons share with this server, one request for each person.
public protocol LimitStore: Sendable {
    /// Records the request and queues its command in one commit.
    ///
    /// - Throws: `StoreFault.notLinked`, `StoreFault.limitsAsked`, `StoreFault.tooManyLimitRequests`, or the error of `make`.
    func ask(
        _ request: RequestID, for subject: HousePerson, by account: AccountID, at now: WallTime,
        make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws
    /// Newest request for the person; nil if there was none.
    func sharing(of subject: HousePerson) async throws -> LimitSharing?
    /// Ends the request here at once, removes the limits, and queues the command in one commit. False if no request is open.
    ///
    /// - Parameter account: that acts for the person; nil for the server itself.
    /// - Throws: `StoreFault.notLinked`, or the error of `make`.
    func end(
        _ subject: HousePerson, by account: AccountID?, at now: WallTime,
        make: @escaping @Sendable (_ request: RequestID, _ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool
    /// Persons with an open request to whom no account is linked any more.
    func unlinked(most: Int) async throws -> [HousePerson]
}
