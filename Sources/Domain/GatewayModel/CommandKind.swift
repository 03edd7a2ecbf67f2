/// Kind of a signed command; the words of the contract, and those of `[[commands.issuers]] may`.
public enum CommandKind: String, CaseIterable, Hashable, Codable, Sendable {
    case abort, resolve, drill
    case heartbeatInterval = "heartbeat-interval"
    case deviceTracking = "device-tracking"
    case sampleInterval = "sample-interval"
    case thresholds
    case request, decide, withdraw
    case policy
    case automatedSOS = "automated-sos"
    case profile
    case rotateKey = "rotate-key"
    case partyKey = "party-key"
    case runCreate = "run-create"
    case runChange = "run-change"
    case runCancel = "run-cancel"
    case runEnrol = "run-enrol"
    case runLeave = "run-leave"

    /// Whether it is a person's own decision, taken for them: never allowed unless it is written out.
    public var isDecisionForPerson: Bool {
        switch self {
        case .decide, .policy, .automatedSOS, .profile: true
        default: false
        }
    }

    /// Whether it can make an alarm less likely, or end one.
    public var weakensAlarms: Bool {
        switch self {
        case .abort, .resolve, .thresholds: true
        default: false
        }
    }

    /// Whether it can keep readings from recipients that get them otherwise, also from third parties with a grant.
    public var withholdsReadings: Bool { self == .sampleInterval }

    /// Commands that an issuer may send where its settings name none: neither decisions for a person, nor commands that
    /// weaken alarms or withhold readings.
    public static let standard = Set(
        allCases.filter { !$0.isDecisionForPerson && !$0.weakensAlarms && !$0.withholdsReadings })
}
