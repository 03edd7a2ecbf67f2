import GatewayModel
package import Settings

/// How a call for help can be accepted, as `check` and `status` show it. Pure.
package struct AcceptanceTable {
    private let settings: GatewaySettings

    package init(_ settings: GatewaySettings) {
        self.settings = settings
    }

    package var lines: [String] { [broker] + centres }

    /// Whether anybody outside can accept a call.
    package var isPossible: Bool {
        settings.broker.takesUnsignedAcceptances || !issuers.isEmpty || !centres.isEmpty
    }

    private var issuers: [String] { settings.commands.issuers.filter(\.mayAccept).map(\.id.text) }

    private var broker: String {
        if settings.broker.takesUnsignedAcceptances {
            return
                "calls are accepted over the broker WITHOUT A SIGNATURE: everybody who may publish there can end the "
                + "calling (unsigned_acceptances = true in [broker])"
        }
        guard issuers.isEmpty else {
            return "calls are accepted over the broker, signed by: \(issuers.joined(separator: ", "))"
        }
        return
            "calls CANNOT be accepted over the broker: no [[commands.issuers]] may sign an acceptance. Help is called "
            + "again until the alarm is ended in the house or accepted over another channel"
    }

    private var centres: [String] {
        settings.channels.compactMap { channel in
            switch channel.way {
            case .scaip(let way) where way.isAnswerAcceptance:
                return
                    "calls are accepted by the ANSWER OF A MACHINE at \(channel.id), unless a person sends it "
                    + "(answer_is_acceptance = true)"
            case .sms(let way) where way.takesReplies:
                return "calls are accepted by a text from a number of \(channel.id) with the code of the call"
            case .telephone(let way) where way.takesKeys:
                return "calls are accepted by the key 1 on a telephone that \(channel.id) has called"
            case .https, .scaip, .sms, .telephone: return nil
            }
        }
    }
}
