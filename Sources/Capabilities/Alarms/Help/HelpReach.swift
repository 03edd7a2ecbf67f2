import GatewayModel
import HelpLine
import Hub

/// Persons without a way to call help that is not known to be dead. Pure.
struct HelpReach: Sendable {
    /// Person that has accepted AutomatedSOS, with the channels that call help for them.
    struct Person: Hashable, Sendable {
        let id: PersonID
        let channels: [ChannelID]
    }

    private var unreachable: Set<PersonID> = []

    /// Returns the changes since the last call. A person that is not among `persons` any more has no condition.
    ///
    /// - Parameter dead: returns whether a channel has a known fault, or is not set up.
    mutating func changes(_ persons: [Person], isDead: (ChannelID) -> Bool) -> [HealthChange] {
        let now = Set(
            persons.filter { !$0.channels.isEmpty && $0.channels.allSatisfy(isDead) }.map(\.id))
        let changed = unreachable.symmetricDifference(now).sorted { $0.text < $1.text }
        unreachable = now
        return changed.map {
            HealthChange(
                condition: HealthCondition(.helpUnreachable, subject: $0.text), holds: now.contains($0))
        }
    }
}
