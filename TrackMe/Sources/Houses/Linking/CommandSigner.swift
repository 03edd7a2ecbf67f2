public import CloudCommands
import FoundationEssentials
public import GatewayModel
public import Store

/// Signs the commands of this server for its outbox.
public struct CommandSigner: Sendable {
    /// Time in which a house has to take a command. A gateway accepts at most 24 hours.
    private static let life = Duration.seconds(23 * 3_600)

    private let signer: IssuerSigner
    private let issuer: IssuerID

    public init(_ signer: IssuerSigner, as issuer: IssuerID) { (self.signer, self.issuer) = (signer, issuer) }

    /// - Parameters:
    ///   - request: nil for a command about no request.
    ///   - by: name of the requester, as the house records it.
    ///   - sequence: of the issuer, from the outbox.
    public func command(
        _ command: some Encodable, about request: RequestID?, to gateway: GatewayID, by name: String,
        sequence: Int64, at now: WallTime
    ) throws -> OutgoingCommand {
        var generator = SystemRandomNumberGenerator()
        let id = MessageID(wall: now, using: &generator).description
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let claims = try IssuerSigner.claims(
            of: Array(try encoder.encode(command)), from: issuer, to: gateway, by: name, sequence: sequence,
            id: id, at: now, life: Self.life)
        return OutgoingCommand(
            id: id, gateway: gateway, request: request, token: try signer.sign(claims: claims), created: now,
            expires: now.advanced(by: Self.life), isWithdrawal: command is RequestWithdrawal)
    }

    /// The same withdrawal under an ID and a number of its own, for a house that was away for longer than a command lives.
    func renewed(_ command: OutgoingCommand, sequence: Int64, at now: WallTime) throws -> OutgoingCommand {
        let parts = command.token.split(separator: UInt8(ascii: "."))
        let claims = parts.count == 3 ? Base64URL.decode(parts[1]) : nil
        let old = try JSONDecoder().decode(WithdrawalClaims.self, from: Data(claims ?? []))
        return try self.command(
            RequestWithdrawal(of: old.cmd.request, by: old.cmd.person), about: command.request,
            to: command.gateway, by: old.by, sequence: sequence, at: now)
    }

    /// 128 random bits in 26 letters and digits.
    public static func newRequest(_ kind: StaticString) -> RequestID {
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
        var generator = SystemRandomNumberGenerator()
        let text = String((0..<26).map { _ in digits[Int.random(in: 0..<32, using: &generator)] })
        guard let request = RequestID("\(kind)-\(text)") else {
            preconditionFailure("request \(kind)-\(text): expected a name of the contract")
        }
        return request
    }
}

/// Command `withdraw`.
public struct RequestWithdrawal: Encodable, Sendable {
    private let type = "withdraw"
    private let person: String
    private let request: String

    public init(of request: RequestID, by person: PersonID) {
        self.init(of: request.text, by: person.text)
    }

    fileprivate init(of request: String, by person: String) {
        (self.request, self.person) = (request, person)
    }
}

/// Claims of a withdrawal of this server.
private struct WithdrawalClaims: Decodable {
    struct Command: Decodable {
        let person, request: String
    }

    let by: String
    let cmd: Command
}
