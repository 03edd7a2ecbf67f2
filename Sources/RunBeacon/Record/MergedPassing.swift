public import GatewayModel

/// A passing among those of all boxes of a race.
public struct MergedPassing: Hashable, Sendable {
    /// What two boxes say differently of one passing of one runner.
    public enum Dispute: String, CaseIterable, Hashable, Codable, Sendable {
        /// Their times lie further apart than their bounds allow.
        case time
        /// They counted differently before it.
        case order
    }

    public let passing: Passing
    /// The surer one that it stands behind; nil for one that counts.
    public let backupOf: MessageID?
    /// The same in all that are one passing.
    public let disputes: Set<Dispute>

    /// As it stands in the export of one box, unless more is said.
    public init(passing: Passing, backupOf: MessageID? = nil, disputes: Set<Dispute> = []) {
        (self.passing, self.backupOf, self.disputes) = (passing, backupOf, disputes)
    }
}

extension Collection<MergedPassing> {
    /// Those that count. What one list has set behind another does not, wherever else it stands.
    public var counting: [Passing] {
        let backups = Set(filter { $0.backupOf != nil }.map(\.passing.id))
        return map(\.passing).filter { !backups.contains($0.id) }
    }
}
