import GatewayModel
import Systemd
import WireFormats

/// Where the connection to one wearable stands. A pure machine: one method an event, each returning the
/// steps to take. bluetoothd's `Connected` is the only thing believed about the link itself; a reply of
/// Connect or Disconnect never is.
struct WearableLink: Sendable {
    enum State: Hashable, Sendable {
        /// No link. The next try is due at that instant.
        case away(notBefore: BootInstant)
        case connecting(until: BootInstant)
        /// The link is up; bluetoothd is reading the wearable's services.
        case resolving(until: BootInstant)
        /// The services are there, if not all at once: objects may follow the flag.
        case up(usefulBy: BootInstant)
        /// Given up; waits for `Connected` to go.
        case closing(until: BootInstant, notBefore: BootInstant, reason: String)
    }

    /// What bluetoothd shows of the wearable now.
    struct View: Hashable, Sendable {
        let isConnected: Bool
        let areServicesResolved: Bool
        let characteristics: [ShownCharacteristic]
    }

    enum Step: Hashable, Sendable {
        case connected
        case subscribed([BluetoothUUID])
        case disconnected(reason: String)
        case acquireNotify(String)
        case startNotify(String)
        /// A subscription ends, or what it was on is gone.
        case release(String, Subscription.Way)
        case errand(Errands.Errand)
        /// A request to a meter's record control point.
        case writeControl(ShownCharacteristic, [UInt8])
        /// What it had stored.
        case records([GlucoseRecordTransfer.Record])
        /// Streams that are silent were asked for anew, or have sent again.
        case suspected(BluetoothUUID, after: Duration)
        /// Ends the link, or a Connect that is still going on.
        case disconnect
        case failed(call: String, error: String, kind: CallFailure, retryIn: Duration)
    }

    /// Changed in place only where address and names stay the same.
    var wearable: Wearable
    var state: State
    var subscriptions: [Subscription] = []
    var errands = Errands()
    var positions = PositionWish()
    /// Streams that were silent when last heard of, on this link or the one before.
    var suspects: Set<BluetoothUUID> = []
    var transfer: (machine: GlucoseRecordTransfer, control: ShownCharacteristic)?
    /// Of the last record that a meter gave, kept while the gateway runs and no longer: one whose numbers began anew
    /// would be asked for none of its records. What is given again is known by its mark.
    var lastSequence: UInt16?
    /// Nil until all that is known of was settled once.
    var told: [BluetoothUUID]?
    /// How its data comes, by the services that bluetoothd knows it for.
    var recognised: Wearable.Rhythm?
    /// When its last advert was heard.
    var heard: BootInstant?
    var wasUnheardWhenTried = false
    var connectBackoff = Backoff.connect
    var silenceBackoff = Backoff.silence

    init(_ wearable: Wearable, at now: BootInstant) {
        self.wearable = wearable
        state = .away(notBefore: now)
    }

    /// From bluetoothd's ServicesResolved documentation and practice: a first discovery of all services
    /// takes up to some seconds on a slow link; one that takes longer has died with the link.
    static let resolveLimit = Duration.seconds(15)
    /// The objects follow the flag within milliseconds, or after the cache was corrected, or never.
    static let searchLimit = Duration.seconds(10)
    /// From the reply of Connect to `Connected`: the same step of bluetoothd, so any second will do.
    static let linkUpLimit = Duration.seconds(5)
    /// bluetoothd ends a link within 2 s of Disconnect.
    static let closeLimit = Duration.seconds(10)
    /// An advert no older than this means that the wearable is there (the usual slowest interval is 2.5 s).
    static let freshness = Duration.seconds(10)
}

extension WearableLink {
    var isUp: Bool {
        switch state {
        case .away, .connecting: false
        default: true
        }
    }

    var isConnecting: Bool {
        if case .connecting = state { true } else { false }
    }

    /// Being tried without a sign that it is there.
    var isTriedBlindly: Bool { isConnecting && wasUnheardWhenTried }

    /// Where an unsubscribe is owed when the gateway stops.
    var notifying: [String] {
        subscriptions.filter { $0.way == .signals || $0.state == .asking(.signals) }.map(\.path)
    }

    /// The instants at which time alone changes something. One that has gone by waits for an event, and must hide none
    /// of the others.
    var deadlines: [BootInstant] {
        switch state {
        case .away(let instant), .connecting(let instant), .resolving(let instant),
            .closing(let instant, _, _):
            [instant]
        case .up(let usefulBy):
            subscriptions.compactMap(\.deadline)
                + [transfer?.machine.deadline, positions.lookAt, usefulBy].compactMap(\.self)
        }
    }

    func isHeard(at now: BootInstant) -> Bool {
        heard.map { $0.duration(to: now) <= Self.freshness } ?? false
    }

    /// nil unless a connection should be tried now, else since when it has been due.
    func dueSince(at now: BootInstant) -> BootInstant? {
        guard case .away(let notBefore) = state, notBefore <= now else { return nil }
        return notBefore
    }
}
