package import Alarms
package import ControlContract
package import GatewayModel
package import Hub
package import Logging
package import OutboxService
package import Positioning
import RealTime
package import ServiceLifecycle
package import Settings
import Systemd
package import Vault
package import Wearables

/// Readings, signals and positions of the house: the radio, the scanners and the positioning receiver that bring them, and
/// the pipelines that hand them on. SOS comes first in each pipeline.
package final class ReadingService: Capability {
    package static let names = CapabilityNames(
        settings: ["bluetooth", "gpsd", "wearable"],
        conditions: [
            .advertsLessSure, .bluetoothHung, .bluetoothUnavailable, .positionUnavailable, .radioDeaf,
            .undecodableReadings, .wearableUserUnnamed,
        ], topics: ["parties", "samples"])

    /// Parts of the gateway that readings and positions reach after SOS, supervision and the feed, and before the cloud; in
    /// the order of each list.
    package struct Consumers: Sendable {
        package var readings: [(any ReadingConsumer)?]
        package var positions: [any PositionConsumer]
        package var tags: any TagAdvertConsumer
        /// Satellite time, on the gpsd thread.
        package var time: @Sendable (SatelliteTime) -> Void

        package init(
            readings: [(any ReadingConsumer)?], positions: [any PositionConsumer], tags: any TagAdvertConsumer,
            time: @escaping @Sendable (SatelliteTime) -> Void
        ) {
            self.readings = readings
            self.positions = positions
            self.tags = tags
            self.time = time
        }
    }

    package let adverts: AdvertSelection
    /// Way of the readings, for those that another part of the gateway receives.
    package let pipeline: ReadingPipeline
    private let radio: WearableRadio
    private let scanners: AdvertScanners
    private let position: PositionFeed?
    private let state: ReadingState
    private let broadcasters: BroadcasterService
    private let fallback: AdvertFallback
    private let hearing: RadioHearing
    private let supervision: any WearableObserver
    private let openAlarms: OpenAlarms
    private let bluetooth: GatewaySettings.Bluetooth
    private let unnamed = UnnamedMeasurements()
    private let core: GatewayCore

    /// - Parameters:
    ///   - openAlarms: readings of a person with an open alarm do not wait for others.
    ///   - sampleInterval: returns the shortest time between two readings of a kind that are sent; asked for each reading.
    package init(
        _ core: GatewayCore, sos: SOSInbox, supervision: any WearableObserver, consumers: Consumers,
        state: ReadingState, openAlarms: OpenAlarms,
        sampleInterval: @escaping @Sendable (QuantityKind, GatewaySettings.Person) -> Duration
    ) throws {
        let (settings, health, log) = (core.settings(), core.health, core.log)
        let radioInbox = state.radioInbox
        let signals = SignalPipeline(
            sos: sos, nameOfPerson: { id in core.settings().persons.first { $0.id == id }?.profile.name },
            log: log)
        let positions = PositionPipeline(
            sos: sos, health: health, log: log, others: [FixFeed(core.feed)] + consumers.positions)
        broadcasters = BroadcasterService(
            state: state.broadcasters, signals: signals, supervision: supervision, writer: core.writer,
            abilities: state.abilities, health: health, log: log)
        let pipeline = ReadingPipeline(
            sos: sos, roster: core.roster, supervision: supervision,
            others: [state.lastReadings, DecodingHealth(health), ReadingFeed(core.feed)]
                + consumers.readings.compactMap { $0 } + [
                    ReadingPublisher(
                        core, openAlarms: openAlarms, limits: sos.limits, sampleInterval: sampleInterval)
                ])
        self.pipeline = pipeline
        let events = WearableEventHandler(
            readings: pipeline,
            positions: positions, signals: signals, broadcasters: broadcasters, supervision: supervision,
            toldRecords: state.seenRecords, abilities: state.abilities, unnamed: unnamed, health: health,
            log: log)
        radio = try WearableRadio(
            bus: BusAddress(settings.bluetooth.bus), adapter: settings.bluetooth.adapter,
            wearables: Self.connected(settings.wearables), inbox: radioInbox, gateway: settings.gateway.id,
            told: state.seenRecords.marks, mayRestartBluetooth: settings.bluetooth.mayRestartBluetooth
        ) { events.handle($0) }
        fallback = AdvertFallback(
            isNeeded: settings.wearables.contains { $0.heardBy == .advertising },
            scanners: settings.listeners.count
        ) {
            radioInbox.hearAdverts($0)
        } report: {
            health.set(HealthCondition(.advertsLessSure), $0)
        }
        hearing = RadioHearing(scanners: settings.listeners.count, health: health) {
            RadioHearing.Expectation(state.broadcasters.expected(of: core.roster.wearables))
        }
        scanners = AdvertScanners(
            adapters: settings.listeners, broadcasters: broadcasters, signals: state.advertSignals,
            tags: consumers.tags, fallback: fallback, hearing: hearing, log: log)
        adverts = AdvertSelection(
            needsBTHome: Self.needsBTHome(settings.wearables, settings.bluetooth), scanners: scanners.services)
        position = try Self.positionFeed(settings.gpsd, positions, consumers.time, health)
        (self.core, self.state) = (core, state)
        self.supervision = supervision
        self.openAlarms = openAlarms
        bluetooth = settings.bluetooth
    }

    private static func positionFeed(
        _ gpsd: GatewaySettings.GPSD, _ positions: PositionPipeline,
        _ onTime: @escaping @Sendable (SatelliteTime) -> Void, _ health: HealthBoard
    ) throws -> PositionFeed? {
        guard gpsd.isEnabled else { return nil }
        health.set(HealthCondition(.positionUnavailable), true)
        return try PositionFeed(
            host: gpsd.host, port: UInt16(gpsd.port), onEvent: { positions.consume($0) }, onTime: onTime)
    }

    // MARK: Wearables

    /// Hands changed wearables to supervision, the radio and the scanners. Blocking I/O.
    package func replace(_ wearables: [GatewaySettings.Wearable]) {
        state.abilities.replace(wearables)
        broadcasters.replace(wearables)
        changeAdverts { $0.setNeedsBTHome(Self.needsBTHome(wearables, bluetooth)) }
        fallback.need(wearables.contains { $0.heardBy == .advertising })
        hearing.settle()
        state.radioInbox.replace(wearables: Self.connected(wearables))
        supervision.observe(WearableObservation.replaced(wearables.rhythms, at: Clock.boot()))
    }

    /// Begins or ends a search for broadcasters that are no wearables of the house yet. The wearables are heard as before, and no
    /// condition depends on it. From any thread.
    package func setSearching(_ isOn: Bool) {
        if isOn { state.broadcasters.beginSearch() } else { state.broadcasters.endSearch() }
        changeAdverts { $0.setSearching(isOn) }
        fallback.setSearching(isOn)
    }

    private func changeAdverts(_ change: (AdvertSelection) -> Void) {
        let wasIdle = adverts.isIdle
        change(adverts)
        if wasIdle, !adverts.isIdle { hearing.restart() }
    }

    /// Wearables that the radio connects to.
    private static func connected(_ wearables: [GatewaySettings.Wearable]) -> [Wearable] {
        wearables.filter { $0.heardBy == .connection }.map(Wearable.init)
    }

    /// Whether some wearable is a broadcaster, or a radio is there for nothing else.
    private static func needsBTHome(
        _ wearables: [GatewaySettings.Wearable], _ bluetooth: GatewaySettings.Bluetooth
    ) -> Bool {
        bluetooth.tracksideAdapter != nil || wearables.contains { $0.heardBy == .advertising }
    }

    // MARK: Capability

    package var services: [any Service] {
        let receiver = position.map { ThreadService(run: $0.run, stop: $0.stop) }
        return [receiver].compactMap { $0 } + [ThreadService(run: radio.run, stop: radio.stop)]
            + scanners.services
    }

    /// Keeps the marks of the records that were told, once each of those records is durable in the outbox.
    package var careTasks: [CareTask] {
        [
            CareTask { [self] now in
                let told = state.seenRecords.due(at: now.boot, isAllKept: core.queue.undurable == 0)
                if let told { core.writer.keep(told) }
            }
        ]
    }

    /// Keeps the last state of the broadcasters and of the records. To be called when nothing is heard any more.
    package func keepState() {
        core.writer.keep(state.broadcasters.memories)
        if core.queue.undurable == 0, let told = state.seenRecords.last { core.writer.keep(told) }
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.ConfirmBattery.self) { [self] in $1(confirmBattery($0)) },
            ControlHandler(Verb.NameMeasurer.self) { [self] in $1(nameMeasurer($0)) },
            ControlHandler(Verb.Buzz.self) { [self] in buzz($0.device, $1) },
        ]
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        let abilities = state.abilities.abilities
        let settings = core.settings()
        let wearables = core.roster.wearables
        snapshot.devices = wearables.map { wearable in
            var device = HouseSnapshot.Device(
                id: wearable.id, person: wearable.person, address: wearable.address,
                heardBy: wearable.heardBy.rawValue, kinds: abilities[wearable.id]?.kinds,
                lastReadingAge: state.lastReadings.age(of: wearable.id, at: now.boot))
            device.uses = abilities[wearable.id].map {
                KindUse.all(of: wearable, measuring: $0.kinds, among: wearables, of: settings.persons)
            }
            device.isAddedHere = wearable.place.file == settings.devicesFile
            return device
        }
        snapshot.readings = state.lastReadings.all.map { HouseSnapshot.LatestReading($0, at: now.boot) }
        let waiting = unnamed.waiting(at: now.boot)
        snapshot.unnamedMeasurements = waiting.isEmpty ? nil : waiting
    }

    /// Empty where no broadcaster is listened for.
    package var statusLines: [String] {
        guard adverts.needsBTHome else { return [] }
        let counts = state.broadcasters.counts
        let way =
            core.health.conditions.contains(HealthCondition(.advertsLessSure))
            ? "through bluetoothd" : "directly"
        return [
            "adverts heard \(way): \(counts.known) of known wearables, \(counts.strangers) of other BTHome devices"
        ]
    }

    /// `devices buzz`. Answers on the Bluetooth thread, or at once.
    private func buzz(_ device: DeviceID, _ reply: ControlAnswer<NoDocument>) {
        guard let wearable = core.roster.wearables.first(where: { $0.id == device }) else {
            return reply(
                .refused("\(device): no wearable has this id; see: homegateway devices list", .unknownWearable))
        }
        guard wearable.heardBy == .connection else { return reply(Self.reply(to: .noBuzzer, of: device)) }
        // The radio knows the alarms that it was told of. This one may be open since before a restart.
        guard openAlarms.count == 0 else { return reply(Self.reply(to: .alarmOpen, of: device)) }
        state.radioInbox.buzz(device) { [log = core.log] outcome in
            log.notice(
                "a wearable was to buzz, to be found",
                metadata: ["device": "\(device)", "outcome": "\(outcome)"])
            reply(Self.reply(to: outcome, of: device))
        }
    }

    private static func reply(to outcome: BuzzOutcome, of device: DeviceID) -> ControlReply<NoDocument> {
        switch outcome {
        case .begun: .done("\(device) buzzes for \(BuzzOutcome.duration.components.seconds) s")
        case .notConnected:
            .refused(
                "\(device): not connected; bring it near the box, wear it, and try again in a minute",
                .notConnected)
        case .noBuzzer:
            .refused(
                "\(device): it has no service to buzz on request (Immediate Alert); take it off, and watch the readings "
                    + "to see which one it is: homegateway watch", .cannotBuzz)
        case .alarmOpen:
            .refused(
                "\(device): an alarm is open, and its use of the wearables comes first; try again when it is over",
                .alarmComesFirst)
        case .failed(let reason):
            .refused("\(device): the wearable did not take the request: \(reason); try again", .radioFailed)
        }
    }

    /// "Who has measured?": the readings go their way as readings of the person from now on.
    private func nameMeasurer(_ answer: Verb.NameMeasurer) -> ControlReply<NoDocument> {
        if let person = answer.person, !core.settings().persons.contains(where: { $0.id == person }) {
            return .refused("\(person): no person has this id; see: homegateway status", .unknownPerson)
        }
        let now = Clock.moment()
        guard let readings = unnamed.take(answer.measurement, at: now.boot) else {
            return .refused("no measurement of this id waits for an answer; measure again", .measurementOver)
        }
        core.log.notice(
            "somebody said whose a measurement is",
            metadata: [
                "device": "\(readings[0].device)", "by": "\(answer.caller.name)",
                "is_of_the_house": "\(answer.person != nil)",
            ])
        guard let person = answer.person else {
            return .done("the measurement is of nobody in this house, and is dropped")
        }
        for reading in readings { pipeline.consume(reading.of(person, from: now)) }
        return .done("the measurement counts as \(person)'s")
    }

    /// `devices battery`: a person has changed the battery of a broadcaster.
    private func confirmBattery(_ change: Verb.ConfirmBattery) -> ControlReply<NoDocument> {
        let device = change.device
        guard core.roster.wearables.contains(where: { $0.id == device && $0.heardBy == .advertising }) else {
            return .refused("no wearable of this id is heard by advertising; see: homegateway devices list")
        }
        guard broadcasters.confirmBattery(of: device) else {
            return .refused(
                "\(device): no advert counts anew, so nothing waits for this; after a change of its battery, press "
                    + "its button near the box, then do this again")
        }
        core.log.notice(
            "a battery change is confirmed",
            metadata: ["device": "\(device)", "by": "\(change.caller.name)"])
        return .done("\(device): the battery change is confirmed; it can cancel again")
    }
}

extension [GatewaySettings.Wearable] {
    /// Rhythms that the settings give to the wearables that the radio connects to.
    package var rhythms: [DeviceID: Wearable.Rhythm?] {
        Dictionary(uniqueKeysWithValues: filter { $0.heardBy == .connection }.map { ($0.id, $0.rhythm) })
    }
}

extension SeenRecords {
    /// Restores the marks that the last run kept. Where they cannot be read, wearables' records are published once more,
    /// under the ids that they had. Blocking I/O.
    package static func restored(
        from database: StateDatabase, of devices: [DeviceID], _ log: Logger
    ) -> SeenRecords {
        var kept: [String: [UInt64]] = [:]
        do throws(DiskFailure) {
            for row in try database.rows(of: .seenRecord) { kept[row.key] = row.decoded() }
        } catch {
            log.error(
                "which records of wearables were told cannot be restored", metadata: ["reason": "\(error)"])
        }
        return SeenRecords(kept, of: devices)
    }
}

extension WearableAbilityStore {
    /// Restores the abilities that the earlier runs saw. Where they cannot be read, each wearable shows them again with its
    /// next connection. Blocking I/O.
    package static func restored(
        from database: StateDatabase, of wearables: [GatewaySettings.Wearable], _ writer: StateWriter,
        _ log: Logger
    ) -> WearableAbilityStore {
        var rows: [StateRow] = []
        do throws(DiskFailure) {
            rows = try database.rows(of: .wearableAbility)
        } catch {
            log.error("the abilities of wearables cannot be restored", metadata: ["reason": "\(error)"])
        }
        return WearableAbilityStore(rows, of: wearables) { writer.put($0) }
    }
}
