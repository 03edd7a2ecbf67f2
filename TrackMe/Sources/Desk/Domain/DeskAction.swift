public import ContractReading
public import GatewayModel

extension EmergencyCall {
    /// Consequence of an event, for the caller to perform: records and acceptances in the transaction that keeps the
    /// call, alerts after it.
    public enum Action: Hashable, Sendable {
        case record(Entry)
        /// A signed acceptance goes to the house.
        case publishAcceptance(by: Dispatcher)
        case alert(Alert)
    }

    /// Line of the call's log.
    public enum Entry: Hashable, Codable, Sendable {
        case message(EmergencyMessage.State, round: Int?, id: MessageID)
        case taken(Dispatcher)
        case released(Dispatcher)
        case takenOver(Dispatcher, from: Dispatcher, reason: String)
        /// The holder works on it still.
        case keptOn(Dispatcher)
        case noted(Dispatcher, String)
        case closed(Dispatcher, Outcome, note: String)
        /// The house went on calling after the desk had closed the call.
        case reopened
        /// The broker has the acceptance.
        case acceptanceDelivered(to: Dispatcher)
        /// The broker does not take the acceptance, with its reason.
        case acceptanceRefused(String)
        /// The outside service has a message of the call.
        case forwarded(CallForwarding.Kind, number: Int)
        /// The outside service does not take it, with the reason. It is sent again.
        case forwardingFailed(String)
        case forwardingGivenUp(String)
        /// A person of the outside service has the call.
        case acceptedOutside(by: String)

        /// Whether it holds the name or the words of a person.
        public var namesSomebody: Bool {
            switch self {
            case .taken, .released, .takenOver, .keptOn, .noted, .closed, .acceptanceDelivered,
                .acceptedOutside:
                true
            case .message, .reopened, .acceptanceRefused, .forwarded, .forwardingFailed, .forwardingGivenUp:
                false
            }
        }
    }

    /// Signal for the open pages of the desk.
    public enum Alert: String, Hashable, Sendable {
        /// Somebody has to take it.
        case newCall = "new-call"
        /// The house repeats a call that nobody has taken.
        case repeated
        /// The holder of a call has left it alone for too long.
        case untouched
        /// The house has ended a call that a dispatcher works on.
        case overWhileTaken = "over-while-taken"
    }
}

/// Reason for which an act of the desk is not possible. It tells the dispatcher who has acted before.
public enum DeskRefusal: Error, Hashable, Sendable {
    case unknownCall
    case taken(by: Dispatcher, since: WallTime)
    case notTaken
    /// Its holder is at the desk, and has done something for it a short time ago.
    case holderPresent(by: Dispatcher, since: WallTime)
    case closed(by: Dispatcher, at: WallTime)
    case over(EmergencyMessage.State, by: String?)
    case emptyNote
    case noteTooLong(limit: Int)
    case tooManyNotes
}
