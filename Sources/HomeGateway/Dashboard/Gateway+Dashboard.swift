import Contract
import GatewayModel
import Hub
import Logging
import MQTTBridge
import OutboxService
import RealTime
import ServiceLifecycle
import Settings

/// The second session, with the broker of the home's own dashboard. None of it reaches the TrackMe broker.
extension Gateway {
    /// Nil where the home has none.
    func makeDashboardService() -> BrokerService? {
        guard let dashboard, let settings = settings.homeAssistant else { return nil }
        return BrokerService(dashboard.broker) { [self] in
            try makeSession(of: dashboard, settings)
        } onFailure: { [self] reason in
            health.set(HealthCondition(.dashboardUnreachable), dashboard.isShown)
            log.error("no session with the dashboard can be made", metadata: ["reason": "\(reason)"])
        }
    }

    private func makeSession(
        of dashboard: Dashboard, _ home: GatewaySettings.HomeAssistant
    ) throws -> BrokerSession {
        var broker = try BrokerSettings(home.broker, clientID: "\(settings.gateway.id)-dashboard")
        broker.sessionExpiry = .zero
        broker.will = { dashboard.will }
        return try BrokerSession(
            settings: broker, subscriptions: dashboard.subscriptions, isolation: .ownProgram,
            source: dashboard,
            receive: { message in
                dashboard.received(message)
                return .kept
            }, onEvent: { [self] event in heard(event, of: dashboard) })
    }

    /// Once a second: what is to be shown no more is taken back, and where all is, the session ends.
    func lookAfterDashboard(at now: BootInstant) {
        guard let dashboard else { return }
        dashboard.look(at: now, wearables: roster.wearables)
        dashboard.broker.setOpen(dashboard.wantsSession)
        if !dashboard.isShown { health.set(HealthCondition(.dashboardUnreachable), false) }
    }

    /// On the thread of the dashboard's broker.
    private func heard(_ event: BrokerEvent, of dashboard: Dashboard) {
        let condition = HealthCondition(.dashboardUnreachable)
        switch event {
        case .connected(let welcome):
            dashboard.connected()
            health.set(condition, false)
            log.notice("dashboard connected", metadata: ["broker": "\(welcome.broker)"])
        case .disconnected(let reason, _), .refused(_, let reason, _), .sessionTaken(let reason, _):
            // Where it is only to be emptied, nobody misses anything.
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
