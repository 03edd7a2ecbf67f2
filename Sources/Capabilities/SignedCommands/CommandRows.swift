package import CloudCommands
import GatewayModel
package import Vault

/// Rows of the signed commands in `state.sqlite`.
package struct CommandRows: Sendable {
    /// Command that was acknowledged to the broker and not done.
    struct Waiting: Sendable {
        let number: Int64
        let token: [UInt8]
    }

    package let journal: CommandJournal
    /// JWK of the key that each key of the settings was rotated to, by the thumbprint of the latter.
    package let successors: [String: String]
    /// In the order of their arrival.
    let waiting: [Waiting]
    /// Signed receipts that the outbox may not have, by message ID.
    let receipts: [StateRow]

    /// - Parameter rows: returns the rows of a table, by key.
    package init(_ rows: (StateTable) throws(DiskFailure) -> [StateRow]) throws(DiskFailure) {
        let entries = try rows(.command).compactMap { row -> CommandJournal.Entry? in
            guard let number = Int64(row.key) else { return nil }
            return row.decoded(as: CommandJournal.Entry.self)?.numbered(number)
        }
        journal = CommandJournal(
            since: try rows(.commandMemory).first { $0.key == Self.since }?.decoded(), entries: entries,
            sequences: Self.dictionary(try rows(.commandSequence)))
        successors = Self.dictionary(try rows(.successorKey))
        waiting = try rows(.waitingCommand).compactMap { row in
            Int64(row.key).map { Waiting(number: $0, token: row.content) }
        }
        receipts = try rows(.receipt)
    }

    /// No rows.
    init() {
        (journal, successors, waiting, receipts) = (CommandJournal(), [:], [], [])
    }

    private static let since = "since"

    private static func dictionary<Value: Decodable>(_ rows: [StateRow]) -> [String: Value] {
        Dictionary(rows.compactMap { row in row.decoded(as: Value.self).map { (row.key, $0) } }) { first, _ in
            first
        }
    }

    // MARK: Changes

    static func change(since: WallTime) -> StateChange { .put(.commandMemory, Self.since, since) }

    /// - Parameter sequence: number of the command.
    static func changes(of entry: CommandJournal.Entry, sequence: Int64) -> [StateChange] {
        [
            .put(.command, StateChange.key(entry.number), entry),
            .put(.commandSequence, entry.issuer.text, sequence),
            .trim(.command, to: CommandJournal.kept),
        ]
    }

    static func change(successor key: PinnedKey, of thumbprint: String) -> StateChange {
        .put(.successorKey, thumbprint, key.jwk)
    }
}
