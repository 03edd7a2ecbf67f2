import Crypto
public import GatewayModel
import RunBeacon
import SOSLocal

/// A command that holds: of an issuer that is pinned, to this gateway, of this time, and not taken before.
public struct VerifiedCommand: Sendable {
    public let name: CommandName
    /// Requester in words.
    public let by: String
    public let kind: CommandKind
    public let command: CloudCommand
    /// The key that signed it.
    public let key: PinnedKey
    /// SHA-256 of its claims, base64url.
    public let digest: String
}

/// Carries a command out, and returns its outcome.
public typealias CommandHandler = @Sendable (VerifiedCommand) async -> CommandJournal.Outcome

/// Verdict on a message on the topic of commands.
public enum CommandVerdict: Sendable {
    case fresh(VerifiedCommand)
    /// It was taken before. With the command, for an act that is safe to do a second time.
    case repeated(VerifiedCommand, CommandJournal.Entry)
    /// `of` is nil where the sender or the command's id is not known.
    case refused(CommandRefusal, of: CommandName?)
}

/// Judges a received message: bytes, pinned keys, time and journal in, verdict out. No clock, no I/O.
public struct CommandVerifier: Sendable {
    /// The wall clock, and whether it may be believed.
    public struct Time: Hashable, Sendable {
        public let now: WallTime
        public let isRight: Bool

        public init(now: WallTime, isRight: Bool) {
            (self.now, self.isRight) = (now, isRight)
        }
    }

    /// Seconds by which the issuer's clock may be ahead or behind: two clocks that are set differ by less than one,
    /// and a minute more of life for an old command opens nothing, as it is used once.
    private static let leeway: Int64 = 60
    /// Seconds a command may live: a gateway that was away for a day does not carry out the commands of
    /// yesterday.
    private static let longestLife: Int64 = 86_400

    public let gateway: GatewayID
    public var issuers: [PinnedIssuer]

    public init(gateway: GatewayID, issuers: [PinnedIssuer]) {
        (self.gateway, self.issuers) = (gateway, issuers)
    }

    public func judge(_ bytes: [UInt8], at time: Time, _ journal: CommandJournal) -> CommandVerdict {
        let (key, issuer, token): (PinnedKey, PinnedIssuer, CommandToken)
        do throws(CommandRefusal) {
            token = try CommandToken(bytes)
            (key, issuer) = try issuers.authenticate(token)
        } catch {
            return .refused(error, of: nil)
        }
        let claims: CommandClaims
        do throws(CommandClaims.Unreadable) {
            claims = try CommandClaims(token.claims)
        } catch {
            // Somebody else's name is not repeated.
            return .refused(error.refusal, of: error.name?.issuer == issuer.id ? error.name : nil)
        }
        guard claims.name.issuer == issuer.id else {
            return .refused(CommandRefusal(.wrongIssuer, "iss is not the issuer whose key signed it"), of: nil)
        }
        let command = VerifiedCommand(
            name: claims.name, by: claims.by, kind: claims.kind, command: claims.command, key: key,
            digest: Base64URL.encode(Array(SHA256.hash(data: token.claims))))
        do throws(CommandRefusal) {
            guard claims.audience == gateway.text else {
                throw CommandRefusal(.wrongAudience, "aud is not this gateway")
            }
            // Before its time is checked: an issuer that asks again because no receipt came is to get it.
            if let entry = journal.entry(claims.name) {
                guard entry.digest == command.digest else {
                    throw CommandRefusal(.idUsed, "another command had this jti: give each its own")
                }
                return .repeated(command, entry)
            }
            try checkTime(claims, time, journal)
            let last = journal.sequence(of: issuer.id)
            guard claims.name.sequence > last else {
                throw CommandRefusal(
                    .sequenceNotRising, "seq is \(claims.name.sequence), expected more than \(last)")
            }
            guard issuer.may.contains(claims.kind) else {
                throw CommandRefusal(.notAllowed, "this issuer may not ask for \(claims.kind.rawValue)")
            }
            if case .run(let order) = claims.command, let runs = issuer.runs,
                !runs.contains(where: { $0.matches(order.run) })
            {
                throw CommandRefusal(
                    .notAllowed, "this issuer may not ask for anything of the run \(order.run)")
            }
            return .fresh(command)
        } catch {
            return .refused(error, of: claims.name)
        }
    }

    private func checkTime(
        _ claims: CommandClaims, _ time: Time, _ journal: CommandJournal
    ) throws(CommandRefusal) {
        guard claims.expires > claims.issued, claims.expires - claims.issued <= Self.longestLife else {
            throw CommandRefusal(
                .lifetimeTooLong,
                "from iat to exp are \(claims.expires - claims.issued) s, expected 1 to "
                    + "\(Self.longestLife)")
        }
        guard time.isRight else {
            // A command that only ends something opens no hole at any age; it is still used once, in its order.
            guard !claims.command.onlyEnds else { return }
            throw CommandRefusal(.clockNotSet, "the gateway does not know the time yet: send it again later")
        }
        let now = time.now.millisecondsSince1970 / 1_000
        guard claims.issued <= now + Self.leeway else {
            throw CommandRefusal(
                .issuedInFuture, "iat is \(claims.issued - now) s ahead, expected at most \(Self.leeway)")
        }
        guard claims.expires + Self.leeway > now else {
            throw CommandRefusal(.expired, "exp was \(now - claims.expires) s ago")
        }
        if let since = journal.since, claims.issued < since.millisecondsSince1970 / 1_000 {
            throw CommandRefusal(
                .issuedBeforeMemory, "it was issued before the gateway began to remember commands: ask anew")
        }
    }
}

extension [PinnedIssuer] {
    /// Returns the key that signed `token`: found by its `kid` alone, used with its own algorithm alone.
    func authenticate(_ token: CommandToken) throws(CommandRefusal) -> (PinnedKey, PinnedIssuer) {
        for issuer in self {
            guard let key = issuer.keys.first(where: { $0.id == token.keyID }) else { continue }
            guard key.algorithm.rawValue == token.algorithm else {
                throw CommandRefusal(.algorithmRefused, "alg is not the one that this key is for")
            }
            guard key.verifies(token.signature, of: token.signed) else {
                throw CommandRefusal(.badSignature, "the signature is not of this key")
            }
            return (key, issuer)
        }
        throw CommandRefusal(.unknownKey, "no key with this kid is pinned")
    }
}

extension VerifiedCommand {
    /// See `CloudCommand.onlyEnds`.
    public var onlyEnds: Bool { command.onlyEnds }
}

extension CommandVerifier {
    /// SHA-256 of a message as it came, base64url: by which a receipt names a message that has no readable id.
    public static func digest(of message: [UInt8]) -> String {
        Base64URL.encode(Array(SHA256.hash(data: message)))
    }
}

extension CloudCommand {
    /// Whether all it can do, however late it comes, is end a disclosure, or a call for help that it names. An
    /// abort of "the" alarm is not: held back and let go later it would end another one.
    var onlyEnds: Bool {
        switch self {
        case .abort(.alarm), .decide(_, _, .withdrawn), .run(.leave(_, _)): true
        default: false
        }
    }
}

/// Check that a receipt is of one gateway, for a consumer before it believes the receipt.
public struct ReceiptCheck: Sendable {
    private let key: PinnedKey

    /// - Parameter jwk: the gateway's public key, as `homegateway contract keys` shows it.
    public init(jwk: [UInt8]) async throws(PinnedKey.Fault) {
        key = try await PinnedKey(jwk: jwk)
    }

    /// The claims of `receipt`, JSON, once its signature holds.
    ///
    /// - Throws: why it is not believed.
    public func claims(of receipt: [UInt8]) throws(CommandRefusal) -> [UInt8] {
        let parts = receipt.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]),
            let claims = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw CommandRefusal(.malformed, "expected a compact JWS") }
        let expected = #"{"alg":"EdDSA","kid":"\#(key.id)","typ":"\#(GatewayIdentity.receiptType)"}"#
        guard header == Array(expected.utf8) else {
            throw CommandRefusal(.unknownKey, "expected the header \(expected)")
        }
        guard key.verifies(signature, of: Array(receipt[..<parts[1].endIndex])) else {
            throw CommandRefusal(.badSignature, "the signature is not of this key")
        }
        return claims
    }
}
