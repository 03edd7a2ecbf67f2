import ContractReading
import Desk
import GatewayModel
import HelpLine

/// Sentences of the desk in one language.
struct DeskWords: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case desk, open, show, ended, noCalls, signOut, lost, soundOn
        case present(Int)
        case drill, partial
        case age, cause, person, house, state, work
        case round(Int)
        case pending, confirmed, possible, waiting
        case overBy(EmergencyMessage.State, String?)
        case takenBy(String)
        case yours
        case closedBy(String, EmergencyCall.Outcome)
        case mustClose
        case take, release, close, note, addNote, outcome
        case outcomes(EmergencyCall.Outcome)
        case name, address, phone
        case born(Int)
        case notes, contacts, unknown, trend, log, identityMissing
        case place
        case placeOf(source: String, of: String?)
        case accuracy(Int)
        case ageOfPlace(Int)
        case coordinates, map
        case metres(Int)
        case noPlace, limit, value, newest, time
        case ringing(Int)
        case folded(Int, house: String)
        case foldedAge, showFold
        case furtherOf(String)
        case closeTogether(Int)
        case closeTogetherHint
        case takingTimes(TakingTimes)
        case untouched(String)
        case holderAway(String)
        case takeOver, reason, keepOn
        case takeOverHint(String)
        case obstacle(CallArrival.Obstacle)
        case canArrive, mayArrive
        /// Seconds since the newest sign of life of a house.
        case newestMessage(Int64)
        case silent(Int64)
        case acceptanceSent, acceptanceWaits
        case acceptanceRefused(String)
        case refused(DeskRefusal)
        /// - Parameter minutes: since the first failure.
        case forwarding(CallForwarding.Standing, minutes: Int)
        case minutes(Int)
        case entry(EmergencyCall.Entry)
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

    /// Sentence about the doubts of a call that is possible only.
    func doubt(_ doubts: Doubts) -> String { CallWords(language).doubt(because: doubts) }

    func rule(_ rule: String) -> String { CauseWords(language).title(ofRule: rule) }

    func figure(_ value: Double, _ unit: String?, kind: String? = nil) -> String {
        CauseWords(language).figure(value, unit, kind: kind)
    }

    func title(ofKind kind: String) -> String {
        QuantityKind(rawValue: kind)?.words(in: language).title ?? kind
    }
}
