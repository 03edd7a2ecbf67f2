import GatewayModel
import Systemd

/// Subscriptions by signal (StartNotify) that stand while their wearable is away. Pure.
///
/// A cuff, a thermometer or a scale indicates its result within moments of the link, and deletes it once the result
/// is confirmed. bluetoothd confirms each indication, with or without a client that wants it. Only a session that
/// stands before the link comes up gets all of them.
///
/// Found with bluetoothd 5.66 (scenario `rig_sessions` of the BLE rig):
/// - StartNotify for a characteristic of a device that is away is accepted, for a session without a link. Asked for
///   again, it answers InProgress.
/// - On the next link the session is renewed before the services are resolved, and before bluetoothd handles a value
///   that came by itself.
/// - A link that ends while bluetoothd writes the subscription costs the session, and nobody is told.
/// - After a restart of bluetoothd no characteristic of a device that is away is shown until its first link: a value
///   that comes by itself on that one link is lost. Nothing on the bus can be asked for it.
struct StandingSubscriptions: Sendable {
    private enum State: Hashable, Sendable {
        case asking
        case held
        case retrying(notBefore: BootInstant)
    }

    private var states: [String: State] = [:]
    private var backoff = Backoff.connect

    /// Paths that bluetoothd has, or may have, a session for.
    var paths: [String] { states.keys.sorted() }

    /// The instants at which time alone changes something.
    var deadlines: [BootInstant] {
        states.values.compactMap { if case .retrying(let instant) = $0 { instant } else { nil } }
    }

    /// - Parameter wanted: paths of the characteristics that bluetoothd shows now.
    /// - Returns: paths to be asked for now.
    mutating func follow(_ wanted: [String], at now: BootInstant) -> [String] {
        states = states.filter { wanted.contains($0.key) }
        let due = wanted.filter { path in
            switch states[path] {
            case nil: true
            case .retrying(let notBefore): now >= notBefore
            case .asking, .held: false
            }
        }
        for path in due { states[path] = .asking }
        return due
    }

    /// The reply to StartNotify for the characteristic at `path`.
    /// - Returns: the pause until the next try; nil where the session stands.
    mutating func replied(
        _ path: String, _ error: BusError?, at now: BootInstant, jitter: inout Jitter
    ) -> Duration? {
        guard states[path] == .asking else { return nil }
        // Of one that is kept from the last link bluetoothd says that it is in progress, until the next.
        guard let error, !error.hasName("org.bluez.Error.InProgress") else {
            states[path] = .held
            backoff.reset()
            return nil
        }
        let pause = backoff.next(using: &jitter)
        states[path] = .retrying(notBefore: now.advanced(by: pause))
        return pause
    }

    /// The link has ended: each is asked for anew, as bluetoothd drops a session that the wearable has refused.
    mutating func startOver() {
        states = [:]
    }
}
