import ContractReading
import GatewayModel
import Store

/// Sentences of the pages about a person's own data, in one language.
struct MyDataWords: Hashable, Sendable {
    enum Text: Hashable, Sendable {
        case month, quarter
        case noData(GapWords)
        case missing(from: String, to: String, GapWords)
        case alarm(String, EmergencyMessage.State, isDrill: Bool)
        case houseLink, house
        case seen(String)
        case neverSeen, present, away
        case version(String)
        case onBattery(Int?)
        case unsent(Int)
        case conditions
        /// Nil for a code that this program does not know; the subject is the wearable, the person or the part.
        case condition(HealthCode?, String?)
        case devices, noDevices
        case lastReading(String)
        case noReading, batteryLow, batteryNotTold
        case automatedSOS, automatedSOSOn, automatedSOSOff, automatedSOSHint
        case limits, limitsIntro, limitsAsk, limitsEnd
        case limitState(FactSharing.State)
        case limit(LimitSide, String)
        case notices, noNotices, ended
        case interval, intervalIntro, seconds, secondsHint, send, badSeconds, tooMany
        case sent, commands, noCommands
        case everySeconds(String, Int)
        case asSettings(String)
        case state(CommandState)
        case reason(String)
        case looks, looksIntro, noLooks, deletedAccount
        case look(DataView.Manner, Int, String)
        case profile, zone, serverZone, changePassword, currentPassword, newPassword, passwordChanged,
            wrongPassword
        case groups, groupsLink
        case export, exportIntro, exportJSON, exportCSV, exportFHIR
        case deleteStart, deleteAsk, deleteWithdraws, deleteErases, deleteKeepsOthers
        case deleteSessions(Int)
        case deleteKey, deleteStays, deleteExportFirst, deleteNoLinks
    }

    enum LimitSide: Hashable, Sendable { case low, high, warningLow, warningHigh }

    /// Readings that a house dropped.
    struct GapWords: Hashable, Sendable {
        let dropped: Int
        let reason: SampleGap.Reason?
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    /// The title of a condition with its subject.
    static func sentence(_ title: String, _ subject: String?) -> String {
        title + (subject.map { " (\($0))" } ?? "") + "."
    }
}
