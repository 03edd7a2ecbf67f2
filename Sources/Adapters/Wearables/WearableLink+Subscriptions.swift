import GatewayModel
import Systemd
import WireFormats

// What is subscribed to on a link, and what comes of it.

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
            return [failed(error, retryIn: pause)]
        case .givenUp:
            subscriptions[index].refuse()
            return givenUp(index, error, at: now, jitter: &jitter)
        }
    }

    /// The link is kept for other measurements that are on, else it is the fault.
    private mutating func givenUp(
        _ index: Int, _ error: BusError?, at now: BootInstant, jitter: inout Jitter
    ) -> [Step] {
        guard subscriptions[index].role.isMeasurement,
            !subscriptions.contains(where: { $0.role.isMeasurement && $0.isOn })
        else { return [failed(error, retryIn: connectBackoff.limit)] }
        let pause = error.map { connectPause(after: $0, &jitter) } ?? connectBackoff.next(using: &jitter)
        return close("StartNotify", error?.description ?? "", pause: pause, at: now)
    }

    private func failed(_ error: BusError?, retryIn pause: Duration) -> Step {
        .failed(
            call: "StartNotify", error: error?.description ?? "", kind: error.map(CallFailure.init) ?? .other,
            retryIn: pause)
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
        // The proof that this link works, whatever the replies said.
        if subscriptions[index].role.isMeasurement || subscriptions[index].role == .position {
            connectBackoff.reset()
        }
        if subscriptions[index].limit != nil { silenceBackoff.reset() }
        return (uuid, suspects.isEmpty ? false : suspects.remove(uuid) != nil)
    }

    mutating func notifyingEnded(_ path: String, at now: BootInstant) {
        guard let index = index(of: path) else { return }
        subscriptions[index].ended(at: now)
    }

    func role(ofCharacteristic path: String) -> CharacteristicRole? {
        index(of: path).map { subscriptions[$0].role }
    }

    func index(of path: String) -> Int? {
        subscriptions.firstIndex { $0.path == path }
    }
}
