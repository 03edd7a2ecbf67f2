public import Accounts
public import CloudCommands
import FoundationEssentials
public import GatewayModel
public import Store

/// Asks houses to link accounts to their persons, and withdraws links.
public struct LinkService: Sendable {
    /// Party of the requests. The gateway knows the word: a link releases no reading to a third party.
    public static let party = "trackme-account"
    /// Time in which a house has to take a command. A gateway accepts at most 24 hours.
    static let commandLife = Duration.seconds(23 * 3_600)

    private let links: any LinkStore
    private let signer: IssuerSigner
    private let issuer: IssuerID
    /// Name of the server's operator, as the person at home reads it.
    private let operatorName: String
    private let clock: @Sendable () -> WallTime

    public init(
        links: any LinkStore, signer: IssuerSigner, issuer: IssuerID, operatorName: String,
        clock: @escaping @Sendable () -> WallTime
    ) {
        (self.links, self.signer, self.issuer) = (links, signer, issuer)
        (self.operatorName, self.clock) = (operatorName, clock)
    }

    /// Queues the question whether the account may be linked to the person.
    ///
    /// - Throws: `StoreFault.linkExists`, `StoreFault.tooManyLinks`.
    public func ask(_ account: Account, for subject: HousePerson) async throws -> LinkID {
        let now = clock()
        let request = Self.newRequest()
        let command = Request(
            party: Request.Party(name: "\(operatorName): \(account.user)"), person: subject.person.text,
            purpose: "Link the account \(account.user) at \(operatorName) to \(subject.person)",
            request: request.text)
        return try await links.ask(
            NewLink(account: account.id, subject: subject, request: request, asked: now)
        ) { sequence in
            try outgoing(
                command, about: request, to: subject.gateway, by: account, sequence: sequence, at: now)
        }
    }

    /// Ends the link here at once, and tells the house. False if the account has no such open link.
    public func end(_ link: LinkID, of account: Account) async throws -> Bool {
        let now = clock()
        return try await links.end(link, of: account.id, at: now) { link, sequence in
            try outgoing(
                Withdrawal(person: link.subject.person.text, request: link.request.text),
                about: link.request, to: link.subject.gateway, by: account, sequence: sequence, at: now)
        }
    }

    private func outgoing(
        _ command: some Encodable, about request: RequestID, to gateway: GatewayID, by account: Account,
        sequence: Int64, at now: WallTime
    ) throws -> OutgoingCommand {
        var generator = SystemRandomNumberGenerator()
        let id = MessageID(wall: now, using: &generator).description
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let claims = try IssuerSigner.claims(
            of: Array(try encoder.encode(command)), from: issuer, to: gateway, by: account.user.text,
            sequence: sequence, id: id, at: now, life: Self.commandLife)
        let end = now.millisecondsSince1970 + Self.commandLife.components.seconds * 1_000
        return OutgoingCommand(
            id: id, gateway: gateway, request: request, token: try signer.sign(claims: claims), created: now,
            expires: WallTime(millisecondsSince1970: end))
    }

    /// 128 random bits in 26 letters and digits.
    private static func newRequest() -> RequestID {
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
        var generator = SystemRandomNumberGenerator()
        let text = String((0..<26).map { _ in digits[Int.random(in: 0..<32, using: &generator)] })
        guard let request = RequestID("link-\(text)") else {
            preconditionFailure("request link-\(text): expected a name of the contract")
        }
        return request
    }
}

/// `request` of a link. It asks for no kinds.
private struct Request: Encodable {
    struct Party: Encodable {
        let id = LinkService.party
        let name: String
    }

    let type = "request"
    let kinds: [String] = []
    let party: Party
    let person: String
    let purpose: String
    let request: String
}

private struct Withdrawal: Encodable {
    let type = "withdraw"
    let person: String
    let request: String
}
