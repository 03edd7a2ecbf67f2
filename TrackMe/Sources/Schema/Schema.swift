import Desk
import Groups
import Parties
import Runs
public import SQLDatabase
public import Store

/// All tables of the server, and the lists by which an export holds their personal data.
public enum Schema {
    public static let migrations =
        Stores.migrations + AuditLog.migrations + DeskStore.migrations + PartyStore.migrations
        + GroupTables.migrations + RunStore.migrations

    /// Lists of the capabilities, for `Stores`, which adds its own.
    public static let exports = AuditLog.exports + PartyStore.exports + GroupTables.exports + RunStore.exports
}
