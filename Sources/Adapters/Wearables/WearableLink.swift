import GatewayModel
import Systemd
import WireFormats

/// State of the connection to one wearable. A pure machine: one method per event, each returning the
/// steps to take. bluetoothd's `Connected` is the only thing believed about the link itself; a reply of
/// Connect or Disconnect never is.
struct WearableLink: Sendable {
    private enum State: Hashable, Sendable {
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

    /// The wearable as bluetoothd shows it now.
    struct View: Hashable, Sendable {
        let isConnected: Bool
        let areServicesResolved: Bool
        let characteristics: [ShownCharacteristic]
    }

    enum Step: Hashable, Sendable {
        case connected
        case subscribed([BluetoothUUID])
        /// It has shown its services, and nothing among them is of use.
        case unsupported
        case disconnected(reason: String)
        case acquireNotify(String)
        case startNotify(String)
        /// A subscription ends, or its characteristic is gone.
        case release(String, Subscription.Transport)
        case setup(ConnectionSetup.Step)
        /// A request to a meter's record control point.
        case writeControl(ShownCharacteristic, [UInt8])
        /// Stored records of the wearable.
        case records([GlucoseRecordTransfer.Record])
        /// Streams that are silent were asked for anew, or have sent again.
        case suspected(BluetoothUUID, after: Duration)
        /// Ends the link, or a Connect that is still going on.
        case disconnect
        case failed(call: String, error: String, kind: CallFailure, retryIn: Duration)
    }

    let wearable: Wearable
    private var state: State
    private var subscriptions: LinkSubscriptions
    private var standing = StandingSubscriptions()
    private var setup = ConnectionSetup()
    private var records = RecordFetch()
    /// Rhythm of its data, by the services that bluetoothd knows it for.
    private var recognised: Wearable.Rhythm?
    /// When its last advert was heard.
    private var heard: BootInstant?
    private var wasUnheardWhenTried = false
    private var connectBackoff = Backoff.connect
    private var silenceBackoff = Backoff.silence

    init(_ wearable: Wearable, at now: BootInstant) {
        self.wearable = wearable
        state = .away(notBefore: now)
        subscriptions = LinkSubscriptions(of: wearable)
    }

    /// From bluetoothd's ServicesResolved documentation and practice: a first discovery of all services
    /// takes up to some seconds on a slow link; one that takes longer has died with the link.
    private static let resolveLimit = Duration.seconds(15)
    /// The objects follow the flag within milliseconds, or after the cache was corrected, or never.
    private static let searchLimit = Duration.seconds(10)
    /// From the reply of Connect to `Connected`: the same step of bluetoothd, so any second will do.
    private static let linkUpLimit = Duration.seconds(5)
    /// bluetoothd ends a link within 2 s of Disconnect.
    private static let closeLimit = Duration.seconds(10)
    /// An advert no older than this means that the wearable is there (the usual slowest interval is 2.5 s).
    private static let freshness = Duration.seconds(10)

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

    /// Known to disconnect between two uses.
    var isSleeper: Bool { (wearable.rhythm ?? recognised) == .sleeps }

    /// Some of its subscriptions may stand while it is away.
    var mayStand: Bool {
        if case .streams = wearable.rhythm ?? recognised { false } else { true }
    }

    var isRecognised: Bool { recognised != nil }
    var isTransferring: Bool { records.isRunning }

    /// Paths with an unsubscribe that is owed when the gateway stops.
    var notifying: [String] {
        let own = subscriptions.notifying
        return own + standing.paths.filter { !own.contains($0) }
    }

    /// Paths with a socket.
    var sockets: [String] { subscriptions.sockets }

    /// The instants at which time alone changes something. One that has gone by waits for an event, and must hide none
    /// of the others.
    var deadlines: [BootInstant] {
        switch state {
        case .away(let instant), .connecting(let instant): [instant] + standing.deadlines
        case .resolving(let instant), .closing(let instant, _, _): [instant]
        case .up(let usefulBy): subscriptions.deadlines + [records.deadline, usefulBy].compactMap(\.self)
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

    mutating func recognise(_ rhythm: Wearable.Rhythm) {
        recognised = rhythm
    }

    /// Its positions are asked for while they are wanted, and released then.
    mutating func wantPositions(_ isWanted: Bool) {
        subscriptions.wantsPositions = isWanted
    }

    // MARK: Connecting

    /// bluetoothd or the bus is gone, or back: everything starts over. A suspect stream stays so until it is heard.
    mutating func startOver(reason: String, at now: BootInstant) -> [Step] {
        let steps: [Step] = isUp ? [.disconnected(reason: reason)] : []
        let stored = follow(records.disconnected())
        let (subscriptions, records) = (subscriptions, records)
        self = WearableLink(wearable, at: now)
        (self.subscriptions, self.records) = (subscriptions, records)
        self.subscriptions.startOver()
        return stored + steps
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
        var pause = connectPause(after: error, &jitter)
        // Sooner it is tried only when it is heard, which ends the pause.
        if wasUnheardWhenTried { pause = max(pause, LinkTable.listening) }
        state = .away(notBefore: now.advanced(by: pause))
        let failed = Step.failed(
            call: "Connect", error: error.description, kind: CallFailure(error), retryIn: pause)
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
        return [.failed(call: call, error: error, kind: .other, retryIn: pause), .disconnect]
    }

    // MARK: Settling

    /// Brings the state in line with bluetoothd's view and with the clock. A second call with the same arguments
    /// returns no steps.
    /// - Parameter view: nil where bluetoothd shows no such device.
    mutating func settle(_ view: View?, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        guard let view, view.isConnected else {
            return settleDown(isShown: view != nil, at: now, jitter: &jitter) + stand(view, at: now)
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
            let failed = Step.failed(
                call: "Connect", error: "the link did not come up", kind: .absent, retryIn: pause)
            return [failed, .disconnect]
        case .closing(_, let notBefore, let reason):
            state = .away(notBefore: notBefore)
            return forgetLink() + [.disconnected(reason: reason)]
        default:
            state = .away(notBefore: now.advanced(by: connectBackoff.next(using: &jitter)))
            return forgetLink() + [
                .disconnected(reason: isShown ? "the link ended" : "bluetoothd removed the device")
            ]
        }
    }

    /// Subscribes to the measurements of a wearable that is away, so that the next link has its sessions.
    private mutating func stand(_ view: View?, at now: BootInstant) -> [Step] {
        guard let view else {
            standing.startOver()
            return []
        }
        return standing.follow(subscriptions.standing(view), at: now).map { .startNotify($0) }
    }

    /// The state of the link goes with it.
    private mutating func forgetLink() -> [Step] {
        defer { setup = ConnectionSetup() }
        standing.startOver()
        return follow(records.disconnected()) + subscriptions.linkEnded()
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
        let steps = subscriptions.follow(view, at: now)
        if !subscriptions.isUseful(view), now >= usefulBy {
            let pause = connectBackoff.next(using: &jitter)
            return steps + [.unsupported]
                + close("Connect", "it shows no measurement that is known", pause: pause, at: now)
        }
        let settled = subscriptions.settle(at: now)
        if let limit = settled.silence {
            let pause = silenceBackoff.next(using: &jitter)
            return steps + settled.steps
                + close("StartNotify", "nothing came in \(limit)", pause: pause, at: now)
        }
        let fetched = follow(records.tick(at: now))
        return steps + settled.steps + fetched + subscriptions.tellSubscribed(view) + nextSetup(view, at: now)
    }

    private mutating func nextSetup(_ view: View, at now: BootInstant) -> [Step] {
        guard setup.isIdle, !subscriptions.isUnsettled else { return [] }
        if let quality = subscriptions.qualityToRead(view, at: now) {
            setup.begin(quality)
            return [.setup(quality)]
        }
        return setup.next(view.characteristics, linkLoss: wearable.linkLossAlert).map { [.setup($0)] } ?? []
    }

    mutating func setupStepEnded() {
        setup.finished()
    }

    // MARK: Subscriptions

    /// The reply to AcquireNotify or StartNotify for the characteristic at `path`.
    mutating func subscribeReplied(
        _ path: String, _ error: BusError?, at now: BootInstant, jitter: inout Jitter
    ) -> [Step] {
        guard case .up = state else {
            let pause = standing.replied(path, error, at: now, jitter: &jitter)
            return pause.map { [Self.failed(error, retryIn: $0)] } ?? []
        }
        switch subscriptions.replied(path, error, at: now, jitter: &jitter) {
        case .steps(let steps): return steps
        case .proven:
            connectBackoff.reset()
            return []
        case .failed(let pause): return [Self.failed(error, retryIn: pause)]
        // The link is kept for other measurements that are on, else it is the fault.
        case .givenUp(false): return [Self.failed(error, retryIn: connectBackoff.limit)]
        case .givenUp(true):
            let pause = error.map { connectPause(after: $0, &jitter) } ?? connectBackoff.next(using: &jitter)
            return close("StartNotify", error?.description ?? "", pause: pause, at: now)
        }
    }

    private static func failed(_ error: BusError?, retryIn pause: Duration) -> Step {
        .failed(
            call: "StartNotify", error: error?.description ?? "", kind: error.map(CallFailure.init) ?? .other,
            retryIn: pause)
    }

    /// - Returns: nil where the value does not count.
    mutating func valueArrived(
        _ path: String, by transport: Subscription.Transport, at now: BootInstant
    ) -> LinkSubscriptions.Value? {
        guard let value = subscriptions.valueArrived(path, by: transport, at: now) else { return nil }
        count(value)
        return value
    }

    /// A value that `valueArrived` does not count, in whichever state of the link.
    mutating func strayArrived(_ shown: ShownCharacteristic) -> LinkSubscriptions.Stray {
        let stray = subscriptions.strayArrived(shown)
        if case .value(let value) = stray { count(value) }
        return stray
    }

    private mutating func count(_ value: LinkSubscriptions.Value) {
        if value.provesLink { connectBackoff.reset() }
        if value.isOfStream { silenceBackoff.reset() }
    }

    mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        subscriptions.notifyingEnded(path, at: now)
    }

    // MARK: Stored records

    /// The setup step runs until the fetch finishes.
    mutating func startTransfer(at control: ShownCharacteristic, now: BootInstant) -> [Step] {
        follow(records.start(at: control, now: now))
    }

    mutating func recordArrived(_ uuid: BluetoothUUID, _ bytes: [UInt8], at now: BootInstant) -> [Step] {
        follow(records.received(uuid, bytes, at: now))
    }

    mutating func transferWriteFailed(_ error: BusError) -> [Step] {
        follow(records.writeFailed(error))
    }

    private mutating func follow(_ action: RecordFetch.Action?) -> [Step] {
        switch action {
        case nil: return []
        case .write(let control, let bytes): return [.writeControl(control, bytes)]
        case .finished(let records, let failure):
            setup.finished()
            let found: [Step] = records.isEmpty ? [] : [.records(records)]
            guard let failure else { return found }
            let failed = Step.failed(
                call: "asking for records", error: failure, kind: .other, retryIn: connectBackoff.limit)
            return found + [failed]
        }
    }
}
