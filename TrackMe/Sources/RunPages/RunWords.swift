import GatewayModel
import RunBeacon
import Runs
import Store

/// Sentences about runs in one language. Reasons of faults in a course are in English.
struct RunWords: Sendable {
    enum Text: Hashable, Sendable {
        case runs, noRuns, ongoing, coming, past, lost, myRuns, organise, join, leave, leaveExplained, joined
        case state(RunState)
        case from(String, to: String)
        case runners(Int, of: Int)
        case standings, byGun, rank, runner, at, time, nobody, undecided, map
        case mapOf(String)
        case keyLocated, keyProjected
        case onMap(located: Int, projected: Int)
        case search, searchHint, show, all, notHeard, left, didNotStart, didNotFinish, disqualified
        case bound(String)
        case trackerLost(String)
        case next(String, String)
        case splits, point, noSplits, back
        case vitals, vitalsExplained, noLink, endSharing, endQuestion
        /// Name of the person at home.
        case share(String)
        case sharing(RunSharing.State, String?)
        case vital(QuantityKind, Double, String)
        case manyRows(Int, Int)
        case id, idHint, title, description, waves, wavesHint, end, endHint, checkpoints, checkpointsHint
        case course, courseHint, keepsCourse, most, create, change, cancel, cancelQuestion, yesCancel
        case organisers, coOrganiser, add, remove, boxes, noBoxes, box, boxHint
        case takeOut(String)
        case takeOutExplained, discard
        case notAdded(String)
        case participants, bib, name, category, wave, waveHint, tag, tagHint, carries, carriesHint
        case showName, runnerAgrees, enrol, commands, noCommands
        case commandState(CommandState, String?)
        case fault(RunFault)
        case refused(RunActRefusal)
        case badCode, oldCode, tooManyTries, joinExplained
    }

    let language: PersonProfile.Language

    init(_ language: PersonProfile.Language) { self.language = language }

    func say(_ text: Text) -> String {
        switch language {
        case .english: english(text)
        case .italian: italian(text)
        }
    }

    /// `1:02:03.4`
    func elapsed(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        let tenths = max(0, seconds * 10 + rest / 100_000_000_000_000_000)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
        let head = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
        return "\(head):\(two(tenths / 10 % 60)).\(tenths % 10)"
    }

    /// Rounded up.
    func bound(_ duration: Duration) -> String {
        let (seconds, rest) = duration.components
        let tenths = seconds * 10 + (rest + 99_999_999_999_999_999) / 100_000_000_000_000_000
        return say(.bound(tenths < 600 ? "\(tenths / 10).\(tenths % 10) s" : "\((tenths + 599) / 600) min"))
    }
}
