public import GatewayModel

/// A passing among those of all boxes of a race.
public struct MergedPassing: Hashable, Sendable {
    /// What two boxes say differently of one passing of one runner.
    public enum Dispute: String, CaseIterable, Hashable, Sendable {
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
}
