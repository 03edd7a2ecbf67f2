import GatewayModel
import HouseAlarm
import RealTime
import SOSLocal

/// The alarm in the house: a line on the console, on a thread of its own, and beside it whatever sounds and shines.
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
        /// The button cannot tell whose of the open alarms is to be cancelled: all go on.
        case whoseIsMeant([PersonID])
        /// For a while nobody is watched over, or not all of them, and why.
        case supervisionPaused(HealthCondition)
        case supervisionBack
    }

    private let words: Worker<Word>
    private let house: HouseAnnunciator

    /// Called on the alarm thread.
    struct Reports: Sendable {
        /// The line of an alarm is out.
        let annunciated: @Sendable (AlarmID, BootInstant) -> Void
        /// Whether the console took the last line.
        let canBeHeard: @Sendable (Bool) -> Void
    }

    /// - Parameters:
    ///   - mayCall: whether help may be called for a person at all, as of now.
    ///   - house: is told the same; whoever made it runs it.
    init(
        names: [PersonID: String], mayCall: @escaping @Sendable (PersonID) -> Bool,
        beside house: HouseAnnunciator, reports: Reports
    ) throws {
        self.house = house
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
        if let word = HouseWord(word) { house.say(word) }
    }

    /// What only sound and lamp tell: how far a call has come. From any thread, at once.
    func say(aloud word: HouseWord) {
        house.say(word)
    }

    func run() async throws {
        try await words.run()
    }

    /// Ends after what was said before it.
    func stop() {
        words.stop()
    }
}

extension HouseWord {
    /// Nil for what is told otherwise: how far a call has come goes by all its ways together, and supervision
    /// by the person whom it is about.
    fileprivate init?(_ word: Annunciator.Word) {
        switch word {
        case .alarm(let notice): self = .alarm(notice)
        case .ended(let notice, let ending): self = .ended(notice, ending)
        case .nobodyCalled(let person, let reason): self = .nobodyCalled(person, reason: reason)
        case .unreached: return nil
        case .supervisionPaused, .supervisionBack: return nil
        case .notRetracted(let person, _, let reason): self = .notRetracted(person, reason: reason)
        case .whoseIsMeant(let persons): self = .whoseIsMeant(persons)
        }
    }
}
