import Parties

extension PartyWords {
    func english(_ text: Text) -> String {
        switch text {
        case .register: "Register a company"
        case .registerIntro:
            "A company can ask persons for their data. The operator of this server examines each application. Each person "
                + "then decides at home."
        case .company: "Name of the company"
        case .companyHint: "Persons read it in the question. At most 100 characters."
        case .vat: "VAT number"
        case .vatHint: "With the prefix of the country, for example IT00743110157"
        case .id: "Short name"
        case .idHint:
            "1 to 32 small letters, digits and hyphens, for example clinic. It is the client ID of your programs, and "
                + "cannot be changed."
        case .contact: "Mail address"
        case .contactHint: "The operator writes to it. Persons do not see it."
        case .key: "Public key"
        case .keyHint:
            "A JWK of Ed25519 with a kid, in one line. Your programs sign with the private key, which never leaves you."
        case .apply: "Apply"
        case .applied:
            "Your application has been received. The operator examines it and writes to your mail address."
        case .sharing: "Who sees my data"
        case .sharingIntro:
            "Companies that have asked for your data. A company gets only data that your house sends to it after your yes, "
                + "and nothing more after your no."
        case .noRequests: "No company has asked."
        case .noLink: "Your account is not linked to a person yet."
        case .endRequest: "End"
        case .state(let state, let date):
            switch state {
            case .sent: "Asked on \(date). Answer at home."
            case .accepted: "Accepted on \(date)"
            case .refused: "Refused on \(date)"
            case .withdrawn: "Ended on \(date)"
            case .expired: "Expired on \(date)"
            }
        case .suspendedCompany:
            "The operator of this server has suspended this company: it gets nothing for now. Your answer at home stays as it is."
        case .closedCompany:
            "The operator of this server has closed this company: it gets nothing any more, and your house is told to end its "
                + "permission."
        case .until(let date): "Until \(date)"
        case .read(let count, let date): "The company has read \(count) messages, most recently on \(date)."
        case .neverRead: "The company has read nothing."
        case .code: "Fiscal code"
        case .codeIntro:
            "A company finds a person here only by the fiscal code in the profile at home, after a yes at home. This server keeps a "
                + "check value of it, not the code. Each company still needs a yes of its own."
        case .askForCode: "Ask at home for the fiscal code"
        case .endCode: "Do not let companies find this person any more"
        case .codeState(let state, let date):
            switch state {
            case .never:
                "No company can find this person. Codes that were typed here in earlier versions no longer count: ask at home."
            case .asked: "Asked on \(date). Answer at home: until then no company can find this person."
            case .given: "Given by the house since \(date). A company that knows the code can ask."
            case .missing:
                "The person said yes on \(date), but there is no fiscal code at home, so no company can find this person. Write it "
                    + "at home on the page Profile, or with: homegateway profile set --fiscal-code. It comes here by itself."
            case .underway: "The person said yes on \(date). The code is on its way."
            case .refused: "Refused on \(date). No company can find this person."
            case .ended: "Ended on \(date). No company can find this person."
            case .expired: "Nobody answered until \(date). No company can find this person."
            case .failed: "The house did not take the question of \(date). No company can find this person."
            }
        case .codeAlsoElsewhere:
            "Another house gives the same fiscal code for another person, who is not found by it. Compare the code in the profile at "
                + "home with the card. If it is right, tell the operator of this server."
        case .codeOfAnother:
            "Another house gave the same fiscal code for another person first, so no company can find this person. Compare the code in "
                + "the profile at home with the card. If it is right, tell the operator of this server."
        case .reason(let code): "Reason: \(code)"
        case .badCompany: "Write the name of the company, with 100 characters at most."
        case .badVAT: "This is not the form of a VAT number of the European Union."
        case .badVATDigit: "The check digit of this VAT number is wrong. Compare it digit by digit."
        case .badID: "This is no short name, or one that is reserved."
        case .takenID: "This short name is taken. Choose another one."
        case .badContact: "This is no mail address."
        case .badKey: "This is no public JWK of Ed25519 with a kid."
        }
    }
}
