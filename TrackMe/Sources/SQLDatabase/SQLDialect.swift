/// Changes that a table can refuse.
public enum RefusedChange: String, Sendable { case update, delete }

/// Spelling of the expressions that SQLite and PostgreSQL write differently. All other SQL of the stores is the common part
/// of both.
public enum SQLDialect: Hashable, Sendable {
    case sqlite, postgres

    /// Greatest of values that are not null.
    public func greatest(_ values: String...) -> String {
        (self == .sqlite ? "max(" : "greatest(") + values.joined(separator: ", ") + ")"
    }

    /// Least of values that are not null.
    public func least(_ values: String...) -> String {
        (self == .sqlite ? "min(" : "least(") + values.joined(separator: ", ") + ")"
    }

    /// Statements after which a table refuses changes.
    func refusals(of changes: [RefusedChange], of table: String, because message: String) -> [String] {
        let text = message.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
        switch self {
        case .sqlite:
            return changes.map { change in
                """
                CREATE TRIGGER \(table)_\(change.rawValue) BEFORE \(change.rawValue) ON \(table)
                    BEGIN SELECT RAISE(ABORT, '\(text)'); END
                """
            }
        case .postgres:
            let function = """
                CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = ''integrity_constraint_violation''; END'
                """
            var statements = [function]
            statements += changes.map { change in
                """
                CREATE TRIGGER \(table)_\(change.rawValue) BEFORE \(change.rawValue) ON \(table)
                    FOR EACH ROW EXECUTE FUNCTION refuse_change('\(text)')
                """
            }
            if changes.contains(.delete) {
                statements.append(
                    """
                    CREATE TRIGGER \(table)_truncate BEFORE TRUNCATE ON \(table)
                        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('\(text)')
                    """)
            }
            return statements
        }
    }
}
