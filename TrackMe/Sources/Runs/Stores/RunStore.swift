public import Accounts
import ContractReading
import Foundation
public import GatewayModel
import RunBeacon
public import SQLDatabase
public import Store

/// Runs on SQLite.
public struct RunStore: Sendable {
    public static let mostRuns = 50
    public static let mostBoxes = 60
    private static let mostOrganisers = 20
    /// Time for which an idempotency key is known.
    private static let keyLife = Duration.seconds(86_400)
    public static let migrations = [
        Migration("runs-1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE run (
                        id TEXT PRIMARY KEY, description TEXT NOT NULL, outline TEXT NOT NULL, begins INTEGER NOT NULL,
                        ends INTEGER NOT NULL, most INTEGER NOT NULL, cancelled INTEGER NOT NULL, version INTEGER NOT NULL,
                        defined INTEGER NOT NULL, revision INTEGER NOT NULL
                    ) STRICT;
                    CREATE INDEX run_begins ON run (begins);
                    CREATE TABLE run_organiser (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE,
                        account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, role TEXT NOT NULL,
                        PRIMARY KEY (run, account)
                    ) STRICT;
                    CREATE INDEX run_organiser_account ON run_organiser (account);
                    CREATE TABLE run_box (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, gateway TEXT NOT NULL, sent INTEGER NOT NULL,
                        PRIMARY KEY (run, gateway)
                    ) STRICT;
                    CREATE TABLE run_participant (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, bib INTEGER NOT NULL, entrant TEXT NOT NULL,
                        account INTEGER REFERENCES account ON DELETE SET NULL, own INTEGER NOT NULL, shows INTEGER NOT NULL,
                        gone INTEGER NOT NULL, since INTEGER NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (run, bib)
                    ) STRICT;
                    CREATE INDEX run_participant_account ON run_participant (account);
                    CREATE TABLE run_passing (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, id BLOB NOT NULL, bib INTEGER NOT NULL,
                        gateway TEXT NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (run, id)
                    ) STRICT;
                    CREATE TABLE run_correction (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, id BLOB NOT NULL, bib INTEGER NOT NULL,
                        gateway TEXT NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (run, id)
                    ) STRICT;
                    CREATE TABLE run_position (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, bib INTEGER NOT NULL, measured INTEGER NOT NULL,
                        gateway TEXT NOT NULL, payload BLOB NOT NULL, PRIMARY KEY (run, bib)
                    ) STRICT;
                    CREATE TABLE run_tracker (
                        run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, bib INTEGER NOT NULL, time INTEGER NOT NULL,
                        lost INTEGER, PRIMARY KEY (run, bib)
                    ) STRICT;
                    CREATE TABLE run_command (
                        id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES run ON DELETE CASCADE, gateway TEXT NOT NULL,
                        type TEXT NOT NULL, asked INTEGER NOT NULL, expires INTEGER NOT NULL, state TEXT NOT NULL,
                        reason TEXT
                    ) STRICT;
                    CREATE INDEX run_command_run ON run_command (run, asked);
                    """)
        },
        Migration("runs-2") { db in
            try db.execute(
                sql: """
                    -- 1: taken out, and the box is to be told; 2: it has its command.
                    ALTER TABLE run_box ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE run_act (
                        account INTEGER NOT NULL REFERENCES account ON DELETE CASCADE, key TEXT NOT NULL,
                        digest BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (account, key)
                    ) STRICT;
                    CREATE INDEX run_act_at ON run_act (at);
                    """)
        }, SharingRows.migration, SharingRows.times,
    ]

    private let file: DatabasePool
    /// Key of the acts of this store; nil for acts that are done each time.
    private let key: RunActKey?

    public init(file: DatabasePool) { self.init(file: file, key: nil) }

    private init(file: DatabasePool, key: RunActKey?) { (self.file, self.key) = (file, key) }

    /// The same store with acts that are done once under a key: an act that comes again under it changes nothing. A key is
    /// known for a day.
    public func once(_ key: RunActKey) -> RunStore { RunStore(file: file, key: key) }

    /// Does an act in one commit: once under the key of this store, if it has one.
    private func act(
        by account: AccountID, at now: WallTime, _ act: @escaping @Sendable (Database) throws -> Void
    ) async throws {
        try await file.write { [key] db in
            if let key {
                let digest = try Data.fetchOne(
                    db, sql: "SELECT digest FROM run_act WHERE account = ? AND key = ?",
                    arguments: [account.number, key.text])
                if let digest {
                    guard Array(digest) == key.digest else { throw RunActRefusal.keyUsed }
                    return
                }
                try db.execute(
                    sql: "INSERT INTO run_act (account, key, digest, at) VALUES (?, ?, ?, ?)",
                    arguments: [account.number, key.text, Data(key.digest), now.millisecondsSince1970])
            }
            try act(db)
        }
    }

    // MARK: Definition

    public func create(_ definition: RunDefinition, by account: AccountID, at now: WallTime) async throws {
        try await act(by: account, at: now) { db in
            guard definition.outline.end > now else { throw RunActRefusal.over }
            let open = try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM run_organiser JOIN run ON run.id = run_organiser.run
                    WHERE account = ? AND role = 'organiser' AND ends > ?
                    """, arguments: [account.number, now.millisecondsSince1970])
            guard open ?? 0 < Self.mostRuns else { throw RunActRefusal.tooMany }
            try db.execute(
                sql: """
                    INSERT INTO run (id, description, outline, begins, ends, most, cancelled, version, defined, revision)
                    VALUES (?, ?, ?, ?, ?, ?, 0, 1, 1, 1) ON CONFLICT (id) DO NOTHING
                    """,
                arguments: [
                    definition.id.text, definition.description, try Self.json(definition.outline),
                    definition.start.millisecondsSince1970, definition.outline.end.millisecondsSince1970,
                    definition.most,
                ])
            guard db.changesCount == 1 else { throw RunActRefusal.taken }
            try db.execute(
                sql: "INSERT INTO run_organiser (run, account, role) VALUES (?, ?, 'organiser')",
                arguments: [definition.id.text, account.number])
        }
    }

    /// - Parameter version: that the change is based on.
    public func change(
        _ definition: RunDefinition, from version: Int, by account: AccountID, at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            let run = try Self.open(definition.id, for: account, at: now, db)
            guard run.version == version else { throw RunActRefusal.changedMeanwhile }
            guard definition.outline.end > now else { throw RunActRefusal.over }
            guard definition.most >= run.participants else { throw RunActRefusal.full }
            if run.definition.start <= now, definition.outline.course != run.definition.outline.course {
                throw RunActRefusal.begun
            }
            // The waves of the participants have to stay.
            _ = try definition.run(with: try Self.participants(definition.id, db).map(\.entrant))
            try db.execute(
                sql: """
                    UPDATE run SET description = ?, outline = ?, begins = ?, ends = ?, most = ?, version = version + 1,
                        revision = revision + 1, defined = revision + 1 WHERE id = ?
                    """,
                arguments: [
                    definition.description, try Self.json(definition.outline),
                    definition.start.millisecondsSince1970, definition.outline.end.millisecondsSince1970,
                    definition.most, definition.id.text,
                ])
        }
    }

    public func cancel(_ run: RunID, by account: AccountID, at now: WallTime) async throws {
        try await act(by: account, at: now) { db in
            _ = try Self.open(run, for: account, as: [.organiser], at: now, db)
            try db.execute(
                sql:
                    "UPDATE run SET cancelled = 1, version = version + 1, revision = revision + 1 WHERE id = ?",
                arguments: [run.text])
        }
    }

    /// Run that the account may change now.
    private static func open(
        _ id: RunID, for account: AccountID, as roles: Set<RunRole> = [.organiser, .coOrganiser],
        at now: WallTime, _ db: Database
    ) throws -> OrganisedRun {
        guard let run = try run(id, db) else { throw RunActRefusal.unknownRun }
        guard let role = try role(of: account, in: id, db), roles.contains(role) else {
            throw RunActRefusal.notAllowed
        }
        guard !run.isCancelled else { throw RunActRefusal.cancelled }
        guard run.definition.outline.end > now else { throw RunActRefusal.over }
        return run
    }

    // MARK: Organisers

    public func addOrganiser(
        _ user: UserName, to run: RunID, by account: AccountID, at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            _ = try Self.open(run, for: account, as: [.organiser], at: now, db)
            guard let other = try Self.account(user, db) else { throw RunActRefusal.unknownUser }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM run_organiser WHERE run = ?", arguments: [run.text])
            guard count ?? 0 < Self.mostOrganisers else { throw RunActRefusal.tooMany }
            try db.execute(
                sql: """
                    INSERT INTO run_organiser (run, account, role) VALUES (?, ?, 'co-organiser')
                    ON CONFLICT (run, account) DO NOTHING
                    """, arguments: [run.text, other])
        }
    }

    public func removeOrganiser(
        _ user: UserName, from run: RunID, by account: AccountID, at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            _ = try Self.open(run, for: account, as: [.organiser], at: now, db)
            guard let other = try Self.account(user, db) else { throw RunActRefusal.unknownUser }
            try db.execute(
                sql: "DELETE FROM run_organiser WHERE run = ? AND account = ? AND role = 'co-organiser'",
                arguments: [run.text, other])
        }
    }

    private static func account(_ user: UserName, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(db, sql: #"SELECT id FROM account WHERE "user" = ?"#, arguments: [user.text])
    }

    public func role(of account: AccountID, in run: RunID) async throws -> RunRole? {
        try await file.read { db in try Self.role(of: account, in: run, db) }
    }

    private static func role(of account: AccountID, in run: RunID, _ db: Database) throws -> RunRole? {
        try String.fetchOne(
            db, sql: "SELECT role FROM run_organiser WHERE run = ? AND account = ?",
            arguments: [run.text, account.number]
        ).flatMap(RunRole.init)
    }

    /// Sorted by name.
    public func organisers(of run: RunID) async throws -> [(user: UserName, role: RunRole)] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT account."user" AS name, run_organiser.role AS role FROM run_organiser JOIN account ON account.id = run_organiser.account
                    WHERE run = ? ORDER BY account."user"
                    """, arguments: [run.text]
            ).compactMap { row in
                guard let user = UserName(row["name"]), let role = RunRole(rawValue: row["role"]) else {
                    return nil
                }
                return (user, role)
            }
        }
    }

    // MARK: Boxes

    /// Registers the house if it is new.
    public func add(_ house: House, to run: RunID, by account: AccountID) async throws {
        try await act(by: account, at: house.added) { db in
            _ = try Self.open(run, for: account, at: house.added, db)
            let known = try String.fetchOne(
                db, sql: "SELECT key FROM house WHERE gateway = ?", arguments: [house.gateway.text])
            if let known, known != house.key { throw RunActRefusal.otherKey }
            if known == nil {
                try db.execute(
                    sql: "INSERT INTO house (gateway, key, added) VALUES (?, ?, ?)",
                    arguments: [house.gateway.text, house.key, house.added.millisecondsSince1970])
            }
            try Self.put(house.gateway, run, db)
        }
    }

    /// Adds a registered house. The caller has checked the account's right on it.
    public func add(
        _ gateway: GatewayID, to run: RunID, by account: AccountID, at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            _ = try Self.open(run, for: account, at: now, db)
            try Self.put(gateway, run, db)
        }
    }

    private static func put(_ gateway: GatewayID, _ run: RunID, _ db: Database) throws {
        let gone = try Int.fetchOne(
            db, sql: "SELECT gone FROM run_box WHERE run = ? AND gateway = ?",
            arguments: [run.text, gateway.text])
        if let gone {
            guard gone == 0 else { throw RunActRefusal.boxTakenOut }
            return
        }
        let count = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM run_box WHERE run = ?", arguments: [run.text])
        guard count ?? 0 < mostBoxes else { throw RunActRefusal.tooMany }
        try db.execute(
            sql: "INSERT INTO run_box (run, gateway, sent) VALUES (?, ?, 0)",
            arguments: [run.text, gateway.text])
    }

    /// Takes a box out of the run, and ends the run there. Messages of the box count no more from now on.
    ///
    /// - Parameter discarding: removes the messages of the box that came until now; else they stay.
    public func remove(
        _ gateway: GatewayID, from id: RunID, discarding: Bool, by account: AccountID, at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            let run = try Self.open(id, for: account, at: now, db)
            let sent = try Int64.fetchOne(
                db, sql: "SELECT sent FROM run_box WHERE run = ? AND gateway = ? AND gone = 0",
                arguments: [id.text, gateway.text])
            guard let sent else { throw RunActRefusal.unknownBox }
            guard !run.definition.outline.checkpoints.contains(where: { $0.box == gateway }) else {
                throw RunActRefusal.boxStands
            }
            guard try !Self.participants(id, db).contains(where: { $0.entrant.carries == gateway }) else {
                throw RunActRefusal.boxIsCarried
            }
            // A box that knows nothing of the run can be added again.
            try db.execute(
                sql: sent == 0
                    ? "DELETE FROM run_box WHERE run = ? AND gateway = ?"
                    : "UPDATE run_box SET gone = 1 WHERE run = ? AND gateway = ?",
                arguments: [id.text, gateway.text])
            guard discarding else { return }
            for table: StaticString in ["run_passing", "run_position", "run_correction"] {
                try db.execute(
                    sql: "DELETE FROM \(table.description) WHERE run = ? AND gateway = ?",
                    arguments: [id.text, gateway.text])
            }
        }
    }

    public func boxes(of run: RunID) async throws -> [GatewayID] {
        try await file.read { db in
            try String.fetchAll(
                db, sql: "SELECT gateway FROM run_box WHERE run = ? AND gone = 0 ORDER BY gateway",
                arguments: [run.text]
            ).compactMap { GatewayID($0) }
        }
    }

    // MARK: Participants

    /// - Parameters:
    ///   - isOwn: the account enrols itself; else it is an organiser.
    public func enrol(
        _ participant: RunParticipant, in id: RunID, isOwn: Bool, by account: AccountID, at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            guard let run = try Self.run(id, db) else { throw RunActRefusal.unknownRun }
            guard !run.isCancelled else { throw RunActRefusal.cancelled }
            guard run.definition.outline.end > now else { throw RunActRefusal.over }
            if try !isOwn && Self.role(of: account, in: id, db) == nil { throw RunActRefusal.notAllowed }
            guard !participant.entrant.tags.isEmpty || participant.entrant.carries != nil else {
                throw RunFault.noTracker
            }
            let others = try Self.participants(id, db)
            let bib = participant.entrant.bib
            if let before = others.first(where: { $0.entrant.bib == bib }),
                isOwn ? before.account != account : before.account != nil
            {
                throw RunActRefusal.inUse
            }
            if isOwn, others.contains(where: { $0.account == account && $0.entrant.bib != bib }) {
                throw RunActRefusal.inUse
            }
            let rest = others.filter { $0.entrant.bib != bib }
            guard rest.count < run.definition.most else { throw RunActRefusal.full }
            let keys = Set(rest.flatMap { $0.entrant.tags.map(\.description) })
            guard !participant.entrant.tags.contains(where: { keys.contains($0.description) }) else {
                throw RunActRefusal.inUse
            }
            _ = try run.definition.run(with: rest.map(\.entrant) + [participant.entrant])
            try db.execute(
                sql: """
                    INSERT INTO run_participant (run, bib, entrant, account, own, shows, gone, since, revision)
                    VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0)
                    ON CONFLICT (run, bib) DO UPDATE SET entrant = excluded.entrant, account = excluded.account,
                        own = excluded.own, shows = excluded.shows, gone = 0, since = excluded.since
                    """,
                arguments: [
                    id.text, bib.number, try Self.json(participant.entrant),
                    isOwn ? account.number : nil, isOwn ? 1 : 0, participant.showsName ? 1 : 0,
                    now.millisecondsSince1970,
                ])
            try Self.touch(bib.number, of: id.text, db)
        }
    }

    /// Makes the row the newest of its run, so that each box gets it.
    private static func touch(_ bib: Int, of run: String, _ db: Database) throws {
        try db.execute(sql: "UPDATE run SET revision = revision + 1 WHERE id = ?", arguments: [run])
        try db.execute(
            sql: """
                UPDATE run_participant SET revision = (SELECT revision FROM run WHERE id = ?) WHERE run = ? AND bib = ?
                """, arguments: [run, run, bib])
    }

    /// Ends an enrolment, by the runner or an organiser, and removes the messages about it.
    public func leave(_ bib: Bib, of run: RunID, by account: AccountID, at now: WallTime) async throws {
        try await act(by: account, at: now) { db in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT account FROM run_participant WHERE run = ? AND bib = ? AND gone = 0",
                    arguments: [run.text, bib.number])
            else { throw RunActRefusal.unknownRunner }
            let isOwn = row["account"] as Int64? == account.number
            if try !isOwn && Self.role(of: account, in: run, db) == nil { throw RunActRefusal.notAllowed }
            try Self.end(bib.number, of: run.text, at: now, db)
        }
    }

    /// Nothing of the runner stays but the bib, for which the boxes get their command.
    static func end(_ bib: Int, of run: String, at now: WallTime, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE run_participant SET entrant = '{}', account = NULL, shows = 0, gone = 1
                WHERE run = ? AND bib = ?
                """, arguments: [run, bib])
        for table: StaticString in ["run_passing", "run_position", "run_tracker", "run_correction"] {
            try db.execute(
                sql: "DELETE FROM \(table.description) WHERE run = ? AND bib = ?", arguments: [run, bib])
        }
        try SharingRows.end(bib, of: run, at: now, db)
        try touch(bib, of: run, db)
    }

    // MARK: Readings for spectators

    /// Asks the person at home whether spectators may see the readings of the account's own runner. Does nothing if a request
    /// is open. The question leaves with the next round of `reconcileSharings`.
    ///
    /// - Throws: `RunActRefusal.notAllowed` for another's runner or a person without a link to the account,
    ///   `RunActRefusal.tooMany` after three questions in a day.
    public func share(
        _ subject: HousePerson, of bib: Bib, in run: RunID, as request: RequestID, by account: AccountID,
        at now: WallTime
    ) async throws {
        try await act(by: account, at: now) { db in
            guard let found = try Self.run(run, db) else { throw RunActRefusal.unknownRun }
            try SharingRows.ask(request, for: subject, of: bib, in: found, by: account, at: now, db)
        }
    }

    /// Ends the sharing of the account's own runner here at once.
    public func endSharing(of bib: Bib, in run: RunID, by account: AccountID, at now: WallTime) async throws {
        try await act(by: account, at: now) { db in
            let owner = try Int64.fetchOne(
                db, sql: "SELECT account FROM run_participant WHERE run = ? AND bib = ? AND gone = 0",
                arguments: [run.text, bib.number])
            guard owner == account.number else { throw RunActRefusal.notAllowed }
            try SharingRows.end(bib.number, of: run.text, at: now, db)
        }
    }

    /// Newest request for the runner; nil if there was none.
    public func sharing(of bib: Bib, in run: RunID) async throws -> RunSharing? {
        try await file.read { db in try SharingRows.sharing(of: bib, in: run, db) }
    }

    /// Erases the sharings of the persons of a house that is removed, and takes its box out of the runs. Results stay.
    ///
    /// - Returns: the requests that the house was asked, and that were open.
    public static func remove(_ house: GatewayID, _ db: Database) throws -> [OpenHouseRequest] {
        for table in ["run_box", "run_command"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE gateway = ?", arguments: [house.text])
        }
        return try SharingRows.removeAll(of: house, db)
    }

    /// Queues the questions and withdrawals of sharings, and ends those of accounts that are not linked any more.
    public func reconcileSharings(
        at now: WallTime,
        sign: @escaping @Sendable (RunSharingCommand, RunSharing, Int64) throws -> OutgoingCommand
    ) async throws {
        try await file.write { db in try SharingRows.reconcile(at: now, sign: sign, db) }
    }

    // MARK: Participants of a run

    /// Those that have not left, sorted by bib.
    public func participants(of run: RunID) async throws -> [RunParticipant] {
        try await file.read { db in try Self.participants(run, db) }
    }

    /// One whose own account is gone counts as gone.
    private static func participants(_ run: RunID, _ db: Database) throws -> [RunParticipant] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT * FROM run_participant WHERE run = ? AND gone = 0 AND (own = 0 OR account IS NOT NULL)
                ORDER BY bib
                """, arguments: [run.text]
        ).map { row in
            RunParticipant(
                entrant: try read(Entrant.self, row["entrant"]),
                account: (row["account"] as Int64?).map { AccountID($0) }, showsName: row["shows"] == 1)
        }
    }

    // MARK: Runs

    public func run(_ id: RunID) async throws -> OrganisedRun? {
        try await file.read { db in try Self.run(id, db) }
    }

    private static let columns = """
        run.*, (SELECT count(*) FROM run_participant
            WHERE run_participant.run = run.id AND gone = 0) AS runners
        """

    static func run(_ id: RunID, _ db: Database) throws -> OrganisedRun? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM run WHERE id = ?", arguments: [id.text])
            .flatMap(run)
    }

    private static func run(_ row: Row) throws -> OrganisedRun? {
        guard let id = RunID(row["id"] as String) else { return nil }
        return OrganisedRun(
            definition: try RunDefinition(
                id: id, description: row["description"],
                outline: try read(RunOutline.self, row["outline"]),
                most: row["most"]),
            isCancelled: row["cancelled"] == 1, version: row["version"], participants: row["runners"])
    }

    /// By their starts, the newest first.
    public func runs(most: Int) async throws -> [OrganisedRun] {
        try await file.read { db in
            try Row.fetchAll(
                db, sql: "SELECT \(Self.columns) FROM run ORDER BY begins DESC, id LIMIT ?", arguments: [most]
            ).compactMap(Self.run)
        }
    }

    /// Those that the account organises or runs in, by their names, after a name.
    public func ownRuns(of account: AccountID, after: RunID?, most: Int) async throws -> [OwnRun] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.columns), run_organiser.role AS role, own.bib AS bib FROM run
                    LEFT JOIN run_organiser ON run_organiser.run = run.id AND run_organiser.account = :account
                    LEFT JOIN run_participant AS own ON own.run = run.id AND own.account = :account AND own.gone = 0
                    WHERE (run_organiser.role IS NOT NULL OR own.bib IS NOT NULL) AND run.id > :after ORDER BY run.id LIMIT :most
                    """,
                arguments: ["account": account.number, "after": after?.text ?? "", "most": most]
            ).compactMap { row in
                try Self.run(row).map { run in
                    OwnRun(
                        run: run, role: (row["role"] as String?).flatMap(RunRole.init),
                        bib: (row["bib"] as Int?).flatMap { Bib($0) })
                }
            }
        }
    }

    /// Those that the account organises, with its role.
    public func runs(of account: AccountID) async throws -> [(run: OrganisedRun, role: RunRole)] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.columns), run_organiser.role AS role FROM run JOIN run_organiser ON run_organiser.run = run.id
                    WHERE run_organiser.account = ? ORDER BY begins DESC, id
                    """, arguments: [account.number]
            ).compactMap { row in
                guard let run = try Self.run(row), let role = RunRole(rawValue: row["role"]) else { return nil }
                return (run, role)
            }
        }
    }

    /// Those in which the account runs.
    public func enrolments(of account: AccountID) async throws -> [(run: OrganisedRun, bib: Bib)] {
        try await file.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.columns), own.bib AS bib FROM run JOIN run_participant AS own ON own.run = run.id
                    WHERE own.account = ? AND own.gone = 0 ORDER BY begins DESC, run.id
                    """, arguments: [account.number]
            ).compactMap { row in
                guard let run = try Self.run(row), let bib = Bib(row["bib"]) else { return nil }
                return (run, bib)
            }
        }
    }

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    // MARK: Messages

    public func messages(of run: RunID) async throws -> RunMessages {
        try await file.read { db in
            var messages = RunMessages()
            func each(_ table: StaticString, _ body: ([UInt8], GatewayID) throws -> Void) throws {
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT gateway, payload FROM \(table.description) WHERE run = ?",
                    arguments: [run.text])
                while let row = try rows.next() {
                    if let gateway = GatewayID(row["gateway"] as String) {
                        try body([UInt8](row["payload"] as Data), gateway)
                    }
                }
            }
            try each("run_passing") { messages.passings.append(try PassingRecord($0, of: run, from: $1)) }
            try each("run_position") {
                messages.positions.append(try ContractReading.RunnerPosition($0, of: run, from: $1))
            }
            try each("run_correction") {
                messages.corrections.append(try CorrectionRecord($0, of: run, from: $1))
            }
            for row in try Row.fetchAll(
                db, sql: "SELECT bib, lost FROM run_tracker WHERE run = ? AND lost IS NOT NULL",
                arguments: [run.text])
            {
                if let bib = Bib(row["bib"]) {
                    messages.lost[bib] = WallTime(millisecondsSince1970: row["lost"])
                }
            }
            messages.vitals = try SharingRows.vitals(of: run, db)
            return messages
        }
    }

    // MARK: Commands

    /// Newest first.
    public func commands(of run: RunID, most: Int) async throws -> [RunCommandRecord] {
        try await file.read { db in try RunCommandRows.commands(of: run, most: most, db) }
    }

    /// Queues the commands that bring each box from the revision that it was sent to the present one.
    public func reconcile(
        at now: WallTime,
        sign: @escaping @Sendable (RunCommand, GatewayID, Int64, WallTime) throws -> OutgoingCommand
    ) async throws {
        try await file.write { db in try RunCommandRows.reconcile(at: now, sign: sign, db) }
    }

    /// Ends the enrolments of removed accounts, and removes the runs that have been over for `life`.
    public func sweep(at now: WallTime, life: Duration) async throws {
        try await file.write { db in
            let lost = try Row.fetchAll(
                db,
                sql: """
                    SELECT run, bib FROM run_participant WHERE own = 1 AND account IS NULL AND gone = 0 LIMIT 1000
                    """)
            for row in lost { try Self.end(row["bib"], of: row["run"], at: now, db) }
            try db.execute(
                sql: "DELETE FROM run_act WHERE at < ?",
                arguments: [now.advanced(by: .zero - Self.keyLife).millisecondsSince1970])
            try db.execute(
                sql: "DELETE FROM run WHERE ends < ?",
                arguments: [now.advanced(by: .zero - life).millisecondsSince1970])
        }
    }
}
