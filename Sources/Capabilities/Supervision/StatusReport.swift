package import Alarms
import ControlContract
import GatewayModel
import HelpState
package import Hub
package import OutboxService
import RealTime
import SOSLocal
import Settings

/// One line on the state of the gateway, which names no person.
struct GatewaySummary: Sendable {
    private let core: GatewayCore

    init(_ core: GatewayCore) { self.core = core }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)" + (count == 1 ? "" : "s")
    }

    var line: String {
        let conditions = core.health.conditions
        let isImpaired = conditions.contains { $0.code.declaration.severity == .supervision }
        let supervision =
            isImpaired
            ? "supervision is paused or impaired"
            : "watching \(Self.counted(core.roster.wearables.count, "wearable"))"
        let unsent = core.queue.unsent.map { "\($0) unsent" } ?? "unsent messages are not counted yet"
        return "\(supervision); \(Self.counted(conditions.count, "condition")); \(unsent)"
    }
}

/// `homegateway status`, and the first events of a new watcher: the open alarms, the conditions, and the lines of each
/// capability.
package struct StatusReport: Capability {
    private let core: GatewayCore
    private let sos: SOSInbox
    private let capabilities: [any Capability]
    private let supervisor: Supervisor
    private let openAlarms: OpenAlarms
    private let consumers: [any StateConsumer]

    /// - Parameters:
    ///   - capabilities: in the order of their lines.
    ///   - consumers: get the state about once a second.
    package init(
        _ core: GatewayCore, sos: SOSInbox, openAlarms: OpenAlarms, supervisor: Supervisor,
        on capabilities: [any Capability], consumers: [any StateConsumer]
    ) {
        (self.core, self.sos, self.capabilities) = (core, sos, capabilities)
        self.consumers = consumers
        (self.openAlarms, self.supervisor) = (openAlarms, supervisor)
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.Status.self) { [self] reply in
                sos.inspect(at: Clock.boot()) { alarms in
                    // The SOS thread must not wait for the parts that describe themselves.
                    reply.later {
                        .done(
                            with: snapshot(of: alarms, at: Clock.moment()),
                            lines: openLines(alarms, at: Clock.boot()).lines + lines)
                    }
                }
            }
        ]
    }

    /// The consumers get the alarms as they were last noted: the care thread does not wait for the SOS thread.
    package var careTasks: [CareTask] {
        [
            CareTask { [self] now in
                for consumer in consumers {
                    consumer.consume({ snapshot(of: openAlarms.all, at: now) }, at: now)
                }
            }
        ]
    }

    private func snapshot(of alarms: [Alarm], at now: Moment) -> HouseSnapshot {
        let health = core.health
        var snapshot = HouseSnapshot(
            version: core.version, gateway: core.gateway, at: now, summary: GatewaySummary(core).line,
            unsent: core.queue.count, alarms: alarms, recentAlarms: openAlarms.recent(at: now.boot),
            conditions: health.conditions.map {
                HouseSnapshot.Condition($0, reason: health.reason(of: $0), since: health.since($0))
            },
            mayEnd: { [persons = core.settings().persons] person in
                persons.first { $0.id == person }?.plan.mayEnd ?? SOSPlan.everyMeans
            },
            help: { HelpState(of: $0, core, sos, at: now.boot) })
        for capability in capabilities { capability.describe(in: &snapshot, at: now) }
        let signs = supervisor.signs
        for index in snapshot.devices.indices {
            let sign = DeviceID(snapshot.devices[index].id).flatMap { signs[$0] }
            snapshot.devices[index].battery = sign?.battery
            snapshot.devices[index].ignored = sign?.ignored
            snapshot.devices[index].lastHeardAgeMs = sign?.heard.duration(to: now.boot).wholeMilliseconds
        }
        snapshot.describeSupervision()
        return snapshot
    }

    /// Sends a new watcher the open alarms and the conditions that hold; at once, or when the SOS thread answers.
    package func greet(_ watcher: @escaping @Sendable ([FeedEvent]) -> Void) {
        sos.inspect(at: Clock.boot()) { [health = core.health] alarms in
            let now = Clock.moment()
            watcher(
                openLines(alarms, at: now.boot).events(at: now)
                    + health.conditions.map { .health($0, isRaised: true, at: now) })
        }
    }

    private func openLines(_ alarms: [Alarm], at now: BootInstant) -> OpenAlarmLines {
        // One that somebody has taken, and nobody has ended, is none of the past.
        let taken = openAlarms.recent(at: now).filter { $0.isHeld(at: now) && !$0.cause.isDrill }
        return OpenAlarmLines(alarms + taken) { HelpState(of: $0, core, sos, at: now) }
    }

    private var lines: [String] {
        let health = core.health
        let conditions = health.conditions.map { condition in
            let declaration = condition.code.declaration
            let subject = condition.subject.map { " (\($0))" } ?? ""
            let reason =
                health.reason(of: condition).map { ": \($0.hasSuffix(".") ? String($0.dropLast()) : $0)" } ?? ""
            return "[\(declaration.severity.rawValue)] \(declaration.title.en)\(subject)\(reason)."
                + "\(condition.damageWords) \(declaration.remedy)"
        }
        return ["homegateway \(core.version), gateway \(core.gateway)", GatewaySummary(core).line]
            + (conditions.isEmpty ? ["no fault of the house is known"] : conditions)
            + capabilities.flatMap(\.statusLines)
    }
}
