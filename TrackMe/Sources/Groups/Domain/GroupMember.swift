public import Accounts
public import GatewayModel

/// Refusal of the store. The operation left no trace.
public enum GroupFault: Error, Hashable, Sendable {
    /// The account has no such link, or the person has not said yes to it.
    case notLinked
    /// Another account counts this person in.
    case counted
    /// The party has used the idempotency key for another request.
    case idempotencyKeyUsed
    /// The party has asked for as many groups as it may in a day.
    case tooManyGroups
    case partyNotApproved
}

/// Consent of an account to be counted.
public struct GroupMember: Hashable, Sendable {
    public let link: LinkID
    public let profile: GroupProfile
    public let since: WallTime

    public init(link: LinkID, profile: GroupProfile, since: WallTime) {
        (self.link, self.profile, self.since) = (link, profile, since)
    }
}

/// Release of a week.
public struct WeekRelease: Hashable, Sendable {
    public let week: Week
    public let released: WallTime
    public let rule: GroupRule

    public init(week: Week, released: WallTime, rule: GroupRule) {
        (self.week, self.released, self.rule) = (week, released, rule)
    }
}
