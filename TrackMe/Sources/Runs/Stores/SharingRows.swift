import Accounts
import Foundation
import GatewayModel
import RunBeacon
import SQLDatabase
import Store

/// Sharings of runners with spectators, and the readings that came by their grants.
enum SharingRows {
    static let migration = Migration("runs-3") { db in
        try db.execute(
            sql: """
                -- sent: 0 nothing, 1 the question, 2 all.
                CREATE TABLE run_sharing (
                    request TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, bib INTEGER NOT NULL,
                    gateway TEXT NOT NULL, person TEXT NOT NULL, state TEXT NOT NULL, reason TEXT,
                    asked INTEGER NOT NULL, entry INTEGER, number INTEGER, command TEXT, sent INTEGER NOT NULL
                ) STRICT;
                CREATE UNIQUE INDEX open_run_sharing ON run_sharing (run, bib) WHERE state IN ('asked', 'shared');
                CREATE INDEX run_sharing_person ON run_sharing (gateway, person, asked);
                CREATE INDEX run_sharing_due ON run_sharing (state) WHERE sent < 2;
                CREATE TABLE run_vital (
                    request TEXT NOT NULL REFERENCES run_sharing ON DELETE CASCADE, kind TEXT NOT NULL,
                    value REAL NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (request, kind)
                ) STRICT;
                """)
    }

    /// Time of the answer at home, and of the end.
    static let times = Migration("runs-4") { db in
        try db.execute(
            sql: """
                ALTER TABLE run_sharing ADD COLUMN decided INTEGER;
                ALTER TABLE run_sharing ADD COLUMN ended INTEGER;
                """)
    }

    static let export = ExportList(
        "run_sharings", of: .person, tables: ["run_sharing"],
        [
            .text("run"), .number("bib"), .text("state"), .text("reason"), .time("asked"), .time("decided"),
            .time("ended"),
        ], "FROM run_sharing WHERE gateway = :gateway AND person = :person ORDER BY asked, request")

    static let vitals = ExportList(
        "run_readings", of: .person, tables: ["run_vital"],
        [.text("run"), .number("bib"), .text("kind"), .number("value"), .time("time")],
        """
        FROM run_vital JOIN run_sharing ON run_sharing.request = run_vital.request
        WHERE gateway = :gateway AND person = :person ORDER BY run, bib, kind
        """)

    /// Whether the account of the runner is linked to the person of the sharing.
    private static let isLinked = """
        EXISTS (SELECT 1 FROM run_participant JOIN link ON link.account = run_participant.account
            AND link.gateway = run_sharing.gateway AND link.person = run_sharing.person AND link.state = 'linked'
            WHERE run_participant.run = run_sharing.run AND run_participant.bib = run_sharing.bib
            AND run_participant.gone = 0)
        """

    // MARK: Acts

    static func ask(
        _ request: RequestID, for subject: HousePerson, of bib: Bib, in run: OrganisedRun,
        by account: AccountID, at now: WallTime, _ db: Database
    ) throws {
        guard !run.isCancelled else { throw RunActRefusal.cancelled }
        guard run.definition.outline.end > now else { throw RunActRefusal.over }
        let person: StatementArguments = [subject.gateway.text, subject.person.text]
        let isOwn = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM run_participant JOIN link ON link.account = run_participant.account
                    WHERE run = ? AND bib = ? AND gone = 0 AND run_participant.account = ?
                    AND link.gateway = ? AND link.person = ? AND \(LinkRights.acts))
                """, arguments: [run.id.text, bib.number, account.number] + person)
        guard isOwn == true else { throw RunActRefusal.notAllowed }
        let asked = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM run_sharing WHERE gateway = ? AND person = ? AND asked > ?",
            arguments: person + [now.millisecondsSince1970 - 86_400_000])
        guard asked ?? 0 < RunSharing.mostInADay else { throw RunActRefusal.tooMany }
        try db.execute(
            sql: """
                INSERT INTO run_sharing (request, run, bib, gateway, person, state, asked, sent)
                VALUES (?, ?, ?, ?, ?, 'asked', ?, 0)
                ON CONFLICT (run, bib) WHERE state IN ('asked', 'shared') DO NOTHING
                """,
            arguments: [request.text, run.id.text, bib.number] + person + [now.millisecondsSince1970])
    }

    /// Ends the open sharing of a runner here. The house is told by the next round of commands.
    static func end(_ bib: Int, of run: String, at now: WallTime, _ db: Database) throws {
        try close(where: "run = ? AND bib = ?", [run, bib], as: .ended, at: now, db)
    }

    private static func close(
        where condition: String, _ arguments: StatementArguments = [], as state: RunSharing.State,
        at now: WallTime, _ db: Database
    ) throws {
        let closed = try String.fetchAll(
            db,
            sql: """
                UPDATE run_sharing SET state = '\(state.rawValue)', ended = ? WHERE state IN ('asked', 'shared')
                    AND \(condition) RETURNING request
                """, arguments: [now.millisecondsSince1970] + arguments)
        for request in closed { try removeVitals(of: request, db) }
    }

    private static func removeVitals(of request: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM run_vital WHERE request = ?", arguments: [request])
    }

    static func sharing(of bib: Bib, in run: RunID, _ db: Database) throws -> RunSharing? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT * FROM run_sharing WHERE run = ? AND bib = ? ORDER BY asked DESC, request DESC LIMIT 1
                """, arguments: [run.text, bib.number]
        ).flatMap { row in
            guard let request = RequestID(row["request"] as String), let subject = subject(row),
                let state = RunSharing.State(rawValue: row["state"])
            else { return nil }
            return RunSharing(subject: subject, request: request, state: state, reason: row["reason"])
        }
    }

    private static func subject(_ row: Row) -> HousePerson? {
        guard let gateway = GatewayID(row["gateway"] as String), let person = PersonID(row["person"] as String)
        else { return nil }
        return HousePerson(gateway, person)
    }

    /// Readings of the runners with a grant.
    static func vitals(of run: RunID, _ db: Database) throws -> [Bib: [RunnerVital]] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT bib, kind, value, time FROM run_vital JOIN run_sharing ON run_sharing.request = run_vital.request
                WHERE run = ? AND state = 'shared' AND \(isLinked) ORDER BY bib, kind
                """, arguments: [run.text])
        var vitals: [Bib: [RunnerVital]] = [:]
        for row in rows {
            guard let bib = Bib(row["bib"]), let kind = QuantityKind(rawValue: row["kind"]) else { continue }
            vitals[bib, default: []].append(
                RunnerVital(kind: kind, value: row["value"], time: WallTime(millisecondsSince1970: row["time"]))
            )
        }
        return vitals
    }

    // MARK: Messages of the houses

    /// Keeps the newest reading of each kind. Returns false if no open sharing has this grant.
    static func keep(_ told: SharedVital, _ db: Database) throws -> Bool {
        guard RunSharing.kinds.contains(told.kind) else { return false }
        let request = try String.fetchOne(
            db,
            sql: """
                SELECT request FROM run_sharing WHERE gateway = ? AND person = ? AND number = ? AND state = 'shared'
                """,
            arguments: [told.subject.gateway.text, told.subject.person.text, told.grant])
        guard let request else { return false }
        try db.execute(
            sql: """
                INSERT INTO run_vital (request, kind, value, time) VALUES (?, ?, ?, ?)
                ON CONFLICT (request, kind) DO UPDATE SET value = excluded.value, time = excluded.time
                    WHERE excluded.time > run_vital.time
                """, arguments: [request, told.kind.rawValue, told.value, told.time.millisecondsSince1970])
        return true
    }

    /// A decision counts if it is of the house and person that were asked, and later in the ledger than the last one. A
    /// sharing that was ended here stays ended.
    ///
    /// - Returns: the run whose pages change.
    static func apply(_ decision: DecisionRecord, _ db: Database) throws -> RunID? {
        guard case .request(let request) = decision.matter else { return nil }
        let state: RunSharing.State =
            switch decision.verdict {
            case .accepted: .shared
            case .refused: .refused
            case .withdrawn: .ended
            case .expired: .expired
            }
        let moment = [.shared, .refused].contains(state) ? "decided" : "ended"
        // A yes to an earlier question does not count while a newer one is open.
        let condition =
            state == .shared
            ? """
            AND NOT EXISTS (SELECT 1 FROM run_sharing other WHERE other.run = run_sharing.run
                AND other.bib = run_sharing.bib AND other.request <> run_sharing.request
                AND other.state IN ('asked', 'shared'))
            """ : ""
        let run = try String.fetchOne(
            db,
            sql: """
                UPDATE run_sharing SET state = ?, entry = ?, number = ?, sent = ?, \(moment) = ?
                WHERE request = ? AND gateway = ? AND person = ? AND state <> 'ended' AND (entry IS NULL OR entry < ?)
                    \(condition)
                RETURNING run
                """,
            arguments: [
                state.rawValue, decision.entry, decision.grant, state == .shared ? 1 : 2,
                decision.at.millisecondsSince1970, request.text,
                decision.subject.gateway.text, decision.subject.person.text, decision.entry,
            ])
        guard let run else { return nil }
        if state != .shared { try removeVitals(of: request.text, db) }
        return RunID(run)
    }

    /// A refused question has failed.
    static func apply(_ answer: CommandAnswer, _ db: Database) throws {
        guard let refusal = answer.refusal else { return }
        try db.execute(
            sql: """
                UPDATE run_sharing SET state = 'failed', reason = ?, sent = 2
                WHERE command = ? AND gateway = ? AND state = 'asked'
                """, arguments: [String(refusal.prefix(64)), answer.command, answer.gateway.text])
    }

    // MARK: Commands

    /// Queues the questions and withdrawals that are due, each in the commit that says so.
    static func reconcile(
        at now: WallTime,
        sign:
            (
                _ command: RunSharingCommand, _ sharing: RunSharing, _ sequence: Int64
            ) throws -> OutgoingCommand, _ db: Database
    ) throws {
        // A run that is over needs no word: the grant ends with it.
        try close(
            where: "run IN (SELECT id FROM run WHERE ends <= ?)", [now.millisecondsSince1970], as: .expired,
            at: now,
            db)
        try close(where: "run IN (SELECT id FROM run WHERE cancelled = 1)", as: .ended, at: now, db)
        // The account is gone, or the person at home has ended its link.
        try close(where: "NOT \(isLinked)", as: .ended, at: now, db)
        let due = try Row.fetchAll(
            db,
            sql: """
                SELECT run_sharing.*, outline FROM run_sharing JOIN run ON run.id = run_sharing.run
                WHERE (state = 'asked' AND sent = 0) OR (state = 'ended' AND sent < 2) ORDER BY asked LIMIT 100
                """)
        for row in due {
            guard let request = RequestID(row["request"] as String), let subject = subject(row),
                let state = RunSharing.State(rawValue: row["state"])
            else { continue }
            let sharing = RunSharing(subject: subject, request: request, state: state, reason: nil)
            var command: OutgoingCommand?
            if state == .asked {
                let outline = try RunStore.read(RunOutline.self, row["outline"])
                command = try sign(
                    .ask(title: outline.title, until: outline.end), sharing,
                    try CommandOutbox.nextSequence(db, at: now))
            } else {
                // The question must not come after its withdrawal.
                try db.execute(sql: "DELETE FROM command WHERE request = ?", arguments: [request.text])
                if row["sent"] as Int64 == 1 {
                    command = try sign(.withdraw, sharing, try CommandOutbox.nextSequence(db, at: now))
                }
            }
            if let command { try CommandOutbox.enqueue(command, db) }
            try db.execute(
                sql: "UPDATE run_sharing SET sent = ?, command = ? WHERE request = ?",
                arguments: [state == .asked ? 1 : 2, command?.id, request.text])
        }
        try removeUnlinked(db)
    }

    /// Erases the sharings of the persons of a house that is removed.
    ///
    /// - Returns: the requests that the house was asked, and that were open.
    static func removeAll(of house: GatewayID, _ db: Database) throws -> [OpenHouseRequest] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT request, person, state, sent FROM run_sharing WHERE gateway = ?",
            arguments: [house.text])
        for row in rows { try removeVitals(of: row["request"], db) }
        try db.execute(sql: "DELETE FROM run_sharing WHERE gateway = ?", arguments: [house.text])
        return rows.filter { $0["sent"] as Int64 == 1 }.compactMap {
            OpenHouseRequest(id: $0["request"], person: $0["person"])
        }
    }

    /// Erases the sharings of persons without a linked account. A withdrawal that the house has to get stays until it is queued.
    private static func removeUnlinked(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM run_sharing WHERE state NOT IN ('asked', 'shared') AND NOT (state = 'ended' AND sent < 2)
                    AND NOT EXISTS (SELECT 1 FROM link WHERE link.gateway = run_sharing.gateway
                        AND link.person = run_sharing.person AND link.state = 'linked')
                """)
    }
}
