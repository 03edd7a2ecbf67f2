import GatewayModel
import HelpLine
public import SOSLocal

/// State of the calls about one alarm.
struct CallTask {
    /// The newest message of the alarm.
    private(set) var message: HelpMessage
    private(set) var script: CallScript
    /// Recipients that this pass has still to call.
    var left: [PhoneNumber] = []
    /// Recipients that have answered a call and do not know of its end.
    var told: Set<PhoneNumber> = []
    /// Why recipients were not reached in this pass.
    var failures: [PhoneNumber: String] = [:]
    /// Somebody has answered in this pass.
    var hasAnswered = false
    /// The last stage of which a call was answered.
    var answeredStage: DispatchStage?
    /// The machine knows that this order was answered.
    var isHandedOver = false
    /// The machine knows that this order has failed, or that the retraction has ended.
    var isReported = false
    private(set) var isAccepted = false
    /// The last failure was none of a single number.
    var isRouteAtFault = false
    /// Begin of the next pass; nil while one is under way, or none follows.
    var nextPass: BootInstant?
    var used: BootInstant

    /// Longer than the alarm machine repeats an end, and an hour.
    private static let memory = Duration.seconds(25 * 3_600)

    init(_ message: HelpMessage, _ script: CallScript, at now: BootInstant) {
        self.message = message
        self.script = script
        used = now
    }

    var isRetraction: Bool { if case .retraction = message { true } else { false } }

    /// Nil for a retraction.
    var stage: DispatchStage? { if case .call(let order, _) = message { order.stage } else { nil } }

    func isForgotten(at now: BootInstant) -> Bool { left.isEmpty && used.duration(to: now) > Self.memory }

    /// Takes a newer message in place of the old one.
    mutating func take(_ message: HelpMessage, _ script: CallScript, at now: BootInstant) {
        self.message = message
        self.script = script
        used = now
        isHandedOver = false
        isReported = false
        if isAccepted {
            isAccepted = false
            nextPass = nil
        }
    }

    /// Begins a pass over all recipients.
    mutating func begin(_ recipients: [PhoneNumber]) {
        left = recipients
        failures = [:]
        hasAnswered = false
        isRouteAtFault = false
        nextPass = nil
    }

    /// A recipient has accepted: nobody else is called.
    mutating func accepted() {
        isAccepted = true
        left = []
        nextPass = nil
    }
}

/// Event of one call.
enum CallEvent: Hashable, Sendable {
    /// The route works on it, or it rings.
    case progress
    case answered
    case key(Character)
    /// Words that are not repeated have been spoken to their end.
    case said
    case ended(CallEnd)
}

enum CallEnd: Hashable, Sendable {
    case busy
    case declined
    case noAnswer
    /// By the other side.
    case hungUp
    case failed(CallFailure)
}

struct CallFailure: Hashable, Sendable {
    enum Scope: Hashable, Sendable {
        /// Another number may fare better.
        case number
        /// No call leaves now.
        case route
    }

    let scope: Scope
    /// For the installer; names no number.
    let reason: String

    static func number(_ reason: String) -> CallFailure { CallFailure(scope: .number, reason: reason) }
    static func route(_ reason: String) -> CallFailure { CallFailure(scope: .route, reason: reason) }
}

/// Event for the log that changes nothing. Names nobody: recipients are counted from 1, in the order of the settings.
public enum CallNote: Hashable, Sendable, CustomStringConvertible {
    /// A recipient has accepted the call by a key.
    case accepted(AlarmID, Int)
    /// The words cannot be spoken: a tone is played in their place.
    case noVoice(reason: String)
    case registered
    case registrationFailed(reason: String)

    public var description: String {
        switch self {
        case .accepted(_, let recipient): "recipient \(recipient) has accepted the call by a key"
        case .noVoice(let reason): "a call has no words, and a tone in their place: \(reason)"
        case .registered: "registered at the SIP server"
        case .registrationFailed(let reason): "not registered at the SIP server: \(reason)"
        }
    }

    /// Nil where it belongs to no alarm.
    public var alarm: AlarmID? { if case .accepted(let alarm, _) = self { alarm } else { nil } }
}
