import Consent
import GatewayModel

/// `grant` of a receipt: the readings that a third party got by it, until when, and those that it does not get any more.
struct EndedGrant: Encodable, Hashable, Sendable {
    struct Mark: Encodable, Hashable, Sendable {
        let seq: Int64
        let hash: String
    }

    let person: String
    let party: String
    let request: String
    let kinds: [String]
    /// The number of the entry that granted it; shared samples carry it.
    let number: Int64
    /// `withdrawn` or `expired`.
    let how: String
    let by: String
    let means: String
    /// RFC 3339.
    let at: String
    let purged: Int
    /// By kind, the last message that the broker has acknowledged.
    let last: [String: String]
    /// On their way when it ended: the broker may have them.
    let underway: [String]
    let ledger: Mark

    init(_ ending: GrantEnding) {
        let (request, decision) = (ending.grant.request, ending.entry.decision)
        person = request.person.text
        party = ending.grant.party.id.text
        self.request = request.id.text
        kinds = request.kinds.map(\.rawValue).sorted()
        number = ending.grant.epoch.number
        how = decision.act.word
        by = decision.by
        means = decision.means.rawValue
        at = decision.at.rfc3339
        purged = ending.remains.purged
        last = Dictionary(ending.remains.lastSent.map { ($0.key.rawValue, $0.value.description) }) { first, _ in
            first
        }
        underway = ending.remains.underway.map(\.description)
        ledger = Mark(seq: ending.mark.sequence.number, hash: ending.mark.hash)
    }
}

extension GrantEnding {
    /// Made of values that are the same when it is told again after a restart.
    func receiptID(of gateway: GatewayID) -> MessageID {
        var numbers = DerivedNumbers(of: "\(gateway) \(grant.epoch) \(entry.sequence)")
        return MessageID(wall: entry.decision.at, using: &numbers)
    }
}
