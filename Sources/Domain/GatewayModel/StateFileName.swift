/// A file of the state directory, as the subject of the condition that it was damaged.
public enum StateFileName: String, CaseIterable, Hashable, Sendable {
    case alarms = "alarms.json"
    case state = "state.sqlite"
    case ledger = "ledger.jsonl"
    case outbox = "outbox.sqlite"
    case history = "history.sqlite"
    case identity = "identity.key"
    case devices = "devices.toml"
    case runs = "runs.json"
    case passings = "passings.jsonl"
    case corrections = "corrections.jsonl"
    case marks = "state.marks"

    /// The consequence of its damage, for `homegateway status`.
    public var loss: String {
        switch self {
        case .alarms: "One of its two copies was damaged: nothing is lost"
        case .state:
            "Records of earlier alarms, limits and the heartbeat that commands have set, rotated keys of issuers and counters of buttons may be missing; commands issued before this start are refused"
        case .ledger: "Decisions about consent may be missing: nothing leaves that is not accepted anew"
        case .outbox: "Unsent messages may be missing"
        case .history: "Readings of the past may be missing"
        case .identity: "The key was restored from its copy: nothing is lost"
        case .devices: "Wearables that were added by command may be missing"
        case .runs: "Changes that commands have made to runs may be missing, unless the copy has them"
        case .passings: "Passings that were timed may be missing. See: homegateway passings verify"
        case .corrections:
            "Corrections of the results of a race may be missing. See: homegateway race corrections"
        case .marks: "Nothing is lost, but a loss in another file would not have been noticed at this start"
        }
    }
}
