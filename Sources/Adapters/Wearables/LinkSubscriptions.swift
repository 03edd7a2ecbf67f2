import GatewayModel
import Systemd
import WireFormats

/// The subscriptions of one link: the characteristics that are subscribed to, and the streams that are suspect. Pure.
struct LinkSubscriptions: Sendable {
    typealias Step = WearableLink.Step

    /// Consequence of a reply for the link.
    enum Outcome {
        case steps([Step])
        /// A measurement without a stream is on: the link works.
        case proven
        case failed(retryIn: Duration)
        /// Given up. `isLinkFault`: no other measurement of the link is on.
        case givenUp(isLinkFault: Bool)
    }

    /// A value that counts.
    struct Value {
        let uuid: BluetoothUUID
        /// It has ended the last doubt about the streams of the link.
        let wasLastSuspect: Bool
        /// The proof that the link works, against any replies.
        let provesLink: Bool
        let isOfStream: Bool
    }

    /// A value without a subscription on this link.
    enum Stray {
        case value(Value)
        /// An answer to a read, a button without a meaning, a position that nobody may know.
        case unwanted
        /// A notification that nobody judges.
        case ignored
    }

    private let wearable: Wearable
    private var all: [Subscription] = []
    /// Streams that were silent when last heard of, on this link or the one before.
    private var suspects: Set<BluetoothUUID> = []
    /// Nil until all known characteristics were settled once.
    private var told: [BluetoothUUID]?
    /// Somebody has a right to know where the wearer is.
    var wantsPositions = false
    /// Next read of the positions' quality; nil while positions are not subscribed to, or the wearable has no
    /// quality.
    private var qualityDue: BootInstant?

    /// The error of a receiver changes as houses and trees come and go; a read takes some tens of milliseconds of the
    /// link.
    private static let qualityInterval = Duration.seconds(30)

    init(of wearable: Wearable) {
        self.wearable = wearable
    }

    var deadlines: [BootInstant] { (all.map(\.deadline) + [qualityDue]).compactMap(\.self) }
    var isUnsettled: Bool { all.contains(where: \.isUnsettled) }

    /// Paths with an unsubscribe that is owed when the gateway stops.
    var notifying: [String] {
        all.filter { $0.transport == .signals || $0.state == .asking(.signals) }.map(\.path)
    }

    /// Paths with a socket.
    var sockets: [String] { all.filter { $0.transport == .socket }.map(\.path) }

    /// It measures, calls or can be called, or could say where it is: that may be wanted any time.
    func isUseful(_ view: WearableLink.View) -> Bool {
        all.contains { $0.role.isMeasurement || $0.role == .button }
            || view.characteristics.contains {
                [.immediateAlert, .position].contains(CharacteristicRole($0.uuid, service: $0.service))
            }
    }

    // MARK: Settling

    /// New characteristics are subscribed to, and those that are gone forgotten.
    mutating func follow(_ view: WearableLink.View, at now: BootInstant) -> [Step] {
        let paths = Set(view.characteristics.map(\.path))
        let gone = all.filter { !paths.contains($0.path) }
        all.removeAll { !paths.contains($0.path) }
        let released = releasePositions()
        for shown in view.characteristics {
            guard let (role, limit) = wanted(shown),
                // One subscription each; the first by handle where a device repeats a characteristic.
                !all.contains(where: { $0.shown.uuid == shown.uuid && $0.shown.service == shown.service })
            else { continue }
            let stands = Self.stands(role, limit)
            all.append(Subscription(shown, role, limit: limit, stands: stands, at: now))
        }
        return gone.filter { $0.transport == .socket }.map { .release($0.path, .socket) } + released
    }

    /// Nil for a characteristic that is not subscribed to.
    private func wanted(_ shown: ShownCharacteristic) -> (CharacteristicRole, Duration?)? {
        guard shown.canNotify,
            let role = CharacteristicRole(shown.uuid, service: shown.service)
        else { return nil }
        switch role {
        case .measurement(let limit):
            return switch wearable.rhythm {
            case .streams(let own): (role, limit == nil ? nil : own)
            case .sleeps, .attends: (role, nil)
            case nil: (role, limit)
            }
        case .button: return wearable.signals[.tagButton] == nil ? nil : (role, nil)
        case .position: return wantsPositions ? (role, nil) : nil
        case .recordControl, .battery: return (role, nil)
        default: return nil
        }
    }

    /// Paths of the measurements that are subscribed to while the wearable is away.
    func standing(_ view: WearableLink.View) -> [String] {
        var standing: [ShownCharacteristic] = []
        for shown in view.characteristics {
            guard let (role, limit) = wanted(shown), Self.stands(role, limit),
                !standing.contains(where: { $0.uuid == shown.uuid && $0.service == shown.service })
            else { continue }
            standing.append(shown)
        }
        return standing.map(\.path)
    }

    /// It is sent after a use of the wearable, not all the time: no value comes again.
    private static func stands(_ role: CharacteristicRole, _ limit: Duration?) -> Bool {
        role.isMeasurement && limit == nil
    }

    /// Ends the subscription to positions that is not wanted any more.
    private mutating func releasePositions() -> [Step] {
        guard !wantsPositions else { return [] }
        qualityDue = nil
        let unwanted = all.filter { $0.role == .position }
        all.removeAll { $0.role == .position }
        return unwanted.compactMap { subscription in
            switch subscription.state {
            case .on(let transport): .release(subscription.path, transport)
            // Its socket closes as it comes.
            case .asking(.signals): .release(subscription.path, .signals)
            case .asking(.socket), .retrying, .refused: nil
            }
        }
    }

    /// - Returns: `silence` where a stream has stayed silent although it was asked for anew.
    mutating func settle(at now: BootInstant) -> (steps: [Step], silence: Duration?) {
        var steps: [Step] = []
        for index in all.indices {
            for step in all[index].settle(at: now) {
                if case .silent(let limit) = step { return (steps, limit) }
                if case .suspected = step { suspects.insert(all[index].shown.uuid) }
                steps += Self.steps(step, all[index].shown.uuid)
            }
        }
        return (steps, nil)
    }

    /// Emitted when all known characteristics are settled, and again when that becomes more or less.
    mutating func tellSubscribed(_ view: WearableLink.View) -> [Step] {
        guard isUseful(view), !isUnsettled else { return [] }
        let on = all.filter(\.isOn).map(\.shown.uuid)
        guard on != told else { return [] }
        told = on
        return [.subscribed(on)]
    }

    /// The read of the positions' quality, where they are subscribed to and the read is due.
    mutating func qualityToRead(_ view: WearableLink.View, at now: BootInstant) -> ConnectionSetup.Step? {
        guard all.contains(where: { $0.role == .position && $0.isOn }),
            qualityDue.map({ now >= $0 }) ?? true,
            let quality = view.characteristics.first(where: {
                CharacteristicRole($0.uuid, service: $0.service) == .positionQuality
                    && $0.flags.contains("read")
            })
        else { return nil }
        qualityDue = now.advanced(by: Self.qualityInterval)
        return .read(path: quality.path, quality.uuid)
    }

    // MARK: Events

    /// The reply to AcquireNotify or StartNotify for the characteristic at `path`.
    mutating func replied(
        _ path: String, _ error: BusError?, at now: BootInstant, jitter: inout Jitter
    ) -> Outcome {
        guard let index = index(of: path) else { return .steps([]) }
        switch all[index].replied(error, at: now, jitter: &jitter) {
        case .nothing: return .steps([])
        case .on:
            // A stream has to prove itself by a value before the next loss counts as the first.
            return all[index].limit == nil && all[index].role.isMeasurement ? .proven : .steps([])
        case .again(let step): return .steps(Self.steps(step, all[index].shown.uuid))
        case .failed(let pause): return .failed(retryIn: pause)
        case .givenUp:
            all[index].refuse()
            let isAnyOn = all.contains { $0.role.isMeasurement && $0.isOn }
            return .givenUp(isLinkFault: all[index].role.isMeasurement && !isAnyOn)
        }
    }

    /// A value, in the fastest way: it changes only the time when the stream was last heard.
    /// - Returns: nil where the value does not count.
    mutating func valueArrived(
        _ path: String, by transport: Subscription.Transport, at now: BootInstant
    ) -> Value? {
        guard let index = index(of: path), all[index].valueArrived(by: transport, at: now) else { return nil }
        return value(of: all[index].shown.uuid, all[index].role, limit: all[index].limit)
    }

    private mutating func value(of uuid: BluetoothUUID, _ role: CharacteristicRole, limit: Duration?) -> Value {
        let wasSuspect = suspects.isEmpty ? false : suspects.remove(uuid) != nil
        return Value(
            uuid: uuid, wasLastSuspect: wasSuspect && suspects.isEmpty,
            provesLink: role.isMeasurement || role == .position, isOfStream: limit != nil)
    }

    /// A value that `valueArrived` does not know. bluetoothd renews the sessions of StartNotify as soon as the link is
    /// up, before it shows the services as resolved: a value may come in any state of the link.
    mutating func strayArrived(_ shown: ShownCharacteristic) -> Stray {
        // One that came through the socket as well; or it is read by somebody.
        guard index(of: shown.path) == nil else { return .unwanted }
        guard let (role, limit) = wanted(shown) else {
            let isKnown = CharacteristicRole(shown.uuid, service: shown.service) != nil
            return isKnown || !shown.isNotificationOnly ? .unwanted : .ignored
        }
        guard !all.contains(where: { $0.shown.uuid == shown.uuid && $0.shown.service == shown.service }) else {
            return .ignored
        }
        return role == .recordControl ? .unwanted : .value(value(of: shown.uuid, role, limit: limit))
    }

    mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        guard let index = index(of: path) else { return }
        all[index].ended(at: now)
    }

    /// The link has ended, and the subscriptions with it.
    mutating func linkEnded() -> [Step] {
        defer { startOver() }
        return sockets.map { .release($0, .socket) }
    }

    /// A suspect stream stays so until it is heard.
    mutating func startOver() {
        (all, told, qualityDue) = ([], nil, nil)
    }

    private func index(of path: String) -> Int? {
        all.firstIndex { $0.path == path }
    }

    private static func steps(_ step: Subscription.Step, _ uuid: BluetoothUUID) -> [Step] {
        switch step {
        case .acquire(let path): [.acquireNotify(path)]
        case .startNotify(let path): [.startNotify(path)]
        case .release(let path, let transport): [.release(path, transport)]
        case .suspected(let limit): [.suspected(uuid, after: limit)]
        case .silent: []
        }
    }
}
