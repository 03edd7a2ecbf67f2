import GatewayModel
import WireFormats

/// What is done once on a connection after the subscriptions: clock, records, reads, one at a time. None is
/// worth a link: one that fails is left out until the next connection.
struct Errands: Hashable, Sendable {
    enum Errand: Hashable, Sendable {
        case read(path: String, BluetoothUUID)
        case setClock(path: String)
        /// Records that the device has stored.
        case records(ShownCharacteristic)
        case setLinkLoss(path: String, Wearable.AlertLevel)
    }

    private(set) var current: Errand?
    private var done: Set<Errand> = []

    var isIdle: Bool { current == nil }

    /// The next one among what the device shows. First what a device that soon hangs up must not miss:
    /// the clock, then records, then what is merely good to know.
    mutating func next(_ shown: [ShownCharacteristic], linkLoss: Wearable.AlertLevel?) -> Errand? {
        guard current == nil else { return nil }
        let open = shown.flatMap { Self.errands(for: $0, linkLoss: linkLoss) }.filter {
            !done.contains($0.errand)
        }
        current = open.min { $0.rank < $1.rank }?.errand
        if let current { done.insert(current) }
        return current
    }

    mutating func finished() { current = nil }

    /// One that is done whenever it is due, not once.
    mutating func begin(_ errand: Errand) { current = errand }

    private static func errands(for shown: ShownCharacteristic, linkLoss: Wearable.AlertLevel?) -> [(
        rank: Int, errand: Errand
    )] {
        let read = shown.flags.contains("read") ? Errand.read(path: shown.path, shown.uuid) : nil
        let canWrite = shown.flags.contains("write")
        let errands: [(Int, Errand?)] =
            switch CharacteristicRole(shown.uuid, service: shown.service) {
            // Read before it is set: the difference dates the records that are stored by the old clock.
            case .clock: [(0, read), (1, canWrite ? .setClock(path: shown.path) : nil)]
            case .key: [(2, read)]
            case .recordControl: [(3, canWrite ? .records(shown) : nil)]
            case .battery: [(4, read)]
            case .linkLoss: [(5, linkLoss.map { .setLinkLoss(path: shown.path, $0) })]
            case .detail: [(6, read)]
            default: []
            }
        return errands.compactMap { rank, errand in errand.map { (rank, $0) } }
    }
}
