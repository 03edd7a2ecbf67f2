import Contract
package import ControlContract
package import GatewayModel
package import Hub
import Logging
import MQTTBridge
package import OutboxService
import RealTime
package import ServiceLifecycle
import Settings

/// Session with the broker of the home's own dashboard. None of it reaches the TrackMe broker.
package final class DashboardSession: Capability, ReadingConsumer, StateConsumer {
    package static let names = CapabilityNames(
        settings: ["home_assistant"], conditions: [.dashboardUnreachable])

    private let dashboard: Dashboard
    private let home: GatewaySettings.HomeAssistant
    private let gateway: GatewayID
    private let roster: DeviceRoster
    private let health: HealthBoard
    private let log: Logger

    /// Nil where the home has no dashboard.
    package init?(_ core: GatewayCore) {
        let settings = core.settings()
        guard let home = settings.homeAssistant else { return nil }
        self.home = home
        gateway = settings.gateway.id
        dashboard = Dashboard(home, of: settings, version: core.version, gate: core.gate)
        (roster, health, log) = (core.roster, core.health, core.log)
    }

    package var services: [any Service] {
        [
            BrokerService(dashboard.broker) { [self] in
                try makeSession()
            } onFailure: { [self] reason in
                health.set(HealthCondition(.dashboardUnreachable), dashboard.isShown)
                log.error("no session with the dashboard can be made", metadata: ["reason": "\(reason)"])
            }
        ]
    }

    /// Shows a reading; a value that its sensor disowns is not shown. From any thread; returns at once.
    package func consume(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        dashboard.heard(reading)
    }

    /// Shows the states, removes the entities that must not be shown any more, and ends the session where none is left.
    package func consume(_ state: () -> HouseSnapshot, at now: Moment) {
        dashboard.look(at: now.boot, wearables: roster.wearables) { state().dashboardFacts }
        dashboard.broker.setOpen(dashboard.wantsSession)
        if !dashboard.isShown { health.set(HealthCondition(.dashboardUnreachable), false) }
    }

    private func makeSession() throws -> BrokerSession {
        var broker = try BrokerSettings(home.broker, clientID: "\(gateway)-dashboard")
        broker.sessionExpiry = .zero
        broker.will = { [dashboard] in dashboard.will }
        return try BrokerSession(
            settings: broker, subscriptions: dashboard.subscriptions, isolation: .ownProgram,
            source: dashboard,
            receive: { [dashboard] message in
                dashboard.received(message, at: Clock.boot())
                return .kept
            }, onEvent: { [self] in handle($0) })
    }

    /// On the thread of the dashboard's broker.
    private func handle(_ event: BrokerEvent) {
        let condition = HealthCondition(.dashboardUnreachable)
        switch event {
        case .connected(let welcome):
            dashboard.connected()
            health.set(condition, false)
            log.notice("dashboard connected", metadata: ["broker": "\(welcome.broker)"])
        case .disconnected(let reason, _), .refused(_, let reason, _), .sessionTaken(let reason, _):
            // No condition while the dashboard is only to be emptied.
            let isNews = health.set(condition, dashboard.isShown)
            log.log(
                level: isNews ? .notice : .debug, "dashboard not connected", metadata: ["reason": "\(reason)"])
        case .subscribed(dashboard.topics.configFilter): dashboard.subscribed(at: Clock.boot())
        case .subscribed, .held: break
        case .subscriptionRefused(let topic, let reason):
            log.error(
                "the dashboard's broker refuses a subscription: what was shown cannot be taken back",
                metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        case .fault(let fault, let count):
            log.debug(
                "the dashboard's broker sends what it must not",
                metadata: ["fault": "\(fault.rawValue)", "count": "\(count)"])
        }
    }
}
