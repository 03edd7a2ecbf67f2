import Accounts
import GatewayModel

/// Sentences of the pages in one language.
struct Words: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case product, myData, desk, fleet, runs, links, sessions, account, signIn, signOut, register, agreement,
            companies,
            sharing
        case userName, fullName, password, passwordAgain, language
        case userNameHint, passwordHint, agree, agreeFirst, haveAccount, noAccount
        case invitation, invitationGone, choosePassword
        case invitationIntro(String)
        case nameTaken, badUserName, badName, passwordsDiffer, passwordShort, passwordLong, passwordCommon
        case passwordLikeName, signInFailed, signInRefused, tooManyAttempts, accountDisabled
        case noLinkYet, linkIntro, house, houseHint, person, personHint, ask, askSent
        case linkCode, linkCodeHint, badLinkCode
        case noSuchHouse, badPerson, linkExists, tooManyLinks, tooManyQuestions
        case linkRole, linkRoleHint, lookOnly
        case role(LinkRole)
        case state(Link.State)
        case reason(String)
        case since(String)
        case endLink, yourLinks, noLinks
        case live, newest
        case at(String)
        case noReadings, kind, time, value, show, day, week, span, earlier, later, lastDay
        case chartOf(String, String)
        case summary(count: Int, min: String, mean: String, max: String)
        case least, mean, greatest, count, download, table, lost
        case thisSession, endSession, otherSessions, unknownBrowser, endOtherSessions, endOthersHint
        case deleteTitle, deleteExplained, deleteConfirm, delete, save, saved
        case agreementParagraph(Int)
        case acceptedOn(String)
        case errorTitle(Problem.Kind)
        case errorHint(Problem.Kind)
        case back
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    func title(_ kind: QuantityKind) -> String { kind.words(in: language).title }

    func unit(_ kind: QuantityKind) -> String { kind.words(in: language).displayUnit }

    /// Tenths where there are any: 36.6 but 152.
    func figure(_ value: Double) -> String {
        let bounded = value.isFinite ? min(max(value, -1_000_000), 1_000_000) : 0
        let tenths = Int((bounded * 10).rounded())
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        let mark =
            switch language {
            case .english: "."
            case .italian: ","
            }
        return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole)\(mark)\(rest)")
    }

    func figure(_ value: Double, _ kind: QuantityKind) -> String { figure(value) + " " + unit(kind) }
}
