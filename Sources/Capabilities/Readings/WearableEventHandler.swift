import GatewayModel
import Hub
import Logging
import RealTime
import Synchronization
import Wearables
import WireFormats

/// Handles the events of the radio, on the Bluetooth thread: it hands each to the part that needs it, and returns at once.
final class WearableEventHandler: Sendable {
    private let readings: ReadingPipeline
    private let positions: PositionPipeline
    private let signals: SignalPipeline
    private let broadcasters: BroadcasterService
    private let supervision: any WearableObserver
    private let toldRecords: SeenRecords
    private let abilities: WearableAbilityStore
    private let unnamed: UnnamedMeasurements
    private let health: HealthBoard
    private let log: Logger
    private let callFailures = CallFailures()
    private let ignoredCharacteristics = IgnoredCharacteristics()

    init(
        readings: ReadingPipeline, positions: PositionPipeline, signals: SignalPipeline,
        broadcasters: BroadcasterService, supervision: any WearableObserver, toldRecords: SeenRecords,
        abilities: WearableAbilityStore, unnamed: UnnamedMeasurements, health: HealthBoard, log: Logger
    ) {
        self.readings = readings
        self.positions = positions
        self.signals = signals
        self.broadcasters = broadcasters
        self.supervision = supervision
        self.toldRecords = toldRecords
        self.abilities = abilities
        self.unnamed = unnamed
        self.health = health
        self.log = log
    }

    func handle(_ event: WearableEvent) {
        switch event {
        case .reading(let reading): readings.consume(reading)
        case .position(let position): positions.consume(position)
        case .noFix(let device, let person): positions.consumeLostFix(of: device, worn: person)
        case .signal(let signal):
            signals.submit(signal)
            supervision.observe(.message(signal.device, contact: nil, at: signal.arrival.boot))
            if signal.kind == .sosButton {
                supervision.observe(WearableObservation.pressed(signal.device, at: signal.arrival.boot))
            }
            signals.logSignal(signal)
        case .pressed(let press):
            signals.submit(press)
            supervision.observe(.message(press.device, contact: nil, at: press.arrival.boot))
        case .advertised(let sender, let serviceData, let arrival):
            broadcasters.consume(serviceData, from: sender, at: arrival)
        case .measurementFailed(let device, let characteristic, let reason, let contact):
            supervision.observe(.message(device, contact: contact, at: Clock.boot()))
            log.info(
                "a wearable could not measure",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic)", "reason": "\(reason)",
                ])
        case .unnamedUser(let device, let measured, let arrival):
            unnamed.put(measured)
            supervision.observe(.message(device, contact: nil, at: arrival))
            let isNews = health.set(HealthCondition(.wearableUserUnnamed, subject: device.text), true)
            log.log(
                level: isNews ? .warning : .info, "a measurement of a user whom nobody has named",
                metadata: ["device": "\(device)"])
        case .undecodable(let device, let characteristic, let bytes, let reason):
            log.debug("undecodable bytes", metadata: ["device": "\(device)", "bytes": "\(bytes)"])
            let isNews = health.set(HealthCondition(.undecodableReadings, subject: device.text), true)
            log.log(
                level: isNews ? .warning : .debug, "undecodable notification",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic)", "length": "\(bytes.count)",
                    "reason": "\(reason)",
                ])
        default: handleLink(event)
        }
    }

    /// Handles events of the links to wearables.
    private func handleLink(_ event: WearableEvent) {
        switch event {
        case .connected(let device):
            log.debug("wearable connected", metadata: ["device": "\(device)"])
        case .recognised(let device, let rhythm):
            supervision.observe(.recognised(device, rhythm, at: Clock.boot()))
        case .subscribed(let device, let characteristics):
            callFailures.forget(device, "Connect")
            log.info(
                "wearable subscribed", metadata: ["device": "\(device)", "count": "\(characteristics.count)"])
            abilities.recordConnection(of: device, with: WearableAbilities(of: characteristics))
            let rhythm = Wearable.Rhythm(of: characteristics)
            supervision.observe(.subscribed(device, rhythm, at: Clock.boot()))
        case .unsupported(let device): supervision.observe(.unsupported(device, at: Clock.boot()))
        case .unproven(let device, let characteristic, let limit):
            log.warning(
                "a stream has stopped",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic)",
                    "silent_ms": "\(limit.wholeMilliseconds)",
                ])
            supervision.observe(.proven(device, false, at: Clock.boot()))
        case .proven(let device):
            callFailures.forget(device)
            supervision.observe(.proven(device, true, at: Clock.boot()))
        case .ignored(let device, let characteristic):
            supervision.observe(.ignored(device, at: Clock.boot()))
            log.log(
                level: ignoredCharacteristics.record(device, characteristic) ? .warning : .debug,
                "a notification of a wearable was ignored",
                metadata: [
                    "device": "\(device)", "characteristic": "\(characteristic?.description ?? "not shown")",
                ])
        case .battery(let device, let percent):
            supervision.observe(WearableObservation.battery(device, percent: percent, at: Clock.boot()))
        case .information(let device, let information):
            log.debug(
                "wearable",
                metadata: [
                    "device": "\(device)", "maker": "\(information.manufacturer ?? "-")",
                    "model": "\(information.model ?? "-")", "firmware": "\(information.firmware ?? "-")",
                ])
        case .disconnected(let device, let reason):
            log.notice("wearable disconnected", metadata: ["device": "\(device)", "reason": "\(reason)"])
            supervision.observe(.disconnected(device, at: Clock.boot()))
        case .alerted(let device, let level):
            log.info("wearable alerted", metadata: ["device": "\(device)", "level": "\(level.rawValue)"])
        default: handleRadio(event)
        }
    }

    /// Handles events of the adapter and of bluetoothd.
    private func handleRadio(_ event: WearableEvent) {
        switch event {
        case .recordsTold(let device, let marks): toldRecords.note(marks, of: device)
        case .bluetooth(let isAvailable, let reason):
            callFailures.forget(nil)
            supervision.observe(.bluetoothReported(at: Clock.boot()))
            log.log(level: isAvailable ? .info : .warning, "bluetooth", metadata: ["state": "\(reason)"])
            health.set(HealthCondition(.bluetoothUnavailable), !isAvailable)
        case .suspicion(let reason):
            if let reason { log.warning("bluetooth is suspect", metadata: ["reason": "\(reason)"]) }
            health.set(HealthCondition(.bluetoothHung), reason != nil)
        case .recovering(let stage):
            log.warning("trying to recover bluetooth", metadata: ["stage": "\(stage)"])
        case .callFailed(let device, let call, let error, let kind, let retryIn):
            log.log(
                level: callFailures.record(device, call, kind) ? .notice : .debug, "bluetooth call failed",
                metadata: [
                    "device": "\(device?.text ?? "-")", "call": "\(call)", "error": "\(error)",
                    "retry_in_ms": "\(retryIn.wholeMilliseconds)",
                ])
        default: break
        }
    }
}

/// Characteristics with ignored notifications that the log has named already.
private final class IgnoredCharacteristics: Sendable {
    private struct Key: Hashable {
        let device: DeviceID
        let characteristic: BluetoothUUID?
    }

    private let known = Mutex<Set<Key>>([])

    /// - Returns: whether it is the first of them.
    func record(_ device: DeviceID, _ characteristic: BluetoothUUID?) -> Bool {
        known.withLock { $0.insert(Key(device: device, characteristic: characteristic)).inserted }
    }
}

extension WearableAbilities {
    /// Abilities of a device with these characteristics.
    fileprivate init(of characteristics: [BluetoothUUID]) {
        self.init(
            kinds: GATTService.kinds(of: characteristics),
            streams: GATTService.kinds(of: characteristics, by: .stream),
            events: characteristics.contains(.tagButton) ? [Self.press] : [])
    }
}
