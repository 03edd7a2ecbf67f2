import GatewayModel
import RealTime

/// Body of the mqtt thread: connect, wait, and again.
///
/// Made, used and dropped on that thread.
final class SessionLoop {
    private let settings: BrokerSettings
    private let onEvent: (BrokerEvent) -> Void
    private let control: SessionControl
    private let connector: any Connector
    private var policy: SessionPolicy

    init(
        settings: BrokerSettings, onEvent: @escaping (BrokerEvent) -> Void, control: SessionControl,
        connector: any Connector
    ) {
        self.settings = settings
        self.onEvent = onEvent
        self.control = control
        self.connector = connector
        policy = SessionPolicy(brokers: settings.brokers.count)
    }

    func run() {
        while !control.isStopping {
            let broker = settings.brokers[policy.broker]
            var manner = policy.manner
            manner.checksDates = settings.checksDates()
            let attempt = connector.attempt(broker, manner)
            if let instant = attempt.connectedAt { policy.connected(at: instant) }
            let wait = policy.wait(after: attempt.ending, at: Clock.boot(), chance: .random(in: 0...1))
            if control.isStopping || policy.hasConceded && !attempt.ending.isWorthTelling { continue }
            tell(attempt.ending, of: broker, retryIn: wait)
            if !policy.hasConceded { pause(wait) }
        }
        connector.finish()
    }

    private func tell(_ ending: Ending, of broker: BrokerEndpoint, retryIn wait: Duration) {
        let place = settings.brokers.count > 1 ? "\(broker): " : ""
        switch ending {
        case .stopped: break
        case .closed(let reason) where policy.isSessionContested:
            let seen =
                "the broker closed \(SessionPolicy.suspiciousCloses) connections in a row soon after it took them"
            onEvent(.sessionTaken(reason: "\(place)\(seen) (\(reason))", retryIn: wait))
        case .refused(.sessionTakenOver, let reason):
            onEvent(.sessionTaken(reason: place + reason, retryIn: wait))
        case .lost(let reason), .closed(let reason), .unanswered(let reason), .silent(let reason):
            onEvent(.disconnected(reason: place + reason, retryIn: wait))
        case .crashed(let reason):
            onEvent(.disconnected(reason: place + reason, retryIn: wait))
            if SessionPolicy.isWorthTelling(crashes: policy.crashes) {
                onEvent(.fault(.endsTheProcess, count: policy.crashes))
            }
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
