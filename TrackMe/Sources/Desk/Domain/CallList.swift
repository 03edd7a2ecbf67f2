public import GatewayModel

/// Open calls in the order of a board. Those of one person and of one house beyond a bound are folded, so that a house which
/// sends a thousand alarms hides no call of another one.
public struct CallList: Hashable, Sendable {
    public static let (mostOfPerson, mostOfHouse) = (3, 10)

    /// Further open calls of one house, in the order of a board.
    public struct Fold: Hashable, Sendable {
        public let house: GatewayID
        public let calls: [EmergencyCall]

        public init(house: GatewayID, calls: [EmergencyCall]) { (self.house, self.calls) = (house, calls) }

        /// Arrival of the oldest.
        public var since: WallTime { calls.map(\.since).min() ?? WallTime(millisecondsSince1970: 0) }
        /// Those that nobody has taken.
        public var untaken: [CallID] { calls.filter { $0.work == .waiting }.map(\.id) }
    }

    public let shown: [EmergencyCall]
    public let folds: [Fold]
    /// Number of calls that ring: nobody has taken them, or their holders have left them alone.
    public let ringing: Int

    /// - Parameter viewer: whose own calls are always shown.
    public init(_ open: [EmergencyCall], for viewer: Dispatcher, at now: WallTime) {
        var (shown, folded): ([EmergencyCall], [GatewayID: [EmergencyCall]]) = ([], [:])
        var (ofPerson, ofHouse): ([String: Int], [GatewayID: Int]) = ([:], [:])
        let ordered = open.map { (rank: Self.rank($0, at: now), call: $0) }.sorted {
            ($0.rank, $1.call.since) < ($1.rank, $0.call.since)
        }.map(\.call)
        for call in ordered {
            let (house, person) = (call.id.gateway, "\(call.id.gateway)/\(call.person)")
            let isRoom =
                ofPerson[person, default: 0] < Self.mostOfPerson
                && ofHouse[house, default: 0] < Self.mostOfHouse
            guard isRoom || call.holder == viewer else {
                folded[house, default: []].append(call)
                continue
            }
            ofPerson[person, default: 0] += 1
            ofHouse[house, default: 0] += 1
            shown.append(call)
        }
        self.shown = shown
        folds = folded.map { Fold(house: $0.key, calls: $0.value) }.sorted { $0.since > $1.since }
        ringing = open.count { $0.rings(at: now) }
    }

    /// Calls that ring first, emergencies before rehearsals; then those that somebody works on.
    private static func rank(_ call: EmergencyCall, at now: WallTime) -> Int {
        (call.rings(at: now) ? 0 : 2) + (call.isDrill ? 1 : 0)
    }
}
