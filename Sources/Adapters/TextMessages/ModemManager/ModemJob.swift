import GatewayModel

/// One thing that the modem is to do.
struct ModemJob {
    enum Work {
        case text(Int, OutgoingText)
        case look
    }

    enum Stage {
        case finding
        /// Waiting for the modem to be ready; asked again then.
        case waiting(until: BootInstant, reason: String)
        case enabling
        case creating
        case sending
    }

    let serial: Int
    let work: Work
    let limit: BootInstant
    var stage = Stage.finding
    /// Once a job: a modem that goes off again at once is not switched on for ever.
    var hasEnabled = false

    /// Where it hangs, for a reason.
    var doing: String {
        switch stage {
        case .finding: "asking ModemManager for its modems"
        case .waiting(_, let reason): reason
        case .enabling: "switching the modem on"
        case .creating: "writing a text into the modem"
        case .sending: "sending a text"
        }
    }

    var isSending: Bool { if case .sending = stage { true } else { false } }
}
