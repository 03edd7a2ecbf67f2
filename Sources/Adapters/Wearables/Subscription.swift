import GatewayModel
import Systemd
import WireFormats

/// State of one subscription of a link: asked for, on, silent, given up. A pure machine.
///
/// That bluetoothd says yes proves nothing (it says so for a device that is away): only values do. A
/// stream that stays silent is asked for once more, and then the link is taken for the fault.
struct Subscription: Hashable, Sendable {
    enum Transport: Hashable, Sendable {
        /// A socket of our own (AcquireNotify): a value is one packet, and the bus daemon has no part in it.
        case socket
        /// PropertiesChanged (StartNotify).
        case signals
    }

    enum State: Hashable, Sendable {
        case asking(Transport)
        case retrying(notBefore: BootInstant)
        case on(Transport)
        /// Given up on this link, which is used for its other characteristics.
        case refused
    }

    enum Step: Hashable, Sendable {
        case acquire(String)
        case startNotify(String)
        /// Ends it, to be asked for anew.
        case release(String, Transport)
        /// Nothing has come for so long; it has been asked for anew.
        case suspected(Duration)
        /// Nothing came after that either.
        case silent(Duration)
    }

    let shown: ShownCharacteristic
    let role: CharacteristicRole
    /// Longest silence; nil for a characteristic that does not stream.
    let limit: Duration?
    private(set) var state: State
    /// The last value, or when there was last a reason to wait for one.
    private var heard: BootInstant
    private var isSuspect: Bool
    private var canAcquire: Bool
    private var backoff = Backoff.subscribe

    /// - Parameter stands: its session of StartNotify outlives the link, so a socket is not asked for.
    init(
        _ shown: ShownCharacteristic, _ role: CharacteristicRole, limit: Duration?, stands: Bool,
        at now: BootInstant
    ) {
        self.shown = shown
        self.role = role
        self.limit = limit
        state = .retrying(notBefore: now)
        heard = now
        isSuspect = false
        // Indications only from bluetoothd 5.80 on.
        canAcquire = shown.flags.contains("notify") && !stands
    }

    /// Failures in a row before it is given up.
    static let tries = 3
    /// bluetoothd needs a turn to see that the socket was closed before it gives out another.
    private static let releasePause = Duration.seconds(1)

    var path: String { shown.path }
    var isOn: Bool { transport != nil }

    var transport: Transport? {
        if case .on(let transport) = state { transport } else { nil }
    }

    /// Neither on nor given up: operations wait for it.
    var isUnsettled: Bool {
        switch state {
        case .asking, .retrying: true
        case .on, .refused: false
        }
    }

    var deadline: BootInstant? {
        switch state {
        case .retrying(let notBefore): notBefore
        case .on: limit.map { heard.advanced(by: $0) }
        case .asking, .refused: nil
        }
    }
}

// MARK: Events

extension Subscription {
    mutating func settle(at now: BootInstant) -> [Step] {
        switch state {
        case .retrying(let notBefore) where now >= notBefore:
            state = .asking(canAcquire ? .socket : .signals)
            return [canAcquire ? .acquire(path) : .startNotify(path)]
        case .on(let transport):
            guard let limit, heard.duration(to: now) >= limit else { return [] }
            heard = now
            guard !isSuspect else { return [.silent(limit)] }
            isSuspect = true
            // Some devices are said to notify only when asked in the usual way.
            canAcquire = false
            state = .retrying(notBefore: now.advanced(by: Self.releasePause))
            return [.suspected(limit), .release(path, transport)]
        default: return []
        }
    }

    /// - Returns: true where the value counts: one that also came through the socket does not.
    mutating func valueArrived(by transport: Transport, at now: BootInstant) -> Bool {
        if case .on(.socket) = state, transport == .signals { return false }
        heard = now
        isSuspect = false
        return true
    }

    enum Outcome: Hashable {
        case nothing, on
        /// Asked in the other way at once.
        case again(Step)
        case failed(retryIn: Duration)
        case givenUp
    }

    /// The reply to AcquireNotify or StartNotify.
    mutating func replied(_ error: BusError?, at now: BootInstant, jitter: inout Jitter) -> Outcome {
        guard case .asking(let transport) = state else { return .nothing }
        guard error != nil else {
            state = .on(transport)
            heard = now
            backoff.reset()
            return .on
        }
        guard transport == .signals else {
            // For any cause (an indication, another's session, an older bluetoothd) the usual way works.
            canAcquire = false
            state = .asking(.signals)
            return .again(.startNotify(path))
        }
        let pause = backoff.next(using: &jitter)
        guard backoff.failures < Self.tries else { return .givenUp }
        state = .retrying(notBefore: now.advanced(by: pause))
        return .failed(retryIn: pause)
    }

    mutating func refuse() { state = .refused }

    /// bluetoothd says that it is over. Usually the end of the link follows at once and gets told;
    /// where it does not, it is asked for again.
    mutating func ended(at now: BootInstant) {
        guard isOn else { return }
        state = .retrying(notBefore: now.advanced(by: backoff.first))
    }
}
