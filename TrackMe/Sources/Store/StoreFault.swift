public import Accounts
import GatewayModel

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
    /// The account has no link to the person that holds.
    case notLinked
    /// The account has sent as many commands about intervals as it may in a day.
    case tooManyIntervals
    /// A request for the fact about the person is open.
    case factAsked
    /// The person was asked for the fact as often as they may be in a day.
    case tooManyFactRequests
}
