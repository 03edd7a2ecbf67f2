import Alarms
import Ciphers
import GatewayModel
import Hub
import Logging
import RealTime
import SOSLocal
import Settings
import Synchronization
import Vault
import Wearables
import WireFormats

// Wearables that only advertise: what is heard of them, by whichever way, and where it goes.
extension Gateway {
    /// What the run before has kept of them. Where that cannot be read, recordings count as new until each has
    /// been heard once, and the log says so.
    static func hearing(
        _ beacons: [Beacon], _ wearables: [GatewaySettings.Wearable], _ file: BeaconMemories,
        _ damage: StateDamage, _ log: Logger
    ) -> BeaconHearing {
        var memories: [BeaconMemory] = []
        do throws(DiskFailure) {
            let (found, unreadable) = try file.load()
            memories = found
            if unreadable > 0 {
                damage.report(.broadcasters, because: "\(unreadable) lines cannot be read and are left out")
            }
        } catch {
            if error.isDamage { damage.report(.broadcasters, error) }
            log.error("what was heard by advertising cannot be restored", metadata: ["reason": "\(error)"])
        }
        return BeaconHearing(beacons, wearables, memories: memories, cipher: OpenSSLCipher())
    }

    /// One for each radio that listens. Each hears all that is wanted: while one does, nobody's call is missed.
    func makeAdverts(reportingTo supervisor: Supervisor, fallback: AdvertFallback) -> [AdvertService] {
        settings.listeners.enumerated().map { number, adapter in
            makeAdverts(Listener(number: number, adapter: adapter), reportingTo: supervisor, fallback: fallback)
        }
    }

    private struct Listener {
        /// By which its hits name it.
        let number: Int
        let adapter: String?

        var antenna: UInt8 { UInt8(clamping: number) }
    }

    private func makeAdverts(
        _ listener: Listener, reportingTo supervisor: Supervisor, fallback: AdvertFallback
    ) -> AdvertService {
        AdvertService(adapter: listener.adapter, wanted: wanted.filter) { [self] adverts in
            // A call for help first, then the race.
            for advert in adverts where advert.match.contains(.btHome) {
                for data in advert.serviceData {
                    heard(data, from: advert.address.deviceAddress, at: advert.arrival, supervisor)
                }
            }
            let tags = adverts.filter { $0.match != .btHome }
            if !tags.isEmpty { race.inbox.put(tags, antenna: listener.antenna) }
        } onEvent: { [self] event in
            heard(event, listener, fallback)
        } onFailure: { [self] reason in
            canHear(false, listener, fallback)
            log.error("adverts cannot be listened to", metadata: ["reason": "\(reason)"])
        }
    }

    /// Whether some wearable is heard by advertising, or a radio is there for nothing else.
    static func needsBTHome(
        _ wearables: [GatewaySettings.Wearable], _ bluetooth: GatewaySettings.Bluetooth
    ) -> Bool {
        bluetooth.tracksideAdapter != nil || wearables.contains { $0.heardBy == .advertising }
    }

    func expectedBeacons(_ wearables: [GatewaySettings.Wearable]) -> [DeviceID: BeaconSupervision.Expected] {
        beacons.withLock { hearing in
            var expected: [DeviceID: BeaconSupervision.Expected] = [:]
            for wearable in wearables where wearable.heardBy == .advertising {
                expected[wearable.id] = BeaconSupervision.Expected(
                    silence: wearable.silence, sendsRegularly: hearing.sendsRegularly(wearable.id))
            }
            return expected
        }
    }

    // MARK: Any thread that hears

    /// Service data of one advert. By two ways at once it counts once: the guards against repetition see both.
    func heard(
        _ serviceData: [UInt8], from sender: DeviceAddress, at arrival: BootInstant, _ supervisor: Supervisor
    ) {
        var random = SystemRandomNumberGenerator()
        let moment = Moment(boot: arrival, wall: Clock.wall())
        let outcome = beacons.withLock { hearing in
            let outcome = hearing.hear(serviceData, from: sender, at: moment, using: &random)
            // First, and before anything else looks at it.
            for signal in outcome.signals { inbox.submit(.signal(signal), at: arrival) }
            for press in outcome.cancels { cancel(press) }
            // Within the lock: of two, the newer one is kept last.
            if let memories = outcome.memories { keeper.keep(memories) }
            return outcome
        }
        for signal in outcome.signals {
            log.notice(
                "signal of a wearable",
                metadata: ["device": "\(signal.device)", "kind": "\(signal.kind.rawValue)"])
        }
        for finding in outcome.findings { note(finding, at: arrival, supervisor) }
    }

    private func note(_ finding: BeaconListener.Finding, at arrival: BootInstant, _ supervisor: Supervisor) {
        switch finding {
        case .word(.battery(let percent), let beacon):
            supervisor.noteBeacon { $0.battery(beacon.id, percent: percent, at: arrival) }
        case .word(.batteryLow(let isLow), let beacon):
            supervisor.noteBeacon { $0.battery(beacon.id, isLow: isLow, at: arrival) }
        case .word(let word, let beacon):
            log.debug("advert", metadata: ["device": "\(beacon.id)", "says": "\(word)"])
        case .believed(let beacon, let isTriggerBased, _, _):
            supervisor.noteBeacon { $0.believed(beacon.id, isTriggerBased: isTriggerBased, at: arrival) }
        case .unprovenWord(let word, let beacon):
            log.debug("advert, possibly a recording", metadata: ["device": "\(beacon.id)", "says": "\(word)"])
        case .unproven(let beacon, let counters):
            let wasUnproven = health.conditions.contains(
                HealthCondition(.batteryUnconfirmed, subject: beacon.id.text))
            supervisor.noteBeacon { $0.unproven(beacon.id, at: arrival) }
            log.log(
                level: wasUnproven ? .debug : .warning,
                "an advert counts anew: a changed battery, or a recording; it may call for help and not cancel",
                metadata: [
                    "device": "\(beacon.id)", "counter": "\(counters.unproven.map(String.init) ?? "")",
                    "last": "\(counters.last.map(String.init) ?? "")",
                ])
        case .refused(let reason, let beacon):
            let wasRefused = health.conditions.contains(
                HealthCondition(.advertsRefused, subject: beacon.id.text))
            supervisor.noteBeacon { $0.refused(beacon.id, at: arrival) }
            log.log(
                level: wasRefused ? .debug : .warning, "an advert is not believed",
                metadata: ["device": "\(beacon.id)", "reason": "\(reason)"])
        }
    }

    // MARK: Control thread

    /// `devices battery`: its frames count from the newest one on, also to cancel.
    func confirmBattery(_ request: ControlRequest, _ supervisor: Supervisor) -> ControlReply {
        guard let device = request.subject.flatMap(DeviceID.init),
            roster.wearables.contains(where: { $0.id == device && $0.heardBy == .advertising })
        else {
            return .refused("no wearable of this id is heard by advertising; see: homegateway devices list")
        }
        let isConfirmed = beacons.withLock { hearing in
            guard let memories = hearing.confirmBattery(of: device) else { return false }
            keeper.keep(memories)
            return true
        }
        guard isConfirmed else {
            return .refused(
                "\(device): no advert counts anew, so nothing waits for this; after a change of its battery, press "
                    + "its button near the box, then do this again")
        }
        supervisor.noteBeacon { $0.batteryConfirmed(device, at: Clock.boot()) }
        log.notice(
            "a battery change is confirmed",
            metadata: ["device": "\(device)", "by": "\(Self.name(of: request))"])
        return .done("\(device): the battery change is confirmed; it can cancel again")
    }

    // MARK: "hci" thread

    private func heard(_ event: HCIScanEvent, _ listener: Listener, _ fallback: AdvertFallback) {
        switch event {
        case .scanning(let adapter):
            log.info("listening for adverts", metadata: ["adapter": "\(adapter)"])
            canHear(true, listener, fallback)
        case .listening(let adapter, _):
            log.info("listening for adverts in another's scan", metadata: ["adapter": "\(adapter)"])
            canHear(true, listener, fallback)
        case .silent(let adapter):
            log.notice("no advert of anybody for half a minute", metadata: ["adapter": "\(adapter)"])
        case .unavailable(let obstacle):
            log.warning(
                "adverts cannot be heard directly",
                metadata: ["reason": "\(obstacle.reason)", "remedy": "\(obstacle.remedy)"])
            canHear(false, listener, fallback)
        case .lost(let packets):
            log.warning("adverts came faster than they were read", metadata: ["lost": "\(packets)"])
        case .malformed(let events):
            log.debug("adverts that cannot be read", metadata: ["count": "\(events)"])
        }
    }

    /// Wearables are then looked for through bluetoothd; a tag that passes needs each of its adverts.
    private func canHear(_ isDirect: Bool, _ listener: Listener, _ fallback: AdvertFallback) {
        fallback.scanner(listener.number, isDeaf: !isDirect)
        race.inbox.put(.scanner(listener.antenna, canHear: isDirect))
    }

    // MARK: Any thread that asks

    /// For `status`; nothing where nothing is listened for.
    var advertLines: [String] {
        guard wanted.needsBTHome else { return [] }
        let counts = beacons.withLock(\.counts)
        let way =
            health.conditions.contains(HealthCondition(.advertsLessSure)) ? "through bluetoothd" : "directly"
        return [
            "adverts heard \(way): \(counts.known) of known wearables, \(counts.strangers) of other BTHome devices"
        ]
    }
}
