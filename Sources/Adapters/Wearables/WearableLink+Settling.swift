import GatewayModel
import WireFormats

// What bluetoothd shows of the wearable, and time.

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
            let failed = Step.failed(
                call: "Connect", error: "the link did not come up", kind: .absent, retryIn: pause)
            return [failed, .disconnect]
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
        defer {
            (subscriptions, errands, told) = ([], Errands(), nil)
            positions.lookAt = nil
        }
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
        return steps + tellSubscribed(view) + nextErrand(view, at: now)
    }
}
