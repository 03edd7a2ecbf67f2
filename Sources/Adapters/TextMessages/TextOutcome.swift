import HelpLine

/// One text for one number.
struct OutgoingText: Hashable, Sendable {
    let recipient: PhoneNumber
    let text: String
}

/// What became of one text.
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

/// What a way reports.
enum TextWayEvent: Hashable, Sendable {
    case ended(Int, TextOutcome)
    case looked(ChannelTest)
}
