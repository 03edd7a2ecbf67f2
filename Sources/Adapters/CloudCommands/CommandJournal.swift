public import GatewayModel

/// Memory of the commands that were taken: their outcomes, and the highest number of each issuer. Pure; its owner keeps
/// it on the disk.
public struct CommandJournal: Hashable, Sendable {
    /// Result of a command.
    public struct Outcome: Hashable, Codable, Sendable {
        /// Nil where it was done.
        public let reason: CommandRefusal.Reason?
        public let detail: String?
        /// True where it waits for a yes in the house; nil otherwise, as in rows of earlier versions.
        private let waits: Bool?

        public var isWaiting: Bool { waits == true }

        public static func done(_ detail: String? = nil) -> Outcome {
            Outcome(reason: nil, detail: detail, waits: nil)
        }
        public static func waits(_ detail: String) -> Outcome {
            Outcome(reason: nil, detail: detail, waits: true)
        }
        public static func refused(_ refusal: CommandRefusal) -> Outcome {
            Outcome(reason: refusal.reason, detail: refusal.detail, waits: nil)
        }
    }

    /// One command that was taken.
    public struct Entry: Hashable, Codable, Sendable {
        private enum CodingKeys: String, CodingKey { case issuer, id, digest, outcome }

        public let issuer: IssuerID
        public let id: String
        /// SHA-256 of its claims: another command under the same id is not the same command.
        public let digest: String
        /// Nil while it is being done, and for good where the gateway died in it.
        public fileprivate(set) var outcome: Outcome?
        /// Place in the order in which the commands were taken.
        public fileprivate(set) var number: Int64 = 0

        /// This entry with its place.
        public func numbered(_ number: Int64) -> Entry {
            var entry = self
            entry.number = number
            return entry
        }

        /// This entry with another outcome.
        public func with(_ outcome: Outcome?) -> Entry {
            var entry = self
            entry.outcome = outcome
            return entry
        }
    }

    /// Number of commands whose outcome is remembered, all issuers together. An older one that comes again is
    /// refused by its sequence.
    public static let kept = 256

    /// Time since which it remembers; a command that was issued before may have been done already. Nil until the clock
    /// is right.
    public private(set) var since: WallTime?
    /// In the order in which they were taken.
    public private(set) var entries: [Entry]
    /// The highest taken of each issuer.
    private var sequences: [String: Int64]

    public init(since: WallTime? = nil, entries: [Entry] = [], sequences: [String: Int64] = [:]) {
        (self.since, self.sequences) = (since, sequences)
        self.entries = entries.sorted { $0.number < $1.number }.suffix(Self.kept)
    }

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
        let number = (entries.last?.number ?? -1) + 1
        entries.append(
            Entry(issuer: command.name.issuer, id: command.name.id, digest: command.digest, number: number))
        if entries.count > Self.kept { entries.removeFirst(entries.count - Self.kept) }
    }

    public mutating func record(_ outcome: Outcome, of name: CommandName) {
        guard let index = entries.lastIndex(where: { $0.issuer == name.issuer && $0.id == name.id }) else {
            return
        }
        entries[index].outcome = outcome
    }
}
