import GatewayModel
import Systemd

// What is done about an adapter or a bluetoothd that seems to hang.

extension WearableTracker {
    /// For the kernel to take a switched-off adapter down and lose what it was stuck in.
    private static let offTime = Duration.seconds(2)
    /// Between tries to switch it on again: it stays wanted until it is on.
    private static let powerOnRetry = Duration.seconds(5)

    mutating func perform(_ actions: [RadioRecovery.Action], at now: BootInstant) {
        for action in actions {
            switch action {
            case .ping: call(.ping)
            case .suspect(let symptom): emit(.suspicion(Self.words(for: symptom)))
            case .recovered: emit(.suspicion(nil))
            case .refreshDiscovery: attempt(.restartDiscovery, at: now)
            case .attempt(let stage):
                emit(.recovering(stage))
                attempt(stage, at: now)
            }
        }
    }

    private static func words(for symptom: RadioRecovery.Symptom) -> String {
        switch symptom {
        case .serviceUnanswered:
            "bluetoothd does not answer although the bus does. See: journalctl -u bluetooth"
        case .adapterUnanswered:
            "the Bluetooth adapter does not answer bluetoothd. See: dmesg; unplug it and plug it in again"
        case .deaf: "discovery is on and not one advert is heard. Move the adapter away from Wi-Fi and metal"
        }
    }

    private mutating func attempt(_ stage: RadioRecovery.Stage, at now: BootInstant) {
        guard stage != .restartService else { return call(.restartService) }
        guard let adapter else { return }
        switch stage {
        case .restartDiscovery:
            guard discovery == .on else { return }
            discovery = .stopping
            call(BlueZCall(.stopDiscovery, adapter))
        case .powerCycle:
            powerOnAt = now.advanced(by: Self.offTime)
            call(.setPower(of: adapter, false), for: .power(false))
        case .restartService: break
        }
    }

    mutating func powerOnWhenDue(at now: BootInstant) {
        guard let powerOnAt, now >= powerOnAt, let adapter else { return }
        self.powerOnAt = now.advanced(by: Self.powerOnRetry)
        call(.setPower(of: adapter, true), for: .power(true))
    }

    mutating func powerReplied(_ isOn: Bool, _ error: BusError?) {
        if let error {
            emit(
                .callFailed(
                    nil, call: "Set Powered", error: error.description, kind: CallFailure(error),
                    retryIn: Self.powerOnRetry))
        } else if isOn {
            powerOnAt = nil
        }
    }

    /// Tells the recovery what a reply, or its absence, says about bluetoothd and the adapter.
    mutating func weigh(_ error: BusError?, of pending: PendingCall, at now: BootInstant) {
        let isSilence = error?.isTimeout ?? false
        let isHeard =
            pending.link.flatMap { indexes[$0] }.map { links[$0].isHeard(at: now) } ?? false
        let actions: [RadioRecovery.Action] =
            switch (pending.call.method, isSilence) {
            case (.restartUnit, _): []
            case (.ping, true), (.getManagedObjects, true): recovery.unanswered(byService: true, at: now)
            case (.setDiscoveryFilter, true), (.startDiscovery, true), (.stopDiscovery, true), (.set, true):
                recovery.unanswered(byService: false, at: now)
            case (.connect, true): isHeard ? recovery.connectLost(at: now) : []
            // A wearable's silence is its own.
            case (_, true): []
            case (.startDiscovery, false), (.stopDiscovery, false), (.set, false):
                recovery.adapterAnswered(at: now)
            case (_, false): error?.isOfBus == true ? [] : recovery.answered(at: now)
            }
        perform(actions, at: now)
    }
}
