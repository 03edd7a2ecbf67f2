import GatewayModel
import HouseAlarm
import Hub
import RealTime
import SOSLocal
import Synchronization

/// The alarm in the house: a line on the console, on a thread of its own, and beside it the sound, the voice and the
/// lamp.
///
/// A console that does not take the line holds up this thread and nothing else. The line names the person: it is
/// for those in the room, not a log.
final class Annunciator: Sendable {
    private let words: Worker<HouseMessage>
    private let house: HouseAnnunciator
    private let phrases: HousePhrases

    /// Called on the alarm thread.
    struct Reports: Sendable {
        /// The line of an alarm is out.
        let annunciated: @Sendable (AlarmID, BootInstant) -> Void
        /// Whether the console took the last line.
        let canBeHeard: @Sendable (Bool) -> Void
    }

    /// - Parameter house: is told the same; its owner runs it.
    init(_ phrases: HousePhrases, beside house: HouseAnnunciator, reports: Reports) throws {
        (self.house, self.phrases) = (house, phrases)
        let lines = Mutex(ConsoleLines(phrases))
        words = try Worker("alarm") { words, _ in
            for word in words {
                guard let line = lines.withLock({ $0.line(for: word, at: Clock.boot()) }) else { continue }
                let isOut = StandardStream.output.write(line) { reports.canBeHeard(false) }
                reports.canBeHeard(isOut)
                if isOut, case .alarm(let notice) = word { reports.annunciated(notice.alarm, Clock.boot()) }
            }
        }
    }

    /// From any thread, at once.
    func say(_ word: HouseMessage) {
        words.put(word)
        house.say(word)
    }

    /// Replaces the persons of the house, for the console and the voice. From any thread.
    func replace(people: [PersonID: HousePerson]) {
        phrases.replace(people: people)
    }

    func run() async throws {
        try await words.run()
    }

    /// Ends after what was said before it.
    func stop() {
        words.stop()
    }
}
