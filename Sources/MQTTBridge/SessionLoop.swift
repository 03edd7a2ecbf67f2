import GatewayModel
import RealTime

/// What the mqtt thread does: connect, serve, wait, and again.
///
/// Made, used and dropped on that thread.
final class SessionLoop {
    let settings: BrokerSettings
    let subscriptions: [String]
    let source: any OutboundSource
    let receive: (InboundMessage) -> InboundReceipt
    let onEvent: (BrokerEvent) -> Void
    let control: SessionControl
    private let ask: @Sendable (BrokerEndpoint) -> NameLookup.Outcome
    /// Of all connections.
    private var faults = FaultCounts()
    /// One a broker at most, or a resolver that hangs would be given a thread with every attempt.
    private var lookups: [BrokerEndpoint: NameLookup] = [:]
    private var policy: SessionPolicy

    init(
        settings: BrokerSettings, subscriptions: [String], source: any OutboundSource,
        receive: @escaping (InboundMessage) -> InboundReceipt, onEvent: @escaping (BrokerEvent) -> Void,
        control: SessionControl,
        lookUp ask: @escaping @Sendable (BrokerEndpoint) -> NameLookup.Outcome = NameLookup.system
    ) {
        self.settings = settings
        self.subscriptions = subscriptions
        self.source = source
        self.receive = receive
        self.onEvent = onEvent
        self.control = control
        self.ask = ask
        policy = SessionPolicy(brokers: settings.brokers.count)
    }

    func run() {
        while !control.isStopping {
            let broker = settings.brokers[policy.broker]
            let ending = attempt(broker)
            let wait = policy.wait(after: ending, at: Clock.boot(), chance: .random(in: 0...1))
            guard !control.isStopping, !policy.hasConceded else { continue }
            tell(ending, of: broker, retryIn: wait)
            pause(wait)
        }
    }

    /// One connection from the first packet to the last. Its client is freed on return.
    private func attempt(_ broker: BrokerEndpoint) -> Ending {
        do throws(BrokerError) {
            let connection = try BrokerConnection(settings, to: broker, policy.manner)
            switch shakeHands(connection) {
            case .ended(let ending): return ending
            case .connected(let greeting):
                policy.connected(at: Clock.boot())
                return ServedConnection(self, connection, greeting).serve()
            }
        } catch {
            return .lost(error.description)
        }
    }

    /// The broker sent what it must not: told now and then.
    func note(_ fault: BrokerFault) {
        guard let count = faults.add(fault) else { return }
        onEvent(.fault(fault, count: count))
    }

    /// The look-up of `broker` that goes on; a new one where none does.
    func lookup(_ broker: BrokerEndpoint) throws(SystemCallError) -> NameLookup {
        if let lookup = lookups[broker] { return lookup }
        let lookup = try NameLookup(of: broker, by: ask)
        lookups[broker] = lookup
        return lookup
    }

    func forgetLookup(of broker: BrokerEndpoint) {
        lookups[broker] = nil
    }

    private func tell(_ ending: Ending, of broker: BrokerEndpoint, retryIn wait: Duration) {
        let place = settings.brokers.count > 1 ? "\(broker): " : ""
        switch ending {
        case .stopped: break
        case .lost(let reason): onEvent(.disconnected(reason: place + reason, retryIn: wait))
        case .refused(let code, let text):
            onEvent(.refused(reasonCode: Int(code.rawValue), text: place + text, retryIn: wait))
        }
    }

    /// Waits before the next attempt. A stop ends the wait at once, urgency after the shortest wait.
    private func pause(_ wait: Duration) {
        let start = Clock.boot()
        while !control.isStopping {
            let end = start.advanced(by: control.isUrgent ? min(wait, SessionPolicy.firstWait) : wait)
            let now = Clock.boot()
            guard now < end else { break }
            _ = Poll.wait([Poll.Interest(control.wakeup.descriptor)], timeout: now.duration(to: end))
            control.wakeup.drain()
        }
        control.clearUrgency()
    }
}
