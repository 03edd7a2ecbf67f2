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
        case failed(call: String, error: String, retryIn: Duration)
    }

    /// Changed in place only where address and names stay the same.
    var wearable: Wearable
    private(set) var state: State
    private(set) var subscriptions: [Subscription] = []
    var errands = Errands()
    /// Streams that were silent when last heard of, on this link or the one before.
    private(set) var suspects: Set<BluetoothUUID> = []
    private var transfer: (machine: GlucoseRecordTransfer, control: ShownCharacteristic)?
    /// Of the last record that a meter gave, kept while the gateway runs.
    private var lastSequence: UInt16?
    private var told: [BluetoothUUID] = []
    /// When its last advert was heard.
    private var heard: BootInstant?
    private var wasUnheardWhenTried = false
    private var connectBackoff = Backoff.connect
    private var silenceBackoff = Backoff.silence

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

    /// Where an unsubscribe is owed when the gateway stops.
    var notifying: [String] {
        subscriptions.filter { $0.way == .signals || $0.state == .asking(.signals) }.map(\.path)
    }

    /// The next instant at which time alone changes something.
    var deadline: BootInstant? {
        switch state {
        case .away(let instant), .connecting(let instant), .resolving(let instant),
            .closing(let instant, _, _):
            instant
        case .up(let usefulBy):
            (subscriptions.compactMap(\.deadline) + [transfer?.machine.deadline].compactMap(\.self)).min()
                ?? usefulBy
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

// MARK: Connecting

extension WearableLink {
    /// bluetoothd or the bus is gone, or back: everything starts over. What is suspect stays so until it
    /// is heard.
    mutating func startOver(reason: String, at now: BootInstant) -> [Step] {
        let steps: [Step] = isUp ? [.disconnected(reason: reason)] : []
        let records = endTransfer()
        let (suspects, lastSequence) = (suspects, lastSequence)
        self = WearableLink(wearable, at: now)
        (self.suspects, self.lastSequence) = (suspects, lastSequence)
        return records + steps
    }

    /// A wearable that was not there when last tried is back: the pause is over.
    mutating func advertHeard(at now: BootInstant) {
        heard = now
        guard wasUnheardWhenTried, case .away(let notBefore) = state else { return }
        wasUnheardWhenTried = false
        state = .away(notBefore: min(notBefore, now))
    }

    /// - Parameter limit: when the call itself gives up.
    mutating func connectSent(limit: Duration, at now: BootInstant) {
        wasUnheardWhenTried = !isHeard(at: now)
        state = .connecting(until: now.advanced(by: limit + Self.linkUpLimit))
    }

    mutating func connectReplied(_ error: BusError?, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        // Otherwise the link came up, or came and went, before the reply: `Connected` has told.
        guard case .connecting = state else { return [] }
        guard let error, BlueZFailure(error) != .alreadySo else {
            state = .connecting(until: now.advanced(by: Self.linkUpLimit))
            return []
        }
        let pause = connectPause(after: error, &jitter)
        state = .away(notBefore: now.advanced(by: pause))
        let failed = Step.failed(call: "Connect", error: error.description, retryIn: pause)
        return error.isTimeout ? [failed, .disconnect] : [failed]
    }

    private mutating func connectPause(after error: BusError, _ jitter: inout Jitter) -> Duration {
        BlueZFailure(error) == .lasting ? connectBackoff.longest() : connectBackoff.next(using: &jitter)
    }

    private mutating func close(
        _ call: String, _ error: String, pause: Duration, at now: BootInstant
    ) -> [Step] {
        state = .closing(
            until: now.advanced(by: Self.closeLimit), notBefore: now.advanced(by: pause),
            reason: "given up after \(call): \(error)")
        return [.failed(call: call, error: error, retryIn: pause), .disconnect]
    }
}

// MARK: Subscriptions

extension WearableLink {
    /// The reply to AcquireNotify or StartNotify for the characteristic at `path`.
    mutating func subscribeReplied(
        _ path: String, _ error: BusError?, at now: BootInstant, jitter: inout Jitter
    ) -> [Step] {
        guard case .up = state, let index = index(of: path) else { return [] }
        switch subscriptions[index].replied(error, at: now, jitter: &jitter) {
        case .nothing: return []
        case .on:
            // A stream has to prove itself by a value before the next loss counts as the first.
            if subscriptions[index].limit == nil, subscriptions[index].role.isMeasurement {
                connectBackoff.reset()
            }
            return []
        case .again(let step): return Self.steps(step, subscriptions[index].shown.uuid)
        case .failed(let pause):
            return [.failed(call: "StartNotify", error: error?.description ?? "", retryIn: pause)]
        case .givenUp:
            subscriptions[index].refuse()
            return givenUp(index, error, at: now, jitter: &jitter)
        }
    }

    /// The link is kept for other measurements that are on, else it is the fault.
    private mutating func givenUp(
        _ index: Int, _ error: BusError?, at now: BootInstant, jitter: inout Jitter
    ) -> [Step] {
        let text = error?.description ?? ""
        guard subscriptions[index].role.isMeasurement,
            !subscriptions.contains(where: { $0.role.isMeasurement && $0.isOn })
        else { return [.failed(call: "StartNotify", error: text, retryIn: connectBackoff.limit)] }
        let pause = error.map { connectPause(after: $0, &jitter) } ?? connectBackoff.next(using: &jitter)
        return close("StartNotify", text, pause: pause, at: now)
    }

    /// A value, in the fastest way: it changes nothing but when the stream was last heard.
    /// - Returns: nil where it does not count, else whether its stream had been suspect.
    mutating func valueArrived(_ path: String, by way: Subscription.Way, at now: BootInstant) -> (
        uuid: BluetoothUUID, wasSuspect: Bool
    )? {
        guard let index = index(of: path), subscriptions[index].valueArrived(by: way, at: now) else {
            return nil
        }
        let uuid = subscriptions[index].shown.uuid
        if subscriptions[index].limit != nil {
            connectBackoff.reset()
            silenceBackoff.reset()
        }
        return (uuid, suspects.isEmpty ? false : suspects.remove(uuid) != nil)
    }

    mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        guard let index = index(of: path) else { return }
        subscriptions[index].ended(at: now)
    }

    func role(ofCharacteristic path: String) -> CharacteristicRole? {
        index(of: path).map { subscriptions[$0].role }
    }

    private func index(of path: String) -> Int? {
        subscriptions.firstIndex { $0.path == path }
    }
}

// MARK: Stored records

extension WearableLink {
    static func isOfTransfer(_ uuid: BluetoothUUID) -> Bool {
        [.glucoseMeasurement, .glucoseMeasurementContext, .recordAccessControlPoint].contains(uuid)
    }

    var isTransferring: Bool { transfer != nil }

    /// The errand runs until the machine finishes.
    mutating func startTransfer(at control: ShownCharacteristic, now: BootInstant) -> [Step] {
        transfer = (GlucoseRecordTransfer(after: lastSequence), control)
        let action = transfer?.machine.start(at: now)
        return action.map { follow($0) } ?? []
    }

    /// Bytes that cannot be read are left out: the next transfer asks for the record again.
    mutating func recordArrived(_ uuid: BluetoothUUID, _ bytes: [UInt8], at now: BootInstant) -> [Step] {
        var reader = ByteReader(bytes)
        var action: GlucoseRecordTransfer.Action?
        switch uuid {
        case .glucoseMeasurement:
            guard let record = try? GlucoseMeasurement(from: &reader) else { return [] }
            action = transfer?.machine.received(record, at: now)
        case .glucoseMeasurementContext:
            guard let context = try? GlucoseMeasurementContext(from: &reader) else { return [] }
            action = transfer?.machine.received(context, at: now)
        default:
            guard let response = try? RecordAccessControlPoint.Response(from: &reader) else { return [] }
            action = transfer?.machine.received(response)
        }
        return action.map { follow($0) } ?? []
    }

    mutating func transferWriteFailed(_ error: BusError) -> [Step] {
        let action = transfer?.machine.writeFailed(attributeError: error.attributeError)
        return action.map { follow($0) } ?? []
    }

    private mutating func endTransfer() -> [Step] {
        let action = transfer?.machine.disconnected()
        return action.map { follow($0) } ?? []
    }

    private mutating func follow(_ action: GlucoseRecordTransfer.Action) -> [Step] {
        switch action {
        case .none: return []
        case .write(let bytes): return transfer.map { [.writeControl($0.control, bytes)] } ?? []
        case .finish(let outcome):
            transfer = nil
            errands.finished()
            lastSequence = outcome.lastSequenceNumber
            let records: [Step] = outcome.records.isEmpty ? [] : [.records(outcome.records)]
            guard case .incomplete(let failure) = outcome.end else { return records }
            let failed = Step.failed(
                call: "asking for records", error: "\(failure)", retryIn: connectBackoff.limit)
            return records + [failed]
        }
    }
}

// MARK: What bluetoothd shows, and time

extension WearableLink {
    /// Brings the state in line with what is shown and with the clock. Nothing to do twice: a second call
    /// with the same arguments returns no steps.
    /// - Parameter view: nil where bluetoothd shows no such device.
    mutating func settle(_ view: View?, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        guard let view, view.isConnected else {
            return settleDown(isShown: view != nil, at: now, jitter: &jitter)
        }
        guard isUp else {
            state = .resolving(until: now.advanced(by: Self.resolveLimit))
            return [.connected] + settleUp(view, at: now, jitter: &jitter)
        }
        return settleUp(view, at: now, jitter: &jitter)
    }

    private mutating func settleDown(isShown: Bool, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        switch state {
        case .away: return []
        case .connecting(let until):
            guard now >= until else { return [] }
            let pause = connectBackoff.next(using: &jitter)
            state = .away(notBefore: now.advanced(by: pause))
            return [.failed(call: "Connect", error: "the link did not come up", retryIn: pause), .disconnect]
        case .closing(_, let notBefore, let reason):
            state = .away(notBefore: notBefore)
            return letGo() + [.disconnected(reason: reason)]
        default:
            state = .away(notBefore: now.advanced(by: connectBackoff.next(using: &jitter)))
            return letGo() + [
                .disconnected(reason: isShown ? "the link ended" : "bluetoothd removed the device")
            ]
        }
    }

    /// What was of the link goes with it.
    private mutating func letGo() -> [Step] {
        defer { (subscriptions, errands, told) = ([], Errands(), []) }
        return endTransfer() + subscriptions.filter { $0.way == .socket }.map { .release($0.path, .socket) }
    }

    private mutating func settleUp(_ view: View, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        switch state {
        case .resolving(let until):
            if view.areServicesResolved {
                state = .up(usefulBy: now.advanced(by: Self.searchLimit))
                return use(view, at: now, jitter: &jitter)
            }
            guard now >= until else { return [] }
            let pause = connectBackoff.next(using: &jitter)
            return close("Connect", "services not resolved in \(Self.resolveLimit)", pause: pause, at: now)
        case .up: return use(view, at: now, jitter: &jitter)
        case .closing(let until, _, _):
            // The Disconnect was not obeyed, so the link is used after all.
            if now >= until { state = .resolving(until: now.advanced(by: Self.resolveLimit)) }
            return []
        case .away, .connecting: return []
        }
    }

    private mutating func use(_ view: View, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        guard case .up(let usefulBy) = state else { return [] }
        var steps = follow(view, at: now)
        if !isUseful(view), now >= usefulBy {
            let pause = connectBackoff.next(using: &jitter)
            return steps + close("Connect", "it shows no measurement that is known", pause: pause, at: now)
        }
        for index in subscriptions.indices {
            for step in subscriptions[index].settle(at: now) {
                guard case .silent(let limit) = step else {
                    if case .suspected = step { suspects.insert(subscriptions[index].shown.uuid) }
                    steps += Self.steps(step, subscriptions[index].shown.uuid)
                    continue
                }
                let pause = silenceBackoff.next(using: &jitter)
                return steps + close("StartNotify", "nothing came in \(limit)", pause: pause, at: now)
            }
        }
        if let action = transfer?.machine.deadlineReached(at: now) { steps += follow(action) }
        return steps + tellSubscribed() + nextErrand(view)
    }

    /// New characteristics are subscribed to, and those that are gone forgotten.
    private mutating func follow(_ view: View, at now: BootInstant) -> [Step] {
        let paths = Set(view.characteristics.map(\.path))
        let gone = subscriptions.filter { !paths.contains($0.path) }
        subscriptions.removeAll { !paths.contains($0.path) }
        for shown in view.characteristics {
            guard let (role, limit) = wanted(shown),
                // One subscription each; the first by handle where a device repeats a characteristic.
                !subscriptions.contains(where: {
                    $0.shown.uuid == shown.uuid && $0.shown.service == shown.service
                })
            else { continue }
            subscriptions.append(Subscription(shown, role, limit: limit, at: now))
        }
        return gone.filter { $0.way == .socket }.map { .release($0.path, .socket) }
    }

    /// Nil for what is not subscribed to.
    private func wanted(_ shown: ShownCharacteristic) -> (CharacteristicRole, Duration?)? {
        guard !shown.flags.isDisjoint(with: ["notify", "indicate"]),
            let role = CharacteristicRole(shown.uuid, service: shown.service)
        else { return nil }
        switch role {
        case .measurement(let limit):
            return switch wearable.rhythm {
            case .streams(let own): (role, limit == nil ? nil : own)
            case .sleeps: (role, nil)
            case nil: (role, limit)
            }
        case .button: return wearable.signals[.tagButton] == nil ? nil : (role, nil)
        case .recordControl, .battery: return (role, nil)
        default: return nil
        }
    }

    /// It measures, calls or can be called.
    private func isUseful(_ view: View) -> Bool {
        subscriptions.contains { $0.role.isMeasurement || $0.role == .button }
            || view.characteristics.contains {
                CharacteristicRole($0.uuid, service: $0.service) == .immediateAlert
            }
    }

    /// Told when all that is known of is settled, and again when that becomes more or less.
    private mutating func tellSubscribed() -> [Step] {
        guard !subscriptions.contains(where: \.isUnsettled) else { return [] }
        let on = subscriptions.filter(\.isOn).map(\.shown.uuid)
        guard on != told else { return [] }
        told = on
        return [.subscribed(on)]
    }

    private mutating func nextErrand(_ view: View) -> [Step] {
        guard errands.isIdle, !subscriptions.contains(where: \.isUnsettled) else { return [] }
        return errands.next(view.characteristics, linkLoss: wearable.linkLossAlert).map { [.errand($0)] } ?? []
    }

    private static func steps(_ step: Subscription.Step, _ uuid: BluetoothUUID) -> [Step] {
        switch step {
        case .acquire(let path): [.acquireNotify(path)]
        case .startNotify(let path): [.startNotify(path)]
        case .release(let path, let way): [.release(path, way)]
        case .suspected(let limit): [.suspected(uuid, after: limit)]
        case .silent: []
        }
    }
}
