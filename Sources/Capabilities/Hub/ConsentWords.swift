package import Consent
package import GatewayModel

// Text of the consent ledger, for the person and the family.

extension RequestRecord {
    /// Line of a list.
    package var line: String {
        "\(request.person): request \(request.id) of \(party.name): \(stateInWords)"
    }

    /// Lines about the whole request.
    ///
    /// - Parameter name: name of the person.
    package func lines(for name: String) -> [String] {
        let person = request.person
        let answers =
            switch state {
            case .pending: ["accept", "refuse"]
            case .granted: ["withdraw"]
            case .refused, .withdrawn: ["accept"]
            case .expired: [String]()
            }
        return [
            "request \(request.id), for \(name) (\(person)), asked \(asked.inHouse)",
            "who:     \(party.name) (\(party.id))",
            "why:     \(request.purpose)",
            "what:    \(matter)",
            "since:   \(request.from.map(\.inHouse) ?? "when it is accepted")",
            "until:   \(request.until.map(\.inHouse) ?? "it is withdrawn")",
            "sealed:  \(sealing)",
            "now:     \(stateInWords)",
        ] + (state == .pending ? ["answer:  until \(lapse.inHouse), then it expires"] : [])
            + answers.map { "         homegateway consent \($0) \(request.id)" }
    }

    private var matter: String {
        request.linksAccount
            ? "may the account \(party.name) see the data as they are shown here"
                + (request.role == .acts ? ", and act for the person at TrackMe" : "")
            : request.kinds.map(title).sorted().joined(separator: ", ")
    }

    private func title(_ kind: DataKind) -> String {
        let title = kind.title.in(.english)
        guard kind == .location else { return title }
        return title + (request.precision == .exact ? " (exact)" : " (to about a kilometre)")
    }

    private var sealing: String {
        party.sealingKey.map { "yes, only who has the key \($0.id) can read it" }
            ?? "no, those who carry it could read it"
    }

    package var stateInWords: String {
        let decided = "by \(latest.decision.by), \(latest.decision.at.inHouse)"
        return switch state {
        case .pending: "waits for an answer since \(asked.inHouse)"
        case .granted: "accepted \(decided)" + (request.until.map { ", until \($0.inHouse)" } ?? "")
        case .refused: "refused \(decided)"
        case .withdrawn: "withdrawn \(decided)"
        case .expired: "over since \(latest.decision.at.inHouse)"
        }
    }
}

extension EmergencyDisclosure {
    /// Line of the history; nil for a message that only left the outbox.
    package var line: String? {
        channel.map { channel in
            let what = what == .emergency ? "emergency call" : "end of an emergency"
            return "\(at.inHouse)  \(person): \(what) given to \(channel) for sending, alarm \(message)"
        }
    }
}

extension ConsentEntry {
    /// Line of the history.
    ///
    /// - Parameter requests: all requests in the ledger.
    package func line(_ requests: [RequestID: RequestRecord]) -> String {
        "\(sequence)  \(decision.at.inHouse)  \(decision.person): \(what(requests)), by \(decision.by) (\(decision.means.rawValue))"
    }

    private func what(_ requests: [RequestID: RequestRecord]) -> String {
        func of(_ id: RequestID) -> String {
            requests[id].map { "request \(id) of \($0.party.name)" } ?? "request \(id)"
        }
        return switch decision.act {
        case .policy(let subject, let verdict): "\(subject.rawValue) \(verdict.rawValue)"
        case .requested(let request): "\(of(request.id)) asked"
        case .granted(let id): "\(of(id)) accepted"
        case .refused(let id): "\(of(id)) refused"
        case .withdrawn(let id): "\(of(id)) withdrawn"
        case .expired(let id): "\(of(id)) over"
        case .partyKeyChanged(let party, let key): "\(party) seals with the key \(key.id)"
        }
    }
}
