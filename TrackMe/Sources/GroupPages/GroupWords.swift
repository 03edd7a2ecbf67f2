import GatewayModel
import Groups

/// Sentences of the page about figures of groups in one language.
struct GroupWords: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case title, isOff
        case isOn(String)
        case tables(Int)
        case meaning
        case companies
        case published(days: Int)
        case noise, guarantee, attacker, year
        case rule(GroupRule)
        case withdrawal, stored
        case switchOn, change, switchOff
        case person, birthYear, birthYearHint, gender
        case genders(Gender)
        case area, choose, agree
        case noAreas, noLink, linkGone, areaGone
        case agreeFirst, badGender, badArea, badLink, badYear, counted
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
