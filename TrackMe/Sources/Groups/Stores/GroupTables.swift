public import SQLDatabase
public import Store

/// Schema of the figures of groups. It needs the tables of the store, the audit log and the parties.
public enum GroupTables {
    /// Area of the consents in the audit log.
    public static let auditArea = "groups"

    public static let migrations = [
        GroupMemberStore.migration, GroupReleaseStore.migration, PartyGroupStore.migration,
    ]

    public static let exports = [
        ExportList(
            "group_figures", of: .account, tables: ["group_member"],
            [
                .text("house", "gateway"), .text("person"), .number("birth_year"), .text("gender"),
                .text("area"), .time("since"),
            ], "FROM group_member WHERE account = :account"),
        ExportList(
            "group_tables", of: .account, tables: ["group_counted"], [.number("tables")],
            "FROM group_counted WHERE account = :account"),
        ExportList(
            "group_consents", of: .account, tables: ["audit"], [.time("time", "at"), .text("entry")],
            """
            FROM audit WHERE area = '\(auditArea)'
                AND subject = 'account ' || CAST(CAST(:account AS BIGINT) AS TEXT) ORDER BY number
            """),
    ]
}
