import GatewayModel
import Systemd

// The way to a link, and the end of one that is given up.

extension WearableLink {
    /// bluetoothd or the bus is gone, or back: everything starts over. What is suspect stays so until it
    /// is heard.
    mutating func startOver(reason: String, at now: BootInstant) -> [Step] {
        let steps: [Step] = isUp ? [.disconnected(reason: reason)] : []
        let records = endTransfer()
        let (suspects, lastSequence, positions) = (suspects, lastSequence, positions)
        self = WearableLink(wearable, at: now)
        (self.suspects, self.lastSequence) = (suspects, lastSequence)
        self.positions.isWanted = positions.isWanted
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
        var pause = connectPause(after: error, &jitter)
        // Sooner it is tried only when it is heard, which ends the pause.
        if wasUnheardWhenTried { pause = max(pause, WearableTracker.listening) }
        state = .away(notBefore: now.advanced(by: pause))
        let failed = Step.failed(
            call: "Connect", error: error.description, kind: CallFailure(error), retryIn: pause)
        return error.isTimeout ? [failed, .disconnect] : [failed]
    }

    mutating func connectPause(after error: BusError, _ jitter: inout Jitter) -> Duration {
        BlueZFailure(error) == .lasting ? connectBackoff.longest() : connectBackoff.next(using: &jitter)
    }

    mutating func close(
        _ call: String, _ error: String, pause: Duration, at now: BootInstant
    ) -> [Step] {
        state = .closing(
            until: now.advanced(by: Self.closeLimit), notBefore: now.advanced(by: pause),
            reason: "given up after \(call): \(error)")
        return [.failed(call: call, error: error, kind: .other, retryIn: pause), .disconnect]
    }
}
