import Alarms
import Consent
import Contract
import GatewayModel
import Hub
import Logging
import OutboxService
import Readings
import RealTime
import SOSLocal
import Settings
import SettingsService
import Supervision

// What the command line asks for, on the control thread.
extension Gateway {
    func answer(
        _ request: ControlRequest, by capabilities: [any Capability], _ devices: DeviceReload,
        _ race: RaceService,
        _ reply: @escaping ControlAnswer
    ) {
        for capability in capabilities {
            if let handle = capability.controls[request.verb] { return handle(request, reply) }
        }
        switch request.verb {
        case .status:
            inbox.inspect(at: Clock.boot()) { [self] alarms in
                reply(
                    ControlReply(
                        isDone: true,
                        lines: OpenAlarmLines(alarms).lines + statusLines(of: capabilities) + raceLines(race)))
            }
        case .reload: devices.answer(reply)
        case .raceSelfTest: testHearing(request, reply)
        case .runs: showRuns(request, reply)
        case .positions: showPositions(request, race, reply)
        case .reloadRuns: reloadRuns(reply)
        case .runnerVitals: showVitals(request, reply)
        case .watch: reply(.refused("watch is a stream"))
        case .confirmBattery, .reloadSettings, .abort, .resolve, .exercise, .drill, .accept, .refuse, .withdraw,
            .consents, .consentRequest, .consentHistory, .history, .rotateHistoryKey, .myData, .eraseMyData:
            reply(.refused("\(request.verb.rawValue) is not served"))
        }
    }

    // MARK: Status

    /// Sends a new watcher the open alarms and the conditions that hold.
    func greet(_ watcher: @escaping @Sendable ([FeedEvent]) -> Void) {
        inbox.inspect(at: Clock.boot()) { [health] alarms in
            let now = Clock.moment()
            watcher(
                OpenAlarmLines(alarms).events(at: now)
                    + health.conditions.map { .health($0, isRaised: true, at: now) })
        }
    }

    private func statusLines(of capabilities: [any Capability]) -> [String] {
        let conditions = health.conditions
        let health = conditions.map { condition in
            let declaration = condition.code.declaration
            let subject = condition.subject.map { " (\($0))" } ?? ""
            let reason =
                self.health.reason(of: condition).map { ": \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" }
                ?? ""
            return "[\(declaration.severity.rawValue)] \(declaration.title)\(subject)\(reason)."
                + "\(condition.damageWords) \(declaration.remedy)"
        }
        return ["homegateway \(Self.version), gateway \(settings.gateway.id)", summary]
            + (health.isEmpty ? ["everything works"] : health)
            + capabilities.flatMap(\.statusLines)
    }

    /// One line for systemd: names nobody.
    var summary: String {
        let conditions = health.conditions
        let isImpaired = conditions.contains { $0.code.declaration.severity == .supervision }
        let supervision =
            isImpaired ? "supervision is paused or impaired" : "watching \(roster.wearables.count) wearables"
        return "\(supervision); \(conditions.count) conditions; \(queue.count) unsent"
    }
}
