import GatewayModel
import Systemd

/// Where the connection to one wearable stands. A pure machine: one method an event, each returning the
/// steps to take. bluetoothd's `Connected` is the only thing believed about the link itself; a reply of
/// Connect or Disconnect never is.
struct WearableLink: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// No link. The next try is due at that instant.
        case away(notBefore: BootInstant)
        case connecting(until: BootInstant)
        /// The link is up; bluetoothd is reading the wearable's services.
        case resolving(until: BootInstant)
        /// The services are there; the measurement's object is not (it may follow the flag).
        case searching(until: BootInstant)
        case subscribing(characteristic: String)
        /// Subscribing failed on a link that is up.
        case retrying(notBefore: BootInstant)
        case subscribed(characteristic: String)
        /// Given up; waits for `Connected` to go.
        case closing(until: BootInstant, notBefore: BootInstant, reason: String)
    }

    /// What bluetoothd shows of the wearable now.
    struct View: Hashable, Sendable {
        let isConnected: Bool
        let areServicesResolved: Bool
        /// The path of the characteristic to subscribe to.
        let characteristic: String?
    }

    enum Step: Hashable, Sendable {
        case connected, subscribed
        case disconnected(reason: String)
        case startNotify(String)
        /// Ends the link, or a Connect that is still going on.
        case disconnect
        case failed(call: String, error: String, retryIn: Duration)
    }

    let wearable: Wearable
    private(set) var state: State
    /// When its last advert was heard.
    private var heard: BootInstant?
    private var wasUnheardWhenTried = false
    private var connectBackoff = Backoff.connect
    private var subscribeBackoff = Backoff.subscribe

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
    /// Failed subscriptions in a row on one link before the link itself is taken for the fault.
    static let subscribeTries = 3
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
    var notifying: String? {
        switch state {
        case .subscribing(let characteristic), .subscribed(let characteristic): characteristic
        default: nil
        }
    }

    /// The next instant at which time alone changes something.
    var deadline: BootInstant? {
        switch state {
        case .away(let instant), .connecting(let instant), .resolving(let instant),
            .searching(let instant), .retrying(let instant), .closing(let instant, _, _):
            instant
        case .subscribing, .subscribed: nil
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

// MARK: Events

extension WearableLink {
    /// bluetoothd or the bus is gone, or back: everything starts over.
    mutating func startOver(reason: String, at now: BootInstant) -> [Step] {
        let steps: [Step] = isUp ? [.disconnected(reason: reason)] : []
        self = WearableLink(wearable, at: now)
        return steps
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

    mutating func startNotifyReplied(_ error: BusError?, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        guard case .subscribing(let characteristic) = state else { return [] }
        guard let error else {
            state = .subscribed(characteristic: characteristic)
            connectBackoff.reset()
            subscribeBackoff.reset()
            return [.subscribed]
        }
        let pause = subscribeBackoff.next(using: &jitter)
        guard subscribeBackoff.failures < Self.subscribeTries else {
            subscribeBackoff.reset()
            let pause = connectPause(after: error, &jitter)
            return close("StartNotify", error.description, pause: pause, at: now)
        }
        state = .retrying(notBefore: now.advanced(by: pause))
        return [.failed(call: "StartNotify", error: error.description, retryIn: pause)]
    }

    /// bluetoothd says that notifications have ended. Usually the end of the link follows at once and is
    /// what gets told; where it does not, they are asked for again.
    mutating func notifyingEnded(at now: BootInstant) {
        guard case .subscribed = state else { return }
        state = .retrying(notBefore: now.advanced(by: subscribeBackoff.first))
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
            return [.disconnected(reason: reason)]
        default:
            subscribeBackoff.reset()
            state = .away(notBefore: now.advanced(by: connectBackoff.next(using: &jitter)))
            return [.disconnected(reason: isShown ? "the link ended" : "bluetoothd removed the device")]
        }
    }

    private mutating func settleUp(_ view: View, at now: BootInstant, jitter: inout Jitter) -> [Step] {
        switch state {
        case .resolving(let until):
            if view.areServicesResolved { return search(view, at: now) }
            guard now >= until else { return [] }
            let pause = connectBackoff.next(using: &jitter)
            return close("Connect", "services not resolved in \(Self.resolveLimit)", pause: pause, at: now)
        case .searching(let until):
            if view.characteristic != nil { return search(view, at: now) }
            guard now >= until else { return [] }
            let pause = connectBackoff.next(using: &jitter)
            return close("Connect", "it shows no heart rate measurement (0x2A37)", pause: pause, at: now)
        case .retrying(let notBefore):
            return now >= notBefore ? search(view, at: now) : []
        case .subscribing(let characteristic), .subscribed(let characteristic):
            return view.characteristic == characteristic ? [] : search(view, at: now)
        case .closing(let until, _, _):
            // The Disconnect was not obeyed, so the link is used after all.
            if now >= until { state = .resolving(until: now.advanced(by: Self.resolveLimit)) }
            return []
        case .away, .connecting: return []
        }
    }

    private mutating func search(_ view: View, at now: BootInstant) -> [Step] {
        guard let characteristic = view.characteristic else {
            state = .searching(until: now.advanced(by: Self.searchLimit))
            return []
        }
        state = .subscribing(characteristic: characteristic)
        return [.startNotify(characteristic)]
    }
}
