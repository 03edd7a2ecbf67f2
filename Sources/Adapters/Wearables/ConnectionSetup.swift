import GatewayModel
import WireFormats

/// Steps that are taken once on a connection after the subscriptions: clock, records, reads, one at a time. None is
/// worth a link: one that fails is left out until the next connection.
struct ConnectionSetup: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case read(path: String, BluetoothUUID)
        case setClock(path: String, ClockFormat)
        /// Records that the device has stored.
        case records(ShownCharacteristic)
        case setLinkLoss(path: String, AlertLevel)

        var name: String {
            switch self {
            case .read(_, let uuid): "ReadValue \(uuid)"
            case .setClock: "setting its clock"
            case .records: "asking for records"
            case .setLinkLoss: "setting Link Loss"
            }
        }
    }

    /// Form in which a device takes the time.
    enum ClockFormat: Hashable, Sendable {
        /// 0x2A2B, of Current Time Service.
        case currentTime
        /// 0x2A08, in a measuring service.
        case dateTime
    }

    private var current: Step?
    private var done: Set<Step> = []

    var isIdle: Bool { current == nil }

    /// The next step among the shown characteristics. First those that a device which soon hangs up must not miss:
    /// the clock, then records, then details.
    mutating func next(_ shown: [ShownCharacteristic], linkLoss: AlertLevel?) -> Step? {
        guard current == nil else { return nil }
        let hasCurrentTime = shown.contains { $0.uuid == .currentTime }
        let shown = hasCurrentTime ? shown.filter { $0.uuid != .dateTime } : shown
        let open = shown.flatMap { Self.steps(for: $0, linkLoss: linkLoss) }.filter {
            !done.contains($0.step)
        }
        current = open.min { $0.rank < $1.rank }?.step
        if let current { done.insert(current) }
        return current
    }

    mutating func finished() { current = nil }

    /// One that is done whenever it is due, not once.
    mutating func begin(_ step: Step) { current = step }

    private static func steps(for shown: ShownCharacteristic, linkLoss: AlertLevel?) -> [(
        rank: Int, step: Step
    )] {
        let read = shown.flags.contains("read") ? Step.read(path: shown.path, shown.uuid) : nil
        let canWrite = shown.flags.contains("write")
        let steps: [(Int, Step?)] =
            switch CharacteristicRole(shown.uuid, service: shown.service) {
            // Read before it is set: the difference dates the records that are stored by the old clock.
            case .clock:
                [
                    (0, read),
                    (
                        1,
                        canWrite
                            ? .setClock(path: shown.path, shown.uuid == .dateTime ? .dateTime : .currentTime)
                            : nil
                    ),
                ]
            case .key: [(2, read)]
            case .recordControl: [(3, canWrite ? .records(shown) : nil)]
            case .battery: [(4, read)]
            case .linkLoss: [(5, linkLoss.map { .setLinkLoss(path: shown.path, $0) })]
            case .detail: [(6, read)]
            default: []
            }
        return steps.compactMap { rank, step in step.map { (rank, $0) } }
    }
}
