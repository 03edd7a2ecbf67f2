package import GatewayModel
package import Hub
package import Logging
import RealTime
import Settings
import SettingsReading
import Wearables
import WireFormats

/// Receives the adverts of broadcasters, from the scanners or from bluetoothd, and hands on their meaning.
package final class BroadcasterService: Sendable {
    private let state: BroadcasterState
    private let signals: SignalPipeline
    private let supervision: any WearableObserver
    private let writer: StateWriter
    private let abilities: WearableAbilityStore
    private let health: HealthBoard
    private let log: Logger

    package init(
        state: BroadcasterState, signals: SignalPipeline, supervision: any WearableObserver,
        writer: StateWriter, abilities: WearableAbilityStore,
        health: HealthBoard, log: Logger
    ) {
        self.state = state
        self.signals = signals
        self.supervision = supervision
        self.writer = writer
        self.abilities = abilities
        self.health = health
        self.log = log
    }

    /// Takes the service data of one advert, on any thread. An advert that two sources bring counts once: the guards against
    /// repetition see both.
    ///
    /// - Parameter signal: in dBm; nil where the source does not tell it.
    package func consume(
        _ serviceData: [UInt8], from sender: DeviceAddress, signal: Int? = nil, at arrival: BootInstant
    ) {
        var random = SystemRandomNumberGenerator()
        let moment = Moment(boot: arrival, wall: Clock.wall())
        let outcome = state.withLock { machine in
            let outcome = machine.hear(
                serviceData, from: sender, signal: signal, at: moment, using: &random)
            // SOS first, before any other part sees it.
            for signal in outcome.signals { signals.submit(signal) }
            for press in outcome.presses { signals.submit(press) }
            // Within the lock: of two states, the newer one is written last.
            if let memories = outcome.memories { writer.keep(memories) }
            return outcome
        }
        for signal in outcome.signals {
            signals.logSignal(signal)
            if signal.kind == .sosButton {
                supervision.observe(BroadcasterObservation.pressed(signal.device, at: arrival))
            }
        }
        for finding in outcome.findings { report(finding, at: arrival) }
    }

    private func report(_ finding: BroadcasterListener.Finding, at arrival: BootInstant) {
        switch finding {
        case .message(.battery(let percent), let broadcaster):
            supervision.observe(BroadcasterObservation.battery(broadcaster.id, percent: percent, at: arrival))
        case .message(.batteryLow(let isLow), let broadcaster):
            supervision.observe(.batteryLow(broadcaster.id, isLow, at: arrival))
        case .message(let message, let broadcaster):
            if let event = message.event { abilities.recordEvent(event, of: broadcaster.id) }
            log.debug("advert", metadata: ["device": "\(broadcaster.id)", "says": "\(message)"])
        case .believed(let broadcaster, let isTriggerBased, _, _):
            supervision.observe(.believed(broadcaster.id, isTriggerBased: isTriggerBased, at: arrival))
        case .unprovenMessage(let message, let broadcaster):
            log.debug(
                "advert, possibly a recording", metadata: ["device": "\(broadcaster.id)", "says": "\(message)"])
        case .unproven(let broadcaster, let counters):
            let wasUnproven = health.conditions.contains(
                HealthCondition(.batteryUnconfirmed, subject: broadcaster.id.text))
            supervision.observe(BroadcasterObservation.unproven(broadcaster.id, at: arrival))
            log.log(
                level: wasUnproven ? .debug : .warning,
                "an advert counts anew: a changed battery, or a recording; it may call for help and not cancel",
                metadata: [
                    "device": "\(broadcaster.id)", "counter": "\(counters.unproven.map(String.init) ?? "")",
                    "last": "\(counters.last.map(String.init) ?? "")",
                ])
        case .refused(let reason, let broadcaster):
            let wasRefused = health.conditions.contains(
                HealthCondition(.advertsRefused, subject: broadcaster.id.text))
            supervision.observe(.refused(broadcaster.id, at: arrival))
            log.log(
                level: wasRefused ? .debug : .warning, "an advert is not believed",
                metadata: ["device": "\(broadcaster.id)", "reason": "\(reason)"])
        }
    }

    /// Replaces the broadcasters. Blocking I/O.
    func replace(_ wearables: [GatewaySettings.Wearable]) {
        var heard: [(device: DeviceID, isTriggerBased: Bool, at: BootInstant)] = []
        do throws(SettingsError) {
            // The reload has read the keys a moment ago, and would have been refused.
            let broadcasters = try Broadcaster.all(in: wearables)
            heard = state.withLock { machine in
                let replacement = machine.replace(broadcasters, wearables)
                if let memories = replacement.memories { writer.keep(memories) }
                return replacement.heard
            }
        } catch {
            log.error("advertising wearables stay as they were", metadata: ["reason": "\(error)"])
        }
        supervision.observe(BroadcasterObservation.replaced(state.expected(of: wearables), at: Clock.boot()))
        for (device, isTriggerBased, arrival) in heard {
            supervision.observe(.believed(device, isTriggerBased: isTriggerBased, at: arrival))
        }
    }

    /// Confirms a battery change: the frames of the broadcaster count from the newest one on, also to cancel.
    ///
    /// - Returns: whether there was a frame that a changed battery explains.
    func confirmBattery(of device: DeviceID) -> Bool {
        let isConfirmed = state.withLock { machine in
            guard let memories = machine.confirmBattery(of: device) else { return false }
            writer.keep(memories)
            return true
        }
        if isConfirmed { supervision.observe(.batteryConfirmed(device, at: Clock.boot())) }
        return isConfirmed
    }
}

extension BroadcasterMessage {
    /// Name of the event, as `[wearable.signals]` has it; nil for a state.
    fileprivate var event: String? {
        switch self {
        case .button: WearableAbilities.press
        case .vibration: "vibration"
        case .motion: "motion"
        case .moving: "moving"
        case .battery, .batteryLow: nil
        }
    }
}
