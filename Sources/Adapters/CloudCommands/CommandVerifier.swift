internal import Crypto
public import GatewayModel
internal import RunBeacon
internal import SOSLocal

/// A command that holds: of an issuer that is pinned, to this gateway, of this time, and not taken before.
public struct VerifiedCommand: Sendable {
    public let name: CommandName
    /// Who asks, in words.
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

/// What a message on the topic of commands is.
public enum CommandVerdict: Sendable {
    case fresh(VerifiedCommand)
    /// It was taken before. With the command, for what is safe to do a second time.
    case repeated(VerifiedCommand, CommandJournal.Entry)
    /// `of` is nil where it is not known who sent it, or as what.
    case refused(CommandRefusal, of: CommandName?)
}

/// Judges what came, byte by byte: bytes, pinned keys, time and journal in, verdict out. No clock, no I/O.
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
    static let leeway: Int64 = 60
    /// Seconds a command may live: a gateway that was away for a day is not told today what was meant yesterday.
    static let longestLife: Int64 = 86_400

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
            // Before its time is looked at: whoever asks again because no receipt came is to have it.
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
            // What only ends something opens no hole, however old it is; it is still used once, in its order.
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
    /// SHA-256 of a message as it came, base64url: by which a receipt names what it cannot name otherwise.
    public static func digest(of message: [UInt8]) -> String {
        Base64URL.encode(Array(SHA256.hash(data: message)))
    }
}

extension CloudCommand {
    /// Whether all it can do, however late it comes, is end what somebody gets, or a call for help that it names.
    /// An abort of "the" alarm is not: held back and let go later it would end another one.
    var onlyEnds: Bool {
        switch self {
        case .abort(.alarm), .decide(_, _, .withdrawn), .run(.leave(_, _)): true
        default: false
        }
    }
}
