import GatewayModel

/// The uses of the emergency path, oldest first. In memory, so bounded.
struct EmergencyAudit: Sendable {
    private struct Key: Hashable {
        let message: MessageID
        let what: EmergencyDisclosure.What

        init(_ disclosure: EmergencyDisclosure) {
            (message, what) = (disclosure.message, disclosure.what)
        }
    }

    /// More than a day of an alarm that nobody accepts.
    private static let kept = 4_096

    private(set) var disclosures: [EmergencyDisclosure] = []
    private var known: Set<Key> = []

    /// Once a message: it is asked about again when it leaves the queue, and that is no second use.
    mutating func note(_ disclosure: EmergencyDisclosure) {
        guard known.insert(Key(disclosure)).inserted else { return }
        disclosures.append(disclosure)
        if disclosures.count > Self.kept { known.remove(Key(disclosures.removeFirst())) }
    }
}
