import Foundation
public import GatewayModel
public import SQLDatabase

/// Outbox of commands, for the transactions of each capability that asks houses for something.
public enum CommandOutbox {
    /// Returns a number above each earlier one, and at least the time in milliseconds: the counter outlives the loss of
    /// the database.
    public static func nextSequence(_ db: Database, at now: WallTime) throws -> Int64 {
        try Int64.fetchOne(
            db,
            sql: """
                INSERT INTO issuer_sequence (one, last) VALUES (1, ?)
                ON CONFLICT (one) DO UPDATE SET last = \(db.dialect.greatest("issuer_sequence.last + 1", "excluded.last")) RETURNING last
                """, arguments: [now.millisecondsSince1970]) ?? now.millisecondsSince1970
    }

    /// Queues a command under the last number of `nextSequence` in this transaction. A house refuses a number below one that it
    /// has seen, so commands leave in the order of their numbers, whatever the clocks of the servers show.
    public static func enqueue(_ command: OutgoingCommand, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO command (id, gateway, request, token, created, expires, next, is_withdrawal, sequence)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT last FROM issuer_sequence))
                """,
            arguments: [
                command.id, command.gateway.text, command.request?.text, Data(command.token),
                command.created.millisecondsSince1970, command.expires.millisecondsSince1970,
                command.created.millisecondsSince1970, command.isWithdrawal,
            ])
    }
}
