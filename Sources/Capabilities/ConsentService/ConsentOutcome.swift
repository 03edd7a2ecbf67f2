import Consent
import Vault

/// Outcome of a decision.
package struct ConsentOutcome: Sendable {
    /// New entries of the ledger; empty where nothing changed.
    let entries: [ConsentEntry]
    /// Number of unsent messages that were deleted; nil where the disk fails. They are deleted when it works again, and
    /// none of them leaves until then.
    let purged: Int?
    /// End of the ledger with these entries; or the failure for which they hold only until the gateway restarts.
    let kept: Result<LedgerMark, DiskFailure>
}

extension ConsentOutcome {
    /// Lines for the person who decided.
    var lines: [String] {
        guard !entries.isEmpty else {
            return ["nothing changed: it was so already", keptLine].compactMap(\.self)
        }
        return entries.map(Self.line) + [purgedLine, callLine, keptLine].compactMap(\.self)
    }

    private static func line(_ entry: ConsentEntry) -> String {
        let what =
            switch entry.decision.act {
            case .policy(let subject, _): subject.rawValue
            case .requested(let request): "request \(request.id)"
            case .granted(let request), .refused(let request), .withdrawn(let request), .expired(let request):
                "request \(request)"
            case .partyKeyChanged(let party, _): "\(party)"
            }
        return "\(entry.decision.person): \(what) \(entry.decision.act.word)"
    }

    private var purgedLine: String? {
        switch purged {
        case nil: "unsent messages will be deleted when the disk works again; none of them leaves"
        case 0: nil
        case let purged?: "\(purged) unsent messages were deleted"
        }
    }

    private var callLine: String? {
        entries.contains { $0.decision.act == .policy(.automatedSOS, .withdrawn) }
            ? "from now on an alarm sounds in the house only: nobody is called" : nil
    }

    private var keptLine: String? {
        guard case .failure(let failure) = kept else { return nil }
        return "IT IS NOT WRITTEN DOWN and holds only until the gateway restarts: \(failure)"
    }
}
