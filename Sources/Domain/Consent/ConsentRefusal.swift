public import GatewayModel

extension ConsentLedger {
    /// Why a decision is not taken; the ledger is as it was.
    ///
    /// A text repeats what was asked and says nothing of what is in the ledger about anybody else.
    public enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        case unknownPerson(PersonID)
        /// AutomatedSOS and third parties get personal data: the policy comes first.
        case dataPolicyFirst(PersonID)
        /// The settings do not name who asks as somebody who decides for this person.
        case notAllowed(PersonID)
        case unknownRequest(RequestID)
        /// Another question was asked under this id.
        case requestDiffers(RequestID)
        /// Its time is over: it cannot be granted any more.
        case requestOver(RequestID)
        /// It is granted: to be withdrawn, not refused.
        case requestGranted(RequestID)
        /// It is not granted, so that there is nothing to withdraw.
        case requestNotGranted(RequestID)
        case tooManyRequests(PersonID)
        /// It bears another name or other keys than the party of that id to whom the person grants something now.
        case partyDiffers(PartyID)
        case unknownParty(PartyID)
        /// It has named no key that could vouch for another one.
        case partyKeyFixed(PartyID)

        /// Stable, for programs.
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
