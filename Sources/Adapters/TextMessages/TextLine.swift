import GatewayModel
import HelpLine
public import SOSLocal

/// State of one alarm: the texts that each recipient has, and the message that they are to get.
struct TextLine {
    /// The newest message of the alarm, on its way to the recipients.
    struct Goal {
        let message: HelpMessage
        let text: String
        let given: BootInstant
        /// Recipients for which this message has ended, with success or not.
        var outcomes: [PhoneNumber: Outcome] = [:]
        /// The machine knows that somebody has it.
        var isHandedOver = false
        var isReported = false

        enum Outcome: Hashable {
            case reached
            /// Has it from an earlier round, or never had the text that is taken back.
            case needsNothing
            case failed(reason: String)
        }

        var isRetraction: Bool { word == .retraction }

        var word: Word {
            if case .call(let order, _) = message { .call(order.stage) } else { .retraction }
        }
    }

    /// State of the alarm in a text.
    enum Word: Hashable {
        case call(DispatchStage)
        case retraction
    }

    /// State that a recipient was told last.
    struct Told {
        let word: Word
        let at: BootInstant
        /// False where it is not known whether the text has arrived.
        let isCertain: Bool
    }

    var told: [PhoneNumber: Told] = [:]
    var goal: Goal?
    /// Text under way to one recipient.
    var underWay: [PhoneNumber: Word] = [:]
    /// Why a recipient was not reached last: told when it changes, not each round.
    var complaints: [PhoneNumber: String] = [:]
    var used: BootInstant

    init(at now: BootInstant) { used = now }

    /// A day: as long as the machine owes an alarm its last word, and an hour.
    private static let memory = Duration.seconds(25 * 3_600)

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
        // The outcome of an older message of this alarm says nothing of this one.
        guard word == goal?.word, goal?.outcomes[recipient] == nil else { return }
        switch outcome {
        case .sent: goal?.outcomes[recipient] = .reached
        case .failed(let failure): goal?.outcomes[recipient] = .failed(reason: failure.reason)
        }
    }
}

/// Event for the log that changes nothing. Names nobody: recipients are counted from 1, in the order of the
/// settings.
public enum TextNote: Hashable, Sendable, CustomStringConvertible {
    /// Others have the message, this one has not.
    case notReached(AlarmID, recipient: Int, reason: String)
    /// The message was longer than its limit.
    case shortened(AlarmID)
    /// A recipient has accepted the call.
    case accepted(AlarmID, recipient: Int)
    /// A recipient has answered without the code of an open call, or too often with a wrong one.
    case notAccepted(recipient: Int)

    public var description: String {
        switch self {
        case .notReached(_, let recipient, let reason): "recipient \(recipient) was not reached: \(reason)"
        case .accepted(_, let recipient): "recipient \(recipient) has accepted the call by a text"
        case .notAccepted(let recipient):
            "recipient \(recipient) has answered without the code of an open call; the alarm goes on"
        case .shortened: "the text was longer than 3 parts; the less important end of it was left out"
        }
    }

    /// Nil where it belongs to no alarm.
    public var alarm: AlarmID? {
        switch self {
        case .notReached(let alarm, _, _), .shortened(let alarm), .accepted(let alarm, _): alarm
        case .notAccepted: nil
        }
    }
}

/// One text for one number.
struct OutgoingText: Hashable, Sendable {
    let recipient: PhoneNumber
    let text: String
}

/// Outcome of one text.
enum TextOutcome: Hashable, Sendable {
    /// The network has it.
    case sent
    case failed(TextFailure)
}

struct TextFailure: Hashable, Sendable {
    enum Scope: Hashable, Sendable {
        /// Another number may fare better.
        case number
        /// No text leaves this way now.
        case way
    }

    let scope: Scope
    /// For the installer; names no number.
    let reason: String
    /// It is not known whether the network has it, or a part of it.
    let mayHaveArrived: Bool

    static func way(_ reason: String, mayHaveArrived: Bool = false) -> TextFailure {
        TextFailure(scope: .way, reason: reason, mayHaveArrived: mayHaveArrived)
    }

    static func number(_ reason: String, mayHaveArrived: Bool = false) -> TextFailure {
        TextFailure(scope: .number, reason: reason, mayHaveArrived: mayHaveArrived)
    }
}

/// Event that `ModemManagerBackend` returns.
enum TextWayEvent: Hashable, Sendable {
    case ended(Int, TextOutcome)
    case looked(ChannelTest)
    case received(IncomingText)
}

/// Text that came in.
struct IncomingText: Hashable, Sendable {
    /// Its path at ModemManager.
    let id: String
    /// As the network wrote it, with or without the country code. Personal; never logged.
    let sender: String
    let text: String
}
