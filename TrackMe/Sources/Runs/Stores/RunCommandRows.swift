import Foundation
import GatewayModel
import RunBeacon
import SQLDatabase
import Store

/// Commands that bring the boxes of runs from the revision that they were sent to the present one (ADR 58).
enum RunCommandRows {
    /// Commands of one commit of `reconcile`.
    private static let mostCommands = 200

    static func commands(of run: RunID, most: Int, _ db: Database) throws -> [RunCommandRecord] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM run_command WHERE run = ? ORDER BY asked DESC, id DESC LIMIT ?",
            arguments: [run.text, most]
        ).compactMap { row in
            guard let gateway = GatewayID(row["gateway"] as String),
                let state = CommandState(rawValue: row["state"])
            else { return nil }
            return RunCommandRecord(
                gateway: gateway, type: row["type"], asked: WallTime(millisecondsSince1970: row["asked"]),
                state: state, reason: row["reason"])
        }
    }

    static func reconcile(
        at now: WallTime, sign: (RunCommand, GatewayID, Int64, WallTime) throws -> OutgoingCommand,
        _ db: Database
    ) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT run_box.run AS run, gateway, sent, gone, revision, defined, cancelled FROM run_box
                JOIN run ON run.id = run_box.run WHERE (gone = 0 AND sent < revision) OR gone = 1
                ORDER BY run_box.run, gateway
                """)
        var count: Int64 = 0
        for row in rows where count < Self.mostCommands {
            guard let id = RunID(row["run"] as String), let gateway = GatewayID(row["gateway"] as String)
            else { continue }
            for command in try Self.commands(id, since: row["sent"], row, db) {
                // A time of its own for each: the outbox sends by it, and enrolments follow their run.
                let at = WallTime(millisecondsSince1970: now.millisecondsSince1970 + count)
                count += 1
                let sequence = try CommandOutbox.nextSequence(db, at: now)
                let outgoing = try sign(command, gateway, sequence, at)
                try CommandOutbox.enqueue(outgoing, db)
                try db.execute(
                    sql: """
                        INSERT INTO run_command (id, run, gateway, type, asked, expires, state)
                        VALUES (?, ?, ?, ?, ?, ?, 'sent')
                        """,
                    arguments: [
                        outgoing.id, id.text, gateway.text, command.type, at.millisecondsSince1970,
                        outgoing.expires.millisecondsSince1970,
                    ])
            }
            try db.execute(
                sql: """
                    UPDATE run_box SET sent = ?, gone = CASE gone WHEN 0 THEN 0 ELSE 2 END
                    WHERE run = ? AND gateway = ?
                    """,
                arguments: [row["revision"] as Int64, id.text, gateway.text])
        }
        try db.execute(
            sql: "UPDATE run_command SET state = 'no-answer' WHERE state = 'sent' AND expires <= ?",
            arguments: [now.millisecondsSince1970])
    }

    private static func commands(
        _ id: RunID, since sent: Int64, _ row: Row, _ db: Database
    ) throws -> [RunCommand] {
        if row["cancelled"] == 1 || row["gone"] == 1 { return sent == 0 ? [] : [.cancel(id)] }
        guard let run = try RunStore.run(id, db) else { return [] }
        var commands: [RunCommand] = []
        if sent == 0 {
            commands.append(.create(id, run.definition.outline))
        } else if row["defined"] as Int64 > sent {
            commands.append(.change(id, run.definition.outline))
        }
        let changed = try Row.fetchAll(
            db,
            sql: "SELECT bib, gone, entrant FROM run_participant WHERE run = ? AND revision > ? ORDER BY bib",
            arguments: [id.text, sent])
        // Before new enrolments: a tag may have gone to another runner.
        let left = changed.filter { $0["gone"] == 1 }.compactMap { Bib($0["bib"]) }
        if sent > 0 {
            commands += chunks(left).map { .leave(id, $0) }
        }
        let present = try changed.filter { $0["gone"] == 0 }.map {
            try RunStore.read(Entrant.self, $0["entrant"])
        }
        return commands + chunks(present).map { .enrol(id, $0) }
    }

    private static func chunks<Element>(_ all: [Element]) -> [[Element]] {
        stride(from: 0, to: all.count, by: RunCommand.mostParticipants).map {
            Array(all[$0..<min($0 + RunCommand.mostParticipants, all.count)])
        }
    }
}
