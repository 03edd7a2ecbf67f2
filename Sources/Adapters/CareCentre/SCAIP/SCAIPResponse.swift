/// `<mrs>`: what the centre answers to one message.
public struct SCAIPResponse: Hashable, Sendable {
    /// `snu`.
    public enum Status: Hashable, Sendable {
        case ok, tooLong, invalidFormat, wrongContent, hold, notTreated, busy, mandatoryTagMissing
        case other(Int)

        public init(_ number: Int) {
            self =
                switch number {
                case 0: .ok
                case 1: .tooLong
                case 2: .invalidFormat
                case 3: .wrongContent
                case 4: .hold
                case 5: .notTreated
                case 6: .busy
                case 7: .mandatoryTagMissing
                default: .other(number)
                }
        }

        public var number: Int {
            switch self {
            case .ok: 0
            case .tooLong: 1
            case .invalidFormat: 2
            case .wrongContent: 3
            case .hold: 4
            case .notTreated: 5
            case .busy: 6
            case .mandatoryTagMissing: 7
            case .other(let number): number
            }
        }

        /// What was seen and, where trying again is of no use, what to do.
        var reason: String {
            switch self {
            case .ok: "ok"
            case .tooLong: "the message is too long for it; ask the centre what it takes"
            case .invalidFormat:
                "invalid format; the centre may speak another version of SCAIP: ask it which"
            case .wrongContent:
                "wrong content; ask the centre whether it knows this controller id and its device types"
            case .hold: "on hold; it is tried again"
            case .notTreated: "not treated; it is tried again"
            case .busy: "busy; it is tried again"
            case .mandatoryTagMissing: "a field is missing that this centre requires; ask it which"
            case .other(let number): "status \(number), which SCAIP does not name; ask the centre"
            }
        }
    }

    public let reference: SCAIPReference
    public let status: Status
    /// `ste`, as the centre wrote it.
    public let text: String?
    /// `hbi`, 0 to 4: how often it wants a heartbeat. Which number stands for how long, the sources read
    /// do not say.
    public let heartbeatStep: Int?
}
