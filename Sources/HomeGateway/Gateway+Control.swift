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
        case .abort: act(on: request, "cancelled", reply) { .abort($0, $1) }
        case .resolve: act(on: request, "resolved", reply) { .resolve($0, $1) }
        case .accept, .refuse, .withdraw: decide(request, reply)
        case .consents: reply(ControlReply(isDone: true, lines: consentLines + requestLines))
        case .consentRequest: showRequest(request, reply)
        case .consentHistory: showHistory(of: request, reply)
        case .reload: devices.answer(reply)
        case .exercise: exercise(request, reply)
        case .drill: drill(request, reply)
        case .history: history(request, reply)
        case .rotateHistoryKey: rotateHistoryKey(reply)
        case .myData: myData(request, reply)
        case .eraseMyData: eraseMyData(request, reply)
        case .raceSelfTest: testHearing(request, reply)
        case .runs: showRuns(request, reply)
        case .positions: showPositions(request, race, reply)
        case .reloadRuns: reloadRuns(reply)
        case .runnerVitals: showVitals(request, reply)
        case .watch: reply(.refused("watch is a stream"))
        case .confirmBattery, .reloadSettings: reply(.refused("\(request.verb.rawValue) is not served"))
        }
    }

    // MARK: Alarms

    private func act(
        on request: ControlRequest, _ done: String, _ reply: @escaping ControlAnswer,
        _ event: (AlarmTarget, PersonAct) -> SOSEvent
    ) {
        let target: AlarmTarget
        switch Self.target(of: request) {
        case .success(let found): target = found
        case .failure(let error): return reply(.refused(error.description))
        }
        let act = PersonAct(by: Self.name(of: request), means: .commandLine)
        inbox.ask(event(target, act), at: Clock.boot()) { actions in
            reply(Self.reply(to: actions, done))
        }
    }

    /// As they named themselves, fit for a console.
    static func name(of request: ControlRequest) -> String {
        let plain = (request.by ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(plain).prefix(200))
        return name.isEmpty ? "someone in the house" : name
    }

    private static func target(of request: ControlRequest) -> Result<AlarmTarget, ControlError> {
        if let text = request.alarm {
            guard let alarm = AlarmID(text) else {
                return .failure(
                    ControlError("'\(text)' is no alarm id; it looks like 0190c3a2-…, see: homegateway status"))
            }
            return .success(.alarm(alarm))
        }
        if let text = request.person {
            guard let person = PersonID(text) else {
                return .failure(ControlError("'\(text)' is no person's id; expected \(PersonID.form)"))
            }
            return .success(.person(person))
        }
        return .success(.theOpenOne)
    }

    static func reply(to actions: [SOSAction], _ done: String) -> ControlReply {
        var lines: [String] = []
        var isDone = false
        for action in actions {
            switch action {
            case .noteEnding(_, .aborted(_, _, let beforeDispatch), let timeline):
                isDone = true
                lines.append(Self.cancelled(beforeDispatch: beforeDispatch, timeline))
            case .noteEnding:
                isDone = true
                lines.append(done)
            case .retract(let retraction):
                isDone = true
                lines.append(
                    "telling \(retraction.channels.map(\.text).joined(separator: ", ")) that the call no longer holds"
                )
            case .refuse(let refusal):
                lines.append(refusal.inWords)
            default: break
            }
        }
        return ControlReply(isDone: isDone, lines: lines)
    }

    private static func cancelled(beforeDispatch: Bool, _ timeline: AlarmTimeline) -> String {
        if beforeDispatch { return "cancelled: nobody was called" }
        return timeline.handedOver.isEmpty
            ? "cancelled: help had been called, but the call had not arrived"
            : "cancelled: help had been called"
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
            + (health.isEmpty ? ["everything works"] : health) + settingsHealth.lines
            + AcceptanceTable(settings: settings).lines + ways.lines + rota.lines
            + capabilities.flatMap(\.statusLines) + [
                "unsent messages: \(queue.count)"
            ] + commandedLines
            + consentLines
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
