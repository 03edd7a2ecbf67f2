public import Accounts
public import GatewayModel
public import Parties

/// Refusal of the store. The operation left no trace. A failure of the disk is thrown as the database reports it.
public enum StoreFault: Error, Hashable, Sendable {
    /// The user name is taken.
    case nameTaken(UserName)
    /// This account has an open link to this person.
    case linkExists
    /// The account has asked for as many links as it may in a day.
    case tooManyLinks
    /// As many questions for a link as a person may have open wait for the answer of the person.
    case tooManyQuestions
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
    /// The account has no link to the person that holds.
    case notLinked
    /// The account has sent as many commands about intervals as it may in a day.
    case tooManyIntervals
    /// A request for the fact about the person is open.
    case factAsked
    /// The person was asked for the fact as often as they may be in a day.
    case tooManyFactRequests
}
