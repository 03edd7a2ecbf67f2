public import Parties
public import WebPages

/// Stores of the figures of groups.
public struct GroupStores: Sendable {
    public let members: GroupMemberStore
    public let releases: GroupReleaseStore
    public let groups: PartyGroupStore

    public init(
        members: GroupMemberStore, releases: GroupReleaseStore, groups: PartyGroupStore
    ) {
        (self.members, self.releases, self.groups) = (members, releases, groups)
    }
}

/// Offer of this server, by its settings.
public struct GroupOffer: Hashable, Sendable {
    /// Empty where there are no figures of groups.
    public let areas: [AreaName]
    public let rule: GroupRule
    /// Days between the end of a week and its table.
    public let days: Int

    public init(areas: [AreaName], rule: GroupRule, days: Int) {
        (self.areas, self.rule, self.days) = (areas, rule, days)
    }
}

/// Page of a person and API of third parties for figures of groups.
public struct GroupPages: Sendable {
    private let parts: SiteParts
    private let stores: GroupStores
    private let access: PartyAccess
    private let offer: GroupOffer

    public init(parts: SiteParts, stores: GroupStores, access: PartyAccess, offer: GroupOffer) {
        (self.parts, self.stores, self.access, self.offer) = (parts, stores, access, offer)
    }

    public var routes: [Route] {
        GroupConsentPage(parts: parts, members: stores.members, offer: offer).routes
            + GroupAPI(
                groups: stores.groups, releases: stores.releases, access: access, offer: offer,
                clock: parts.clock
            ).routes
    }
}
