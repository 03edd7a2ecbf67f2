import GatewayModel
import Parties

/// Sentences of the pages of third parties in one language.
struct PartyWords: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case register, registerIntro, company, companyHint, vat, vatHint, id, idHint, contact, contactHint
        case key, keyHint, apply, applied
        case sharing, sharingIntro, noRequests, noLink, endRequest
        case state(PartyRequest.State, String)
        case suspendedCompany, closedCompany
        case until(String)
        case read(Int, String)
        case neverRead
        case code, codeIntro, askForCode, endCode, codeAlsoElsewhere, codeOfAnother
        case codeState(CodeState, String)
        case reason(String)
        case badCompany, badVAT, badVATDigit, badID, takenID, badContact, badKey
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }
}
