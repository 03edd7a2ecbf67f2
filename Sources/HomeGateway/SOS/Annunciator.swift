import GatewayModel
import RealTime
import SOSLocal

/// The alarm in the house: a line on the console, on a thread of its own.
///
/// A console that does not take the line holds up this thread and nothing else. What is written names
/// the person: it is for those in the room, not a log.
final class Annunciator: Sendable {
    enum Word: Sendable {
        case alarm(AlarmNotice)
        case ended(AlarmNotice, AlarmEnding)
        /// Nobody may be called, and why.
        case nobodyCalled(PersonID, reason: String)
        /// One of the ways to help does not work; the others are tried.
        case unreached(PersonID, ChannelID, reason: String)
        /// Those who were called could not be told that it is over.
        case notRetracted(PersonID, ChannelID, reason: String)
        /// For a while nobody is watched over, or not all of them, and why.
        case supervisionPaused(HealthCondition)
        case supervisionBack
    }

    private let words: Worker<Word>

    /// Called on the alarm thread.
    struct Reports: Sendable {
        /// The line of an alarm is out.
        let annunciated: @Sendable (AlarmID, BootInstant) -> Void
        /// Whether the console took the last line.
        let canBeHeard: @Sendable (Bool) -> Void
    }

    /// - Parameter mayCall: whether help may be called for a person at all, as of now.
    init(
        names: [PersonID: String], mayCall: @escaping @Sendable (PersonID) -> Bool, reports: Reports
    ) throws {
        let line = AlarmLine(names: names, mayCall: mayCall)
        words = try Worker("alarm") { words, _ in
            for word in words {
                let isOut = StandardStream.output.write(line.text(for: word)) { reports.canBeHeard(false) }
                reports.canBeHeard(isOut)
                if isOut, case .alarm(let notice) = word { reports.annunciated(notice.alarm, Clock.boot()) }
            }
        }
    }

    /// From any thread, at once.
    func say(_ word: Word) {
        words.put(word)
    }

    func run() async throws {
        try await words.run()
    }

    /// Ends after what was said before it.
    func stop() {
        words.stop()
    }
}
