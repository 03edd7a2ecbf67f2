import Accounts
import GatewayModel
import SQLDatabase

/// States of the commands that accounts have sent. Each table has the columns `id`, `account`, `gateway`, `state`, `reason`
/// and `answered`.
enum CommandStates {
    private static let tables: [StaticString] = ["interval_command", "heartbeat_command"]

    static func apply(_ answer: CommandAnswer, _ db: Database) throws {
        let state: CommandState = answer.refusal == nil ? .done : .refused
        for table in tables {
            try db.execute(
                sql: """
                    UPDATE \(table) SET state = ?, reason = ?, answered = ?
                    WHERE id = ? AND gateway = ? AND state <> 'done'
                    """,
                arguments: [
                    state.rawValue, answer.refusal.map { String($0.prefix(64)) },
                    answer.at.millisecondsSince1970, answer.command, answer.gateway.text,
                ])
        }
    }

    /// Marks the commands that end without a receipt, before the outbox forgets them.
    static func expire(at now: WallTime, _ db: Database) throws {
        for table in tables {
            try db.execute(
                sql: """
                    UPDATE \(table) SET state = 'no-answer', answered = :now WHERE state = 'sent'
                        AND id IN (SELECT id FROM command WHERE expires <= :now)
                    """, arguments: ["now": now.millisecondsSince1970])
        }
    }

    /// Removes the account's commands from the outbox: each names its user.
    static func removeCommands(of account: AccountID, _ db: Database) throws {
        for table in tables {
            try db.execute(
                sql: "DELETE FROM command WHERE id IN (SELECT id FROM \(table) WHERE account = ?)",
                arguments: [account.number])
        }
    }
}
