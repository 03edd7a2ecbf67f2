import Consent
import GatewayModel
import Vault

/// Plan of the messages about the facts that third parties may see: one at the grant, and one after each change.
///
/// Pure: grants and facts in, messages and rows out.
struct FactSharePlan: Sendable {
    /// Last message of a grant and a fact.
    struct Record: Codable, Hashable {
        /// Number of messages so far.
        var count: Int64
        /// Digest of the value, which does not give the value back.
        var digest: UInt64
    }

    struct Message: Sendable {
        let value: Cleared<Shared<PersonFact>>
        /// The same when it is sent again after a kill.
        let id: MessageID
        let key: String
        let record: Record
    }

    private var records: [String: Record]

    /// - Parameter rows: those of the last run.
    init(_ rows: [StateRow] = []) {
        records = Dictionary(
            rows.compactMap { row in row.decoded(as: Record.self).map { (row.key, $0) } }
        ) { first, _ in first }
    }

    /// Returns the messages that are due. Each is to be enqueued, and then recorded.
    ///
    /// - Parameters:
    ///   - shares: cleared values of this instant, of all open grants.
    ///   - gateway: part of the ids.
    func due(_ shares: [Cleared<Shared<PersonFact>>], by gateway: GatewayID) -> [Message] {
        shares.compactMap { share in
            let (fact, grant) = (share.value.value, share.value.grant)
            let key = "\(grant.epoch) \(Self.name(of: fact.kind))"
            let digest = Self.digest(of: fact.value, under: key)
            let last = records[key]
            guard last?.digest != digest else { return nil }
            let record = Record(count: (last?.count ?? 0) + 1, digest: digest)
            var numbers = DerivedNumbers(of: "profile \(gateway) \(key) \(record.count) \(digest)")
            // The time of the grant: that of the message would be another one after a restart.
            return Message(
                value: share, id: MessageID(wall: grant.since, using: &numbers), key: key, record: record)
        }
    }

    /// Records a message that the outbox has.
    mutating func record(_ message: Message) -> StateChange {
        records[message.key] = message.record
        return .put(.profileShare, message.key, message.record)
    }

    /// Forgets the grants that are not in force.
    mutating func forget(besides open: Set<LedgerSequence>) -> [StateChange] {
        let known = Set(open.map { "\($0)" })
        return records.keys.filter { !known.contains(Self.epoch(of: $0)) }.sorted().map { key in
            records[key] = nil
            return .remove(.profileShare, key: key)
        }
    }

    /// Rows of profiles bear the name of the item alone.
    private static func name(of kind: DataKind) -> String {
        if case .profile(let item) = kind { item.rawValue } else { kind.rawValue }
    }

    private static func epoch(of key: String) -> String {
        String(key.prefix { $0 != " " })
    }

    private static func digest(of value: PersonFact.Value, under key: String) -> UInt64 {
        let words: [String?] =
            switch value {
            case .text(let text): [text]
            case .notes(let notes): notes
            case .contacts(let contacts): contacts.flatMap { [$0.name, $0.phone, $0.relation] }
            case .limits(let limits):
                limits.flatMap { limits in
                    [limits.kind.rawValue]
                        + [limits.low, limits.high, limits.warningLow, limits.warningHigh].map { limit in
                            limit.map { "\($0)" }
                        }
                }
            }
        // A line feed is in none of them; nil differs from an empty text.
        let text = words.map { $0.map { "=\($0)" } ?? "-" }.joined(separator: "\n")
        var numbers = DerivedNumbers(of: "\(key)\n\(text)")
        return numbers.next()
    }
}
