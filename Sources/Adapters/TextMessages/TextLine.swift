import GatewayModel
import HelpLine
import SOSLocal

/// One alarm at the desk: what each recipient has of it, and the message that they are to have.
struct TextLine {
    /// The newest message of the alarm, on its way to the recipients.
    struct Goal {
        let message: HelpMessage
        let text: String
        let given: BootInstant
        /// Of those with whom this message is done, one way or the other.
        var outcomes: [PhoneNumber: Outcome] = [:]
        /// The machine knows that somebody has it.
        var isHandedOver = false
        var isReported = false

        enum Outcome: Hashable {
            case reached
            /// Has it from an earlier round, or never had what is taken back.
            case needsNothing
            case failed(reason: String)
        }

        var isRetraction: Bool { word == .retraction }

        var word: Word {
            if case .call(let order, _) = message { .call(order.stage) } else { .retraction }
        }
    }

    /// What a text says of the alarm.
    enum Word: Hashable {
        case call(DispatchStage)
        case retraction
    }

    /// What a recipient was told last.
    struct Told {
        let word: Word
        let at: BootInstant
        /// False where it is not known whether the text has arrived.
        let isCertain: Bool
    }

    var told: [PhoneNumber: Told] = [:]
    var goal: Goal?
    /// What is under way to whom.
    var underWay: [PhoneNumber: Word] = [:]
    /// Why a recipient was not reached last: told when it changes, not each round.
    var complaints: [PhoneNumber: String] = [:]
    var used: BootInstant

    init(at now: BootInstant) { used = now }

    /// A day: as long as the machine owes an alarm its last word, and an hour.
    static let memory = Duration.seconds(25 * 3_600)

    func isForgotten(at now: BootInstant) -> Bool {
        isIdle && used.duration(to: now) > Self.memory
    }

    var isIdle: Bool { underWay.isEmpty && goal?.isReported ?? true }

    /// Whether this recipient needs no text of the goal.
    func needsNothing(_ recipient: PhoneNumber, repeatInterval: Duration) -> Bool {
        guard let goal else { return true }
        guard !goal.isRetraction else { return told[recipient] == nil }
        guard let told = told[recipient], told.isCertain, told.word == goal.word else { return false }
        return told.at.duration(to: goal.given) < repeatInterval
    }

    mutating func ended(_ recipient: PhoneNumber, _ outcome: TextOutcome, at now: BootInstant) {
        // Nothing under way is a double end, which no way reports.
        guard let word = underWay.removeValue(forKey: recipient) else { return }
        used = now
        switch (word, outcome) {
        case (.call, .sent): told[recipient] = Told(word: word, at: now, isCertain: true)
        case (.call, .failed(let failure)):
            if failure.mayHaveArrived, told[recipient]?.isCertain != true {
                told[recipient] = Told(word: word, at: now, isCertain: false)
            }
        case (.retraction, .sent): told[recipient] = nil
        // Still owed.
        case (.retraction, .failed): break
        }
        // What went out for an older message of this alarm says nothing of this one.
        guard word == goal?.word, goal?.outcomes[recipient] == nil else { return }
        switch outcome {
        case .sent: goal?.outcomes[recipient] = .reached
        case .failed(let failure): goal?.outcomes[recipient] = .failed(reason: failure.reason)
        }
    }
}
