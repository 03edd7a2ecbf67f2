import Contract
import GatewayModel
import RealTime
import SOSLocal
import Synchronization

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

    private let words: Mailbox<Word>
    private let names: [PersonID: String]
    private let onAnnunciated: @Sendable (AlarmID, BootInstant) -> Void
    private let isStopping = Atomic(false)

    /// - Parameter onAnnunciated: called on the alarm thread when the first line of an alarm is out.
    init(
        names: [PersonID: String], onAnnunciated: @escaping @Sendable (AlarmID, BootInstant) -> Void
    ) throws {
        words = try Mailbox()
        self.names = names
        self.onAnnunciated = onAnnunciated
    }

    /// From any thread, at once.
    func say(_ word: Word) {
        words.put(word)
    }

    func run() async throws {
        await (try NamedThread("alarm") { [self] in loop() }).finished()
    }

    /// Ends after what was said before it.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        words.wakeup.signal()
    }

    private func loop() {
        while true {
            let isLast = isStopping.load(ordering: .acquiring)
            let waiting = words.take().values
            for word in waiting { announce(word) }
            if isLast { return }
            if waiting.isEmpty { _ = Poll.wait([Poll.Interest(words.wakeup.descriptor)], timeout: nil) }
        }
    }

    private func announce(_ word: Word) {
        StandardStream.output.write(line(for: word))
        if case .alarm(let notice) = word { onAnnunciated(notice.alarm, Clock.boot()) }
    }

    private func line(for word: Word) -> String {
        switch word {
        case .alarm(let notice):
            "*** ALARM *** \(name(notice.person)): \(cause(notice.cause)). \(callState(notice))"
        case .ended(let notice, let ending):
            "*** alarm over *** \(name(notice.person)): \(ending.word) by \(ending.act.by)"
        case .nobodyCalled(let person, let reason):
            "*** NOBODY WAS CALLED *** \(name(person)): \(reason)"
        }
    }

    private func name(_ person: PersonID) -> String { names[person] ?? person.text }

    private func cause(_ cause: AlarmCause) -> String {
        switch cause {
        case .signal(let signal):
            switch signal.kind {
            case .sosButton: return "the SOS button was pressed"
            case .fall: return "a fall was detected"
            case .shaking: return "repeated shaking was detected"
            }
        case .crossing(let crossing):
            let quantity = crossing.reading.quantity
            let coding = quantity.kind.coding
            let side = crossing.rule.side == .low ? "low" : "high"
            return "\(coding.title.lowercased()) too \(side), \(plain(quantity.value)) \(coding.displayUnit) "
                + "(limit \(plain(crossing.rule.limit)))"
        }
    }

    /// Tenths where there are any: 36.6, but 152.
    private func plain(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }

    private func callState(_ notice: AlarmNotice) -> String {
        guard let end = notice.windowEnd else { return "Help was called; nobody has answered yet." }
        let seconds = Double(Clock.boot().duration(to: end).wholeMilliseconds) / 1_000
        let tenths = max((seconds * 10).rounded() / 10, 0)
        return "Help is called in \(tenths) s unless cancelled: homegateway abort"
    }
}
