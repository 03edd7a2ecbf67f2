import GatewayModel
import RealTime

/// What the mqtt thread does: connect, serve, wait, and again.
///
/// Made, used and dropped on that thread.
final class SessionLoop {
    let settings: BrokerSettings
    let subscriptions: [String]
    let source: any OutboundSource
    let onEvent: (BrokerEvent) -> Void
    let control: SessionControl
    private var policy = SessionPolicy()

    init(
        settings: BrokerSettings, subscriptions: [String], source: any OutboundSource,
        onEvent: @escaping (BrokerEvent) -> Void, control: SessionControl
    ) {
        self.settings = settings
        self.subscriptions = subscriptions
        self.source = source
        self.onEvent = onEvent
        self.control = control
    }

    func run() {
        while !control.isStopping {
            let ending = attempt()
            let wait = policy.wait(after: ending, at: Clock.boot(), chance: .random(in: 0...1))
            // Nothing to tell of a version that was refused when the next one is tried at once.
            guard !control.isStopping, wait > .zero else { continue }
            tell(ending, retryIn: wait)
            pause(wait)
        }
    }

    /// One connection from the first packet to the last. Its client is freed on return.
    private func attempt() -> Ending {
        do throws(BrokerError) {
            let connection = try BrokerConnection(settings, version: policy.protocolVersion)
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

    private func tell(_ ending: Ending, retryIn wait: Duration) {
        switch ending {
        case .stopped: break
        case .lost(let reason): onEvent(.disconnected(reason: reason, retryIn: wait))
        case .refused(let code, let text):
            onEvent(.refused(reasonCode: Int(code.rawValue), text: text, retryIn: wait))
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
