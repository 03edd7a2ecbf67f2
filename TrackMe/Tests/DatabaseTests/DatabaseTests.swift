import Foundation
import SQLDatabase
import StoreSamples
import Synchronization
import TestSupport
import Testing

/// Rules of a database, on both engines.
struct DatabaseTests {
    private static let table = Migration("table") { db in
        try db.execute(
            sql: """
                -- A table of each type: "INTEGER" is no word here.
                CREATE TABLE thing (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, bytes BLOB, part REAL,
                    word TEXT NOT NULL DEFAULT 'STRICT, INTEGER'
                ) STRICT;
                CREATE TABLE pair (
                    name TEXT NOT NULL, number INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (name, number)
                ) STRICT, WITHOUT ROWID;
                """)
        try db.refuse([.update, .delete], of: "thing", because: "it's kept")
    }

    private func database(_ engine: TestEngine) throws -> TestDatabase {
        try TestDatabase(engine, migrations: [Self.table])
    }

    @Test(arguments: TestEngine.allCases)
    func `a row comes back as it was written`(_ engine: TestEngine) async throws {
        let database = try database(engine)
        let pool = try database.open()
        let id = try await pool.write { db in
            try Int64.fetchOne(
                db,
                sql: """
                    INSERT INTO thing (name, bytes, part) VALUES (:name, :bytes, :part) RETURNING id -- no ? here
                    """, arguments: ["name": "a ? :b 'c'", "bytes": Data(), "part": 0.1])
        }
        let row = try await pool.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM thing WHERE id = ?", arguments: [id])
        }
        #expect(row?["name"] == "a ? :b 'c'")
        #expect(row?["bytes"] == Data())
        #expect(row?["part"] == 0.1)
        #expect(row?["word"] == "STRICT, INTEGER")
    }

    @Test(arguments: TestEngine.allCases)
    func `one process at a time has the claim of a database`(_ engine: TestEngine) async throws {
        let database = try database(engine)
        let (first, second) = (try database.claim(), try database.claim())
        #expect(try await first.acquire())
        #expect(await first.stands())
        #expect(try await !second.acquire())
        // The store works on, for the pages of the other servers and the commands of the operator.
        #expect(try await database.open().read { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
        await first.release()
        #expect(await !first.stands())
        // The server of the database may take a moment to see the end of a connection.
        #expect(try await eventually { try await second.acquire() })
        try database.endConnections()
        #expect(await second.stands() == (engine == .sqlite))
    }

    @Test func `a notice reaches every process with its commit, and none without it`() async throws {
        struct Refused: Error {}
        let database = try database(.postgres)
        let (teller, hearer) = (try database.open(), try database.open())
        let heard = Recorder<NoticeEvent>()
        let listeners = [teller, hearer].compactMap { $0.listener() }
        #expect(listeners.count == 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for listener in listeners { group.addTask { try await listener.run { heard.add($0) } } }
            func count(_ event: NoticeEvent) -> Int { heard.values.count { $0 == event } }
            // The listeners start when the other tests leave them a thread.
            #expect(await eventually(within: .seconds(120)) { count(.resumed) == 2 })
            #expect(throws: Refused.self) {
                try teller.writeBlocking { db in
                    try db.announce(DatabaseNotice("desk", "never"))
                    throw Refused()
                }
            }
            try teller.writeBlocking { try $0.announce(DatabaseNotice("desk", "new-call repeated")) }
            try await teller.announce([DatabaseNotice("houses")])
            for notice in [DatabaseNotice("desk", "new-call repeated"), DatabaseNotice("houses")] {
                for isOwn in [true, false] {
                    #expect(await eventually { count(.notice(notice, isOwn: isOwn)) == 1 })
                }
            }
            // A failover: the listeners say that they may have missed something, and hear again.
            try database.endConnections()
            #expect(await eventually { count(.resumed) == 4 })
            try await teller.announce([DatabaseNotice("late")])
            for isOwn in [true, false] {
                #expect(await eventually { count(.notice(DatabaseNotice("late"), isOwn: isOwn)) == 1 })
            }
            #expect(heard.values.count == 10)
            let tooLong = String(repeating: "a", count: DatabaseNotice.largest)
            await #expect(throws: DatabaseError.self) {
                try await teller.announce([DatabaseNotice("a", tooLong)])
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(try self.database(.sqlite).open().listener() == nil)
    }

    @Test(arguments: TestEngine.allCases)
    func `a null argument leaves a condition out`(_ engine: TestEngine) async throws {
        let database = try database(engine)
        let pool = try database.open()
        for name in ["a", "b"] {
            try await pool.write {
                try $0.execute(
                    sql: "INSERT INTO thing (name, bytes) VALUES (?, ?)", arguments: [name, Data?.none])
            }
        }
        for (only, expected) in [(String?.none, ["a", "b"]), ("b", ["b"])] {
            let names = try await pool.read { db in
                try String.fetchAll(
                    db, sql: "SELECT name FROM thing WHERE (:only IS NULL OR name = :only) ORDER BY name",
                    arguments: ["only": only])
            }
            #expect(names == expected)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `an error in a transaction leaves nothing of it, and its actions do not run`(
        _ engine: TestEngine
    ) async throws {
        struct Refused: Error {}
        let database = try database(engine)
        let pool = try database.open()
        let actions = Mutex(0)
        #expect(throws: Refused.self) {
            try pool.writeBlocking { db in
                try db.execute(sql: "INSERT INTO thing (name) VALUES (?)", arguments: ["a"])
                db.afterCommit { Issue.record("the action runs") }
                throw Refused()
            }
        }
        let error = #expect(throws: DatabaseError.self) {
            try pool.writeBlocking { db in
                for _ in 0..<2 {
                    try db.execute(sql: "INSERT INTO thing (name) VALUES (?)", arguments: ["maria"])
                }
            }
        }
        #expect(error?.kind == .constraint)
        #expect(error?.description.contains("maria") == false)
        #expect(try pool.readBlocking { try Int.fetchOne($0, sql: "SELECT count(*) FROM thing") } == 0)
        try pool.writeBlocking { db in db.afterCommit { actions.withLock { $0 += 1 } } }
        #expect(actions.withLock { $0 } == 1)
    }

    @Test(arguments: TestEngine.allCases)
    func `a table refuses the changes that it is told to refuse`(_ engine: TestEngine) throws {
        let database = try database(engine)
        let pool = try database.open()
        try pool.writeBlocking { try $0.execute(sql: "INSERT INTO thing (name) VALUES ('a')") }
        for sql in ["UPDATE thing SET name = 'b'", "DELETE FROM thing"] {
            let error = #expect(throws: DatabaseError.self) {
                try pool.writeBlocking { try $0.execute(sql: sql) }
            }
            #expect(error?.description.contains("it's kept") == true)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `many rows are inserted once each, and looked up in order`(_ engine: TestEngine) throws {
        let database = try database(engine)
        let pool = try database.open()
        let columns = [BulkColumn("name", .text), BulkColumn("number", .integer), BulkColumn("sum", .integer)]
        let once = BulkInsert(into: "pair", columns, keyLength: 2, conflict: "ON CONFLICT DO NOTHING")
        let adding = BulkInsert(
            into: "pair", columns, keyLength: 2,
            conflict: "ON CONFLICT (name, number) DO UPDATE SET sum = pair.sum + excluded.sum")
        let lookUp = BulkLookUp("sum", in: "pair", by: Array(columns.prefix(2)))
        let rows: [[DatabaseValue]] = (0..<500).map { [.text("n\($0 % 7)"), .integer(Int64($0)), .integer(1)] }
        try pool.writeBlocking { db in
            #expect(
                try db.insertNew(rows + rows.prefix(3), by: once) == rows.map { _ in true } + [
                    false, false, false,
                ])
            #expect(
                try db.insertNew([rows[9], [.text("x"), .integer(9), .integer(4)]], by: once) == [false, true])
            try db.insert(Array(rows.prefix(2)), by: adding)
            let keys = [rows[1], [.text("none"), .integer(1), .null], rows[499]].map { Array($0.prefix(2)) }
            #expect(try db.lookUp(keys, by: lookUp) == [.integer(2), nil, .integer(1)])
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `a cursor gives all rows while other statements run`(_ engine: TestEngine) throws {
        let database = try database(engine)
        let pool = try database.open()
        try pool.writeBlocking { db in
            for number in 0..<450 {
                try db.execute(
                    sql: "INSERT INTO pair (name, number, sum) VALUES ('a', ?, 0)", arguments: [number])
            }
            let rows = try Row.fetchCursor(
                db, sql: "SELECT number FROM pair WHERE name = ? ORDER BY number", arguments: ["a"])
            var count = 0
            while let row = try rows.next() {
                #expect(row["number"] == count)
                count += 1
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM pair")
            }
            #expect(count == 450)
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `writers of two processes follow each other`(_ engine: TestEngine) async throws {
        let database = try database(engine)
        let pools = [try database.open(), try database.open()]
        try await pools[0].write {
            try $0.execute(sql: "INSERT INTO pair (name, number, sum) VALUES ('a', 0, 0)")
        }
        // Each reads, and writes by what it has read.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    try await pools[index % 2].write { db in
                        let sum = try Int.fetchOne(db, sql: "SELECT sum FROM pair") ?? 0
                        try db.execute(sql: "UPDATE pair SET sum = ?", arguments: [sum + 1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await pools[1].read { try Int.fetchOne($0, sql: "SELECT sum FROM pair") } == 40)
    }

    @Test(arguments: TestEngine.allCases)
    func `writes after a loss of all connections go on by themselves`(_ engine: TestEngine) async throws {
        let database = try database(engine)
        let pool = try database.open()
        for number in 0..<5 {
            try await pool.write {
                try $0.execute(
                    sql: "INSERT INTO pair (name, number, sum) VALUES ('a', ?, 0)", arguments: [number])
            }
            try database.endConnections()
        }
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pair") } == 5)
    }

    @Test func `PostgreSQL keeps a text with U+0000, and refuses words that it would misread`() throws {
        let database = try database(.postgres)
        let pool = try database.open()
        try pool.writeBlocking { db in
            try db.execute(sql: "INSERT INTO thing (name) VALUES (?)", arguments: ["a\u{0}b"])
            #expect(try String.fetchOne(db, sql: "SELECT name FROM thing") == "a\u{FFFD}b")
            #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT user FROM thing") }
            #expect(try Row.fetchAll(db, sql: "SELECT name AS \"user\" FROM thing").count == 1)
        }
    }

    @Test func `a server of an earlier version refuses a later schema of PostgreSQL`() throws {
        let database = try TestDatabase(.postgres, migrations: [Self.table])
        _ = try database.open()
        let error = #expect(throws: DatabaseError.self) { try database.open(migrations: []) }
        #expect(error?.description.contains("update this server") == true)
    }
}
