import GatewayModel

/// The uses of the emergency path, oldest first. In memory, so bounded. Those to a channel are also kept on the disk, by
/// the owner of the gate.
struct EmergencyAudit: Sendable {
    private struct Key: Hashable {
        let message: MessageID
        let what: EmergencyDisclosure.What
        let channel: ChannelID?

        init(_ disclosure: EmergencyDisclosure) {
            (message, what, channel) = (disclosure.message, disclosure.what, disclosure.channel)
        }
    }

    /// More than a day of an alarm that nobody accepts.
    private static let kept = 4_096

    private(set) var disclosures: [EmergencyDisclosure] = []
    private var known: Set<Key> = []
    /// Disclosures to channels that the disk does not have.
    private var unwritten: [EmergencyDisclosure] = []

    /// Records a use once a message and channel: a message is cleared again when it leaves the queue or is repeated, and
    /// that is no second use.
    mutating func note(_ disclosure: EmergencyDisclosure) {
        guard add(disclosure), disclosure.channel != nil else { return }
        unwritten.append(disclosure)
        if unwritten.count > Self.kept { unwritten.removeFirst() }
    }

    /// Adds the disclosures of earlier runs.
    mutating func recall(_ earlier: [EmergencyDisclosure]) {
        for disclosure in earlier { _ = add(disclosure) }
    }

    /// Returns the disclosures to write to the disk since the last call.
    mutating func takeUnwritten() -> [EmergencyDisclosure] {
        defer { unwritten = [] }
        return unwritten
    }

    private mutating func add(_ disclosure: EmergencyDisclosure) -> Bool {
        guard known.insert(Key(disclosure)).inserted else { return false }
        disclosures.append(disclosure)
        if disclosures.count > Self.kept { known.remove(Key(disclosures.removeFirst())) }
        return true
    }
}
