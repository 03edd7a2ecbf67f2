public import SQLDatabase

/// Schema of the figures of groups. It needs the tables of the store, the audit log and the parties.
public enum GroupsLite {
    /// Area of the consents in the audit log.
    public static let auditArea = "groups"

    public static let migrations = [
        GroupMembersLite.migration, GroupReleasesLite.migration, PartyGroupsLite.migration,
    ]
}
