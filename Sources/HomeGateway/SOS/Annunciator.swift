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
        /// Nobody could be called, and why.
        case nobodyCalled(PersonID, reason: String)
    }

    private let words: Worker<Word>

    /// - Parameter onAnnunciated: called on the alarm thread when the line of an alarm is out.
    init(
        names: [PersonID: String], onAnnunciated: @escaping @Sendable (AlarmID, BootInstant) -> Void
    ) throws {
        words = try Worker("alarm") { words, _ in
            for word in words {
                StandardStream.output.write(AlarmLine(names: names).text(for: word))
                if case .alarm(let notice) = word { onAnnunciated(notice.alarm, Clock.boot()) }
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
