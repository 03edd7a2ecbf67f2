public import GatewayModel

/// Topic of a message that a gateway publishes, taken apart (`docs/contract/asyncapi.yaml`).
public struct ContractTopic: Hashable, Sendable {
    /// Part of the topic behind the gateway.
    public enum Channel: Hashable, Sendable {
        case status
        case heartbeat
        case receipts
        case sos(PersonID)
        case notices(PersonID)
        /// `kind` is missing for several readings of one person. A kind may be a newer one than this program knows.
        case samples(PersonID, kind: String?)
        case gap(PersonID, kind: String)
        case passings(RunID)
        case positions(RunID)
        case runners(RunID)
        case corrections(RunID)
        case share(PartyID, PersonID, kind: String, isGap: Bool)
    }

    public let gateway: GatewayID
    public let channel: Channel

    public init(_ topic: String) throws(ContractFault) {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard levels.count >= 4, levels.count <= 8, levels[0] == "trackme", levels[1] == "v1",
            let gateway = GatewayID(levels[2]), let channel = Self.channel(Array(levels[3...]))
        else { throw .topic }
        self.gateway = gateway
        self.channel = channel
    }

    private static func channel(_ levels: [String]) -> Channel? {
        switch (levels[0], levels.count) {
        case ("status", 1): .status
        case ("heartbeat", 1): .heartbeat
        case ("receipts", 1): .receipts
        case ("sos", 2): PersonID(levels[1]).map { .sos($0) }
        case ("notices", 2): PersonID(levels[1]).map { .notices($0) }
        case ("samples", 2): PersonID(levels[1]).map { .samples($0, kind: nil) }
        case ("samples", 3):
            kind(levels[2]).flatMap { kind in
                PersonID(levels[1]).map { .samples($0, kind: kind) }
            }
        case ("samples", 4) where levels[3] == "gap":
            kind(levels[2]).flatMap { kind in
                PersonID(levels[1]).map { .gap($0, kind: kind) }
            }
        case ("runs", 3): RunID(levels[1]).flatMap { run(levels[2], $0) }
        case ("parties", 4): share(levels, isGap: false)
        case ("parties", 5) where levels[4] == "gap": share(levels, isGap: true)
        default: nil
        }
    }

    private static func run(_ level: String, _ run: RunID) -> Channel? {
        switch level {
        case "passings": .passings(run)
        case "positions": .positions(run)
        case "runners": .runners(run)
        case "corrections": .corrections(run)
        default: nil
        }
    }

    private static func share(_ levels: [String], isGap: Bool) -> Channel? {
        guard let party = PartyID(levels[1]), let person = PersonID(levels[2]), let kind = kind(levels[3])
        else { return nil }
        return .share(party, person, kind: kind, isGap: isGap)
    }

    /// A kind has the form of a name, also one of a newer gateway.
    private static func kind(_ level: String) -> String? { DeviceID(level)?.text }
}
