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

/// Consent of persons to be counted. A person of a house is counted by one account at most.
public protocol GroupMemberStore: Sendable {
    /// Nil for an account that is not counted.
    func member(_ account: AccountID) async throws -> GroupMember?
    /// Tables that have counted the account until now.
    func tables(of account: AccountID) async throws -> Int
    /// Switches the consent on, or changes its profile. The time of the consent stays when the profile changes.
    ///
    /// - Throws: `GroupFault.notLinked`, `GroupFault.counted`.
    func countIn(_ profile: GroupProfile, of account: AccountID, by link: LinkID, at now: WallTime) async throws
    /// Switches the consent off, and erases the profile. False if it was off.
    func countOut(_ account: AccountID, at now: WallTime) async throws -> Bool
    /// Accounts with a consent that is on and a link that holds.
    func memberCount() async throws -> Int
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

/// Weekly tables.
public protocol GroupReleaseStore: Sendable {
    /// Writes the table of a week in one commit. False if it was there: it is never written again.
    func release(_ week: Week, of areas: [AreaName], by rule: GroupRule, at now: WallTime) async throws -> Bool
    /// Newest first.
    func releases(most: Int) async throws -> [WeekRelease]
    /// Tables that answer a group, oldest first, after a week.
    func tables(for group: PartyGroup, after week: Week?, most: Int) async throws -> [WeekTable]
}

/// Groups that third parties asked for.
public protocol PartyGroupStore: Sendable {
    /// Keeps a group. The earlier one where the same came before under its idempotency key.
    ///
    /// - Throws: `GroupFault.idempotencyKeyUsed`, `GroupFault.tooManyGroups`, `GroupFault.partyNotApproved`.
    func ask(_ group: NewGroup) async throws -> PartyGroup
    /// Newest first.
    func groups(of party: PartyID, most: Int) async throws -> [PartyGroup]
    func group(_ id: GroupID, of party: PartyID) async throws -> PartyGroup?
    /// Ends a group. Nil for an unknown one; one that has ended stays as it is.
    func end(_ id: GroupID, of party: PartyID, at now: WallTime) async throws -> PartyGroup?
}
