public import GatewayModel

/// What must be remembered of commands, whatever is switched off in between: which were taken, how each came out,
/// and which keys have come in the place of others. Pure; kept on disk by whoever owns it.
public struct CommandJournal: Hashable, Codable, Sendable {
    /// How a command came out.
    public struct Outcome: Hashable, Codable, Sendable {
        /// Nil where it was done.
        public let reason: CommandRefusal.Reason?
        public let detail: String?

        public static func done(_ detail: String? = nil) -> Outcome { Outcome(reason: nil, detail: detail) }
        public static func refused(_ refusal: CommandRefusal) -> Outcome {
            Outcome(reason: refusal.reason, detail: refusal.detail)
        }
    }

    /// One command that was taken.
    public struct Entry: Hashable, Codable, Sendable {
        public let issuer: IssuerID
        public let id: String
        /// SHA-256 of its claims: another command under the same id is not the same command.
        public let digest: String
        /// Nil while it is being done, and for good where the gateway died in it.
        public fileprivate(set) var outcome: Outcome?
    }

    /// Of how many commands the outcome is remembered, all issuers together. An older one that comes again is
    /// refused by its sequence.
    public static let kept = 256

    /// Since when it remembers; what was issued before may have been done already. Nil until the clock is right.
    public private(set) var since: WallTime?
    /// In the order in which they were taken.
    public private(set) var entries: [Entry] = []
    /// The highest taken of each issuer.
    private var sequences: [String: Int64] = [:]
    /// The JWK that came in the place of a key of the settings, by that key's thumbprint.
    public private(set) var successors: [String: String] = [:]

    public init() {}

    /// The clock is right, and it is `now`.
    public mutating func begin(at now: WallTime) {
        if since == nil { since = now }
    }

    public func sequence(of issuer: IssuerID) -> Int64 { sequences[issuer.text] ?? 0 }

    public func entry(_ name: CommandName) -> Entry? {
        entries.last { $0.issuer == name.issuer && $0.id == name.id }
    }

    /// From here on `command` is used up.
    public mutating func take(_ command: VerifiedCommand) {
        sequences[command.name.issuer.text] = max(command.name.sequence, sequence(of: command.name.issuer))
        entries.append(Entry(issuer: command.name.issuer, id: command.name.id, digest: command.digest))
        if entries.count > Self.kept { entries.removeFirst(entries.count - Self.kept) }
    }

    public mutating func note(_ outcome: Outcome, of name: CommandName) {
        guard let index = entries.lastIndex(where: { $0.issuer == name.issuer && $0.id == name.id }) else {
            return
        }
        entries[index].outcome = outcome
    }

    public mutating func succeed(_ thumbprint: String, by key: PinnedKey) {
        successors[thumbprint] = key.jwk
    }
}
