public import GatewayModel

extension ConsentLedger {
    /// Reason for refusing a decision. The ledger is unchanged.
    ///
    /// The text repeats the request, and discloses nothing that the ledger holds about other persons.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case unknownPerson(PersonID)
        /// AutomatedSOS and third parties receive personal data: the data policy has to be accepted first.
        case dataPolicyFirst(PersonID)
        /// The settings do not name the sender as a decider for this person.
        case notAllowed(PersonID)
        case unknownRequest(RequestID)
        /// A different request has this ID.
        case requestDiffers(RequestID)
        /// The request has expired, and cannot be granted any more.
        case requestOver(RequestID)
        /// The request is granted. It can be withdrawn, not refused.
        case requestGranted(RequestID)
        /// The request is not granted. There is nothing to withdraw.
        case requestNotGranted(RequestID)
        case tooManyRequests(PersonID)
        /// The name or keys differ from those of the party with this ID that has a grant of the person.
        case partyDiffers(PartyID)
        case unknownParty(PartyID)
        /// The party has registered no key that could sign a key change.
        case partyKeyFixed(PartyID)

        /// Stable codes for programs.
        public enum Code: String, CaseIterable, Sendable {
            case unknownPerson = "unknown-person"
            case dataPolicyFirst = "data-policy-first"
            case notAllowed = "not-allowed"
            case unknownRequest = "unknown-request"
            case requestDiffers = "request-differs"
            case requestOver = "request-over"
            case requestGranted = "request-granted"
            case requestNotGranted = "request-not-granted"
            case tooManyRequests = "too-many-requests"
            case partyDiffers = "party-differs"
            case unknownParty = "unknown-party"
            case partyKeyFixed = "party-key-fixed"
        }

        public var code: Code {
            switch self {
            case .unknownPerson: .unknownPerson
            case .dataPolicyFirst: .dataPolicyFirst
            case .notAllowed: .notAllowed
            case .unknownRequest: .unknownRequest
            case .requestDiffers: .requestDiffers
            case .requestOver: .requestOver
            case .requestGranted: .requestGranted
            case .requestNotGranted: .requestNotGranted
            case .tooManyRequests: .tooManyRequests
            case .partyDiffers: .partyDiffers
            case .unknownParty: .unknownParty
            case .partyKeyFixed: .partyKeyFixed
            }
        }

        public var description: String {
            switch self {
            case .unknownPerson(let person):
                "no person '\(person)' in the settings; see: homegateway consent list"
            case .dataPolicyFirst(let person):
                "AutomatedSOS and third parties get personal data, and '\(person)' has not accepted the data policy; "
                    + "accept data-policy first"
            case .notAllowed(let person):
                "the settings say who decides for '\(person)' (decided_by), and this name is not among them; say who decides "
                    + "with --by"
            case .unknownRequest(let request):
                "no request '\(request)' of this person; see: homegateway consent list"
            case .requestDiffers(let request):
                "'\(request)' is another request already; ask under an id of its own"
            case .requestOver(let request):
                "the time that request '\(request)' asks for is over; it would have to be asked anew"
            case .requestGranted(let request):
                "request '\(request)' is granted; to end that, withdraw it"
            case .requestNotGranted(let request):
                "request '\(request)' is not granted, so there is nothing to withdraw"
            case .tooManyRequests(let person):
                "\(ConsentLedger.mostPending) requests wait for an answer of '\(person)' already; answer some first"
            case .partyDiffers(let party):
                "'\(party)' has another name or other keys here; a party changes its key by a word it signs itself"
            case .unknownParty(let party):
                "nothing is granted to a party '\(party)'"
            case .partyKeyFixed(let party):
                "'\(party)' has named no key that may change its key; withdraw, and have it ask anew"
            }
        }
    }
}
