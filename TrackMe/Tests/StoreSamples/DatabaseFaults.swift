public import SQLDatabase

extension DatabasePool {
    /// Makes a kind of change to a table fail, as a full disk does.
    ///
    /// - Parameters:
    ///   - change: `BEFORE DELETE`, `AFTER DELETE` or `BEFORE INSERT`.
    ///   - condition: of the rows, by `new` and `old`.
    public func addFault(_ change: String, on table: String, when condition: String? = nil) throws {
        try writeBlocking { db in
            let condition = condition.map { "WHEN (\($0))" } ?? ""
            switch db.dialect {
            case .sqlite:
                try db.execute(
                    sql: """
                        CREATE TRIGGER fault \(change) ON \(table) \(condition)
                            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
                        """)
            case .postgres:
                try db.execute(
                    sql: """
                        CREATE OR REPLACE FUNCTION fail_change() RETURNS trigger LANGUAGE plpgsql AS
                            'BEGIN RAISE EXCEPTION ''the disk is full''; END';
                        CREATE TRIGGER fault \(change) ON \(table) FOR EACH ROW \(condition) EXECUTE FUNCTION fail_change()
                        """)
            }
        }
    }

    public func removeFault(of table: String) throws { try dropTrigger("fault", of: table) }

    public func dropTrigger(_ name: String, of table: String) throws {
        try writeBlocking { db in
            try db.execute(sql: "DROP TRIGGER \(name)" + (db.dialect == .postgres ? " ON \(table)" : ""))
        }
    }

    /// Names of all tables but those of the engine, sorted.
    public func tables() throws -> [String] {
        try readBlocking { db in
            try String.fetchAll(
                db,
                sql: db.dialect == .sqlite
                    ? """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('sqlite_sequence', 'grdb_migrations')
                    ORDER BY name
                    """
                    : """
                    SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migration'
                    ORDER BY tablename
                    """)
        }
    }

    /// Tables that have a column of the name.
    public func tables(withColumn column: String) throws -> [String] {
        try readBlocking { db in
            try String.fetchAll(
                db,
                sql: db.dialect == .sqlite
                    ? """
                    SELECT sqlite_master.name FROM sqlite_master, pragma_table_info(sqlite_master.name) AS info
                    WHERE sqlite_master.type = 'table' AND info.name = ?
                    """
                    : """
                    SELECT table_name::text FROM information_schema.columns
                    WHERE table_schema = 'public' AND column_name = ?
                    """, arguments: [column])
        }
    }

    /// All rows of all tables, sorted.
    public func allRows() throws -> [String] {
        let tables = try tables()
        return try readBlocking { db in
            try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0.description)" }
                    .sorted()
            }
        }
    }
}
