package import GatewayModel
package import Hub
package import Logging
import RealTime
package import SOSLocal
package import ServiceLifecycle
package import Settings
package import Vault

/// The alarms: the SOS engine with the house, the help and the drills that it commands.
package final class AlarmService: Capability {
    /// As the command line has it, in minutes, for callers that write to the socket without it.
    private static let longestExercise = 480

    private let inbox: SOSInbox
    private let engine: SOSEngine
    private let house: HouseService
    private let help: HelpService
    private let drills: DrillService
    private let settings: @Sendable () -> GatewaySettings
    private let log: Logger

    /// - Parameters:
    ///   - plans: plans of the persons, with the limits that were set by command.
    ///   - earlier: alarms that the run before this one left open.
    ///   - settings: returns the settings as they are now.
    package init(
        plans: [SOSPlan], resuming earlier: AlarmStateFile.Kept?, inbox: SOSInbox, house: HouseService,
        help: HelpService, drills: DrillService, records: AlarmRecords, writer: StateWriter,
        wearables: AlarmWearables, feed: Feed, health: HealthBoard, log: Logger,
        settings: @escaping @Sendable () -> GatewaySettings
    ) throws {
        let performer = AlarmPerformer(
            house: house, dispatcher: help.dispatcher, records: records, drills: drills, wearables: wearables,
            feed: feed, log: log)
        engine = try SOSEngine(
            machine: SOSMachine(plans: plans, installed: settings().installed, startingAt: Clock.boot()),
            resuming: earlier, inbox: inbox,
            perform: { performer.perform($0, at: $1) }, keep: { writer.keep($0) },
            onPriority: { health.set(HealthCondition(.realtimeUnavailable), $0 != nil) })
        (self.inbox, self.house, self.help, self.drills) = (inbox, house, help, drills)
        (self.settings, self.log) = (settings, log)
    }

    /// Number of rounds that the SOS thread has completed: the thread lives while this grows.
    package var completedRounds: Int { engine.completedRounds }

    /// In the order of starting. Stopped in reverse: the rules first, then the last words in the house, the last dispatch,
    /// and the channels.
    package var services: [any Service] {
        help.services + house.services + [ThreadService(run: engine.run, stop: engine.stop)]
    }

    package var controls: [ControlRequest.Verb: ControlHandler] {
        [
            .abort: { [self] in end($0, "cancelled", $1) { .abort($0, $1) } },
            .resolve: { [self] in end($0, "resolved", $1) { .resolve($0, $1) } },
            .exercise: { [self] in exercise($0, $1) },
            .drill: { [drills] in drills.begin($0, $1) },
        ]
    }

    package var statusLines: [String] {
        AcceptanceTable(settings()).lines + help.statusLines + drills.statusLines
    }

    package var healthCodes: Set<HealthCode> {
        [
            .acceptancesRefused, .alarmNotCancellable, .alarmsForgotten, .channelFailing, .drillFailed,
            .houseButtonDead, .houseLampDark, .houseSilent, .houseUnalarmed, .houseVoiceless, .nobodyToCall,
            .realtimeUnavailable,
        ]
    }

    // MARK: Control thread

    private func end(
        _ request: ControlRequest, _ done: String, _ reply: @escaping ControlAnswer,
        _ event: (AlarmTarget, PersonAct) -> SOSEvent
    ) {
        let target: AlarmTarget
        do throws(ControlError) {
            target = try AlarmTarget(of: request)
        } catch {
            return reply(.refused(error.description))
        }
        let act = PersonAct(by: request.callerName, means: .commandLine)
        inbox.ask(event(target, act), at: Clock.boot()) { actions in
            reply(ControlReply(to: actions, done: done))
        }
    }

    private func exercise(_ request: ControlRequest, _ reply: @escaping ControlAnswer) {
        guard let person = request.personID else { return reply(.personMissing) }
        let now = Clock.boot()
        guard (1...Self.longestExercise).contains(request.minutes ?? 1) else {
            return reply(.refused("for 1 to \(Self.longestExercise) minutes"))
        }
        let end = request.minutes.map { now.advanced(by: .seconds($0 * 60)) }
        inbox.ask(.exercise(person, until: end), at: now) { [log] actions in
            if let refusal = actions.refusal { return reply(.refused(refusal.inWords)) }
            log.notice("exercise", metadata: ["minutes": "\(request.minutes ?? 0)"])
            reply(
                request.minutes.map { .done("the limits of exercise hold for \($0) minutes") }
                    ?? .done("the limits at rest hold"))
        }
    }
}

extension AlarmStateFile {
    /// Loads the alarms that the run before this one left open. Where the file cannot be read an alarm may be lost: the
    /// condition is raised.
    package func loadEarlierAlarms(reportingTo damage: StateDamage) -> Kept? {
        do {
            let kept = try load(at: Clock.moment()) { damage.report(.alarms, $0) }
            if let kept {
                damage.log.warning(
                    "alarms of an earlier run go on",
                    metadata: [
                        "count": "\(kept.snapshot.watches.flatMap(\.alarms).count)",
                        "time_away": "\(kept.absence == .known ? "known" : "unknown: nothing is waited for")",
                    ])
            }
            return kept
        } catch {
            damage.log.critical(
                "the alarms of an earlier run cannot be read", metadata: ["reason": "\(error)"])
            damage.health.set(HealthCondition(.alarmsForgotten), true)
            return nil
        }
    }
}
