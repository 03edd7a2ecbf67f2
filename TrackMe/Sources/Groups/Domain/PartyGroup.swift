public import GatewayModel

/// Number of a group in the store. Never reused.
public struct GroupID: Hashable, Sendable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public init?(_ text: String) {
        guard let number = Int64(text), number > 0, String(number) == text else { return nil }
        self.number = number
    }

    public var description: String { String(number) }
}

/// Group that a party asked for. It is answered out of each later table until it is ended.
public struct PartyGroup: Hashable, Sendable {
    public let id: GroupID
    public let party: PartyID
    public let question: GroupQuestion
    public let asked: WallTime
    /// Newest week that was released when it was asked for: the first one that is answered. Nil before the first release.
    public let first: Week?
    public let ended: WallTime?

    public init(
        id: GroupID, party: PartyID, question: GroupQuestion, asked: WallTime, first: Week?, ended: WallTime?
    ) {
        (self.id, self.party, self.question) = (id, party, question)
        (self.asked, self.first, self.ended) = (asked, first, ended)
    }
}

/// A group before the store has given it a number.
public struct NewGroup: Hashable, Sendable {
    /// Groups that a party may ask for in a day.
    public static let mostInADay = 100

    public let party: PartyID
    public let question: GroupQuestion
    public let idempotencyKey: String
    /// SHA-256 of the request as it came.
    public let digest: [UInt8]
    public let asked: WallTime

    public init(
        party: PartyID, question: GroupQuestion, idempotencyKey: String, digest: [UInt8], asked: WallTime
    ) {
        (self.party, self.question, self.idempotencyKey) = (party, question, idempotencyKey)
        (self.digest, self.asked) = (digest, asked)
    }
}
