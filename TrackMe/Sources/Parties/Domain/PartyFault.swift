public import GatewayModel

/// Refusal of an act of a third party or about one. The operation left no trace.
public enum PartyFault: Error, Hashable, Sendable {
    /// The ID is another party's.
    case partyTaken(PartyID)
    /// So many applications wait for the operator that no more are kept.
    case tooManyApplications
    /// The party is in a state from which the act does not lead on.
    case actImpossible(PartyState)
    /// The assertion was used before.
    case assertionUsed
    /// The party has asked for as many tokens as it may in the life of an assertion.
    case tooManyTokens
    case partyNotApproved
    /// The party has used the idempotency key for another request.
    case idempotencyKeyUsed
    /// The party has sent as many requests as it may in a day.
    case tooManyRequests
    /// The party has as many subscriptions as it may.
    case tooManySubscriptions
}
