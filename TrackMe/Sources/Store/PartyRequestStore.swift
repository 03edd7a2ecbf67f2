public import Accounts
public import GatewayModel
public import Parties

/// A request before the store has found its person.
public struct NewPartyRequest: Sendable {
    /// Requests that a party may send in a day, to known and unknown fiscal codes alike: more would be a search for
    /// members.
    public static let mostInADay = 100
    /// Requests of one party that a person is asked about in a day: a person at home is not to be pestered. Further ones
    /// stay unanswered, as if the fiscal code were unknown.
    public static let mostOfOnePersonInADay = 3

    public let id: RequestID
    public let party: PartyID
    /// Look-up value of the fiscal code.
    public let lookUp: [UInt8]
    public let terms: RequestTerms
    public let idempotencyKey: String
    /// SHA-256 of the request as it came.
    public let digest: [UInt8]
    public let asked: WallTime

    public init(
        id: RequestID, party: PartyID, lookUp: [UInt8], terms: RequestTerms, idempotencyKey: String,
        digest: [UInt8], asked: WallTime
    ) {
        (self.id, self.party, self.lookUp, self.terms) = (id, party, lookUp, terms)
        (self.idempotencyKey, self.digest, self.asked) = (idempotencyKey, digest, asked)
    }
}

/// A request as its person sees it.
public struct PersonRequest: Hashable, Sendable {
    public let request: PartyRequest
    public let partyName: String
    public let partyState: PartyState
    /// Copies that the party has read.
    public let read: Int
    public let lastRead: WallTime?

    public init(
        request: PartyRequest, partyName: String, partyState: PartyState, read: Int, lastRead: WallTime?
    ) {
        (self.request, self.partyName, self.partyState) = (request, partyName, partyState)
        (self.read, self.lastRead) = (read, lastRead)
    }
}

/// Requests of third parties.
public protocol PartyRequestStore: Sendable {
    /// Keeps a request, and queues its command in the same commit if the house of a linked person gives the fiscal code.
    /// `make` is called in any case, so that the answer takes the same time.
    ///
    /// - Returns: the request; the earlier one where the same came before under its idempotency key.
    /// - Throws: `StoreFault.idempotencyKeyUsed`, `StoreFault.tooManyRequests`, `StoreFault.partyNotApproved`, or the error of
    ///   `make`.
    func ask(
        _ request: NewPartyRequest,
        make: @escaping @Sendable (_ subject: HousePerson?, _ sequence: Int64) throws -> OutgoingCommand?
    ) async throws -> PartyRequest

    /// Newest first.
    func requests(of party: PartyID, most: Int) async throws -> [PartyRequest]
    func request(_ id: RequestID, of party: PartyID) async throws -> PartyRequest?
    /// Newest first.
    func requests(about subject: HousePerson, most: Int) async throws -> [PersonRequest]
    /// Ends an open request about the person at once, and queues its withdrawal in the house in the same commit. False if
    /// there was none.
    ///
    /// - Throws: `StoreFault.notLinked` unless the account may act for the person, or the error of `make`.
    func close(
        _ id: RequestID, about subject: HousePerson, by account: AccountID, at now: WallTime,
        make: @escaping @Sendable (_ sequence: Int64) throws -> OutgoingCommand
    ) async throws -> Bool
    /// Ends open requests of closed parties, and queues a withdrawal in the same commit for each that a house was asked; also
    /// for requests that were accepted in the house after their end, or after the removal of their party.
    ///
    /// - Parameter most: requests of this commit.
    /// - Returns: the number of requests; below `most` none is left.
    func withdrawOwed(
        at now: WallTime, most: Int,
        make:
            @escaping @Sendable (_ request: RequestID, _ subject: HousePerson, _ sequence: Int64) throws ->
            OutgoingCommand
    ) async throws -> Int
    /// Ends requests whose time is over.
    func expireRequests(at now: WallTime) async throws
}
