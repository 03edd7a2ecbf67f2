import Consent
import Contract
import GatewayModel
import Logging
import MQTTBridge
import Positioning
import RealTime
import SOSLocal
import ServiceLifecycle
import Settings
import Systemd
import UnixSignals
import Vault
import Wearables

extension Gateway {
    /// An orderly stop has 5 s (the unit's `TimeoutStopSec=` is a little more); what is not done by
    /// then is cut off.
    private static let longestStop = Duration.milliseconds(4_500)

    /// Runs every service until SIGTERM or SIGINT, then stops them in order and keeps what is unsent.
    ///
    /// Errors: whatever kept a part from being made (a socket that is taken, TLS files that cannot be
    /// used); nothing has been started then.
    func run() async throws {
        restoreUnsent()
        let engine = try makeEngine()
        let supervisor = makeSupervisor(watching: engine)
        let broker = try makeBroker()
        let control = try ControlServer(path: settings.gateway.controlSocket, feed: feed) { [self] in
            answer($0, broker, $1)
        }
        // Stopped from the last to the first: no more input, then the last dispatch, then the broker.
        var services: [any Service] = [
            broker,
            ThreadService(run: dispatcher.run, stop: dispatcher.stop),
            ThreadService(run: annunciator.run, stop: annunciator.stop),
            ThreadService(run: engine.run, stop: engine.stop),
            ThreadService(run: control.run, stop: control.stop),
        ]
        if let position = try makePosition() { services.append(position) }
        services += [try makeRadio(reportingTo: supervisor), supervisor]
        health.set(HealthCondition(.nothingAccepted), !gate.isAnythingAccepted)
        log.notice("started", metadata: ["version": "\(Self.version)", "gateway": "\(settings.gateway.id)"])
        defer { keepUnsent() }
        try await group(of: services).run()
    }

    private func group(of services: [any Service]) -> ServiceGroup {
        var configuration = ServiceGroupConfiguration(
            services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: log)
        configuration.maximumGracefulShutdownDuration = Self.longestStop
        return ServiceGroup(configuration: configuration)
    }

    // MARK: Parts

    private func makeEngine() throws -> SOSEngine {
        let machine = SOSMachine(
            plans: settings.persons.map(\.plan), installed: settings.installed, startingAt: Clock.boot())
        return try SOSEngine(machine: machine, inbox: inbox) { [self] action, instant in
            perform(action, at: instant)
        } onPriority: { [health] failure in
            health.set(HealthCondition(.realtimeUnavailable), failure != nil)
        }
    }

    private func makeSupervisor(watching engine: SOSEngine) -> Supervisor {
        Supervisor(
            supervision: WearableSupervision(
                wearables: Dictionary(uniqueKeysWithValues: settings.wearables.map { ($0.id, nil) }),
                startingAt: Clock.boot()),
            surroundings: Supervisor.Surroundings(
                completedRounds: { engine.completedRounds }, set: { [health] in health.set($0, $1) },
                summary: { [self] in summary }))
    }

    private func makeRadio(reportingTo supervisor: Supervisor) throws -> ThreadService {
        let wearables = settings.wearables.map { Wearable(id: $0.id, address: $0.address, person: $0.person) }
        let radio = try WearableRadio(
            bus: BusAddress(settings.bluetooth.bus), adapter: settings.bluetooth.adapter, wearables: wearables
        ) {
            [self] event in heard(event, supervisor)
        }
        return ThreadService(run: radio.run, stop: radio.stop)
    }

    private func makePosition() throws -> ThreadService? {
        guard settings.gpsd.isEnabled else { return nil }
        let feed = try PositionFeed(host: settings.gpsd.host, port: UInt16(settings.gpsd.port)) {
            [self] event in
            located(event)
        }
        return ThreadService(run: feed.run, stop: feed.stop)
    }

    private func makeBroker() throws -> BrokerService {
        let settings = try BrokerSettings(from: settings)
        // Made once here so that settings that cannot work stop the start, not a later moment.
        _ = try session(with: settings)
        return BrokerService(isOpen: gate.isAnythingAccepted, queue: queue) { [self] in
            try session(with: settings)
        }
    }

    private func session(with settings: BrokerSettings) throws -> BrokerSession {
        var settings = settings
        settings.will = try? gate.clear(Self.status(.offline, [], topics))
        return try BrokerSession(settings: settings, subscriptions: [topics.acceptedFilter], source: queue) {
            [self] event in broker(event)
        }
    }

    // MARK: Unsent messages

    private func restoreUnsent() {
        do throws(Spool.Failure) {
            let (envelopes, unreadable) = try spool.load()
            queue.restore(envelopes)
            if !envelopes.isEmpty {
                log.notice("unsent messages restored", metadata: ["count": "\(envelopes.count)"])
            }
            if unreadable > 0 {
                log.error(
                    "unsent messages that cannot be read are left out",
                    metadata: ["count": "\(unreadable)", "file": "\(spool.path)"])
            }
        } catch {
            log.error("unsent messages cannot be restored", metadata: ["reason": "\(error)"])
        }
    }

    private func keepUnsent() {
        let unsent = queue.unsent.filter { $0.disclosure != .gateway }
        do throws(Spool.Failure) {
            try spool.save(unsent)
            log.notice("stopped", metadata: ["unsent_kept": "\(unsent.count)"])
        } catch {
            log.critical(
                "unsent messages are lost", metadata: ["count": "\(unsent.count)", "reason": "\(error)"])
        }
    }
}
