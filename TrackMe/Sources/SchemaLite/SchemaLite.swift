import DeskLite
import GroupsLite
import PartiesLite
import RunsLite
public import SQLDatabase
public import StoreLite

/// All tables of the server, and the lists by which an export holds their personal data.
public enum SchemaLite {
    public static let migrations =
        StoreLite.migrations + AuditLog.migrations + DeskLite.migrations + PartiesLite.migrations
        + GroupsLite.migrations + RunsLite.migrations

    /// Lists of the capabilities, for `StoreLite.stores`, which adds its own.
    public static let exports = AuditLog.exports + PartiesLite.exports + GroupsLite.exports + RunsLite.exports
}
