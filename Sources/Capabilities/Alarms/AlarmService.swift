package import CloudCommands
import Consent
import Contract
package import ControlContract
package import GatewayModel
import HelpState
import HouseAlarm
package import Hub
import Logging
package import OutboxService
import RealTime
package import SOSLocal
package import ServiceLifecycle
import Settings
import Synchronization
import Vault

/// The alarms: the SOS engine with the house, the help and the drills that it commands, and the records of alarms.
package final class AlarmService: Capability {
    package static let names = CapabilityNames(
        settings: ["channel", "house", "installed", "person", "sos"],
        conditions: [
            .acceptancesRefused, .alarmNotCancellable, .alarmsForgotten, .channelFailing, .drillFailed,
            .helpUnreachable, .houseButtonDead, .houseLampDark, .houseSilent, .houseUnalarmed, .houseVoiceless,
            .realtimeUnavailable,
        ], topics: ["sos"])

    /// As the command line has it, in minutes, for callers that write to the socket without it.
    private static let longestExercise = 480

    private let inbox: SOSInbox
    private let engine: SOSEngine
    private let house: HouseService
    private let help: HelpService
    private let drills: DrillService
    private let records: AlarmRecords
    private let exerciseTimes: ExerciseTimes
    private let cancelled: CancelledAlarmCounts
    /// Persons with an early notice in their plan because a pulse alone is judged.
    private let pulseAlone: Mutex<Set<PersonID>>
    private let core: GatewayCore
    private let abilities: WearableAbilityStore
    private let limits: @Sendable (SOSPlan) -> [LimitRule]

    /// Resumes the alarms that the run before this one left open. Blocking I/O.
    ///
    /// - Parameter limits: returns the limits of a plan, with those that were set by command.
    package init(
        _ core: GatewayCore, inbox: SOSInbox, house: HouseService, help: HelpService,
        wearables: AlarmWearables, abilities: WearableAbilityStore,
        limits: @escaping @Sendable (SOSPlan) -> [LimitRule]
    ) throws {
        let (start, health) = (core.settings(), core.health)
        let cancelled = CancelledAlarmCounts()
        let drills = DrillService(
            start, inbox: inbox, damage: core.damage, readRecords: cancelled.load
        ) { core.personsToHelp }
        let records = AlarmRecords(writer: core.writer)
        let earlier = core.alarmFile.loadEarlierAlarms(reportingTo: core.damage)
        records.open.restore(earlier?.snapshot)
        let exerciseTimes = ExerciseTimes()
        let (worn, known) = (core.roster.wearables, abilities.abilities)
        let plans = start.persons.map { $0.wearing(worn, known) }.map { $0.plan.with(rules: limits($0.plan)) }
        pulseAlone = Mutex(Self.pulseAlone(start.persons, worn, known))
        inbox.limits.replace(by: plans)
        let performer = AlarmPerformer(
            house: house, dispatcher: help.dispatcher, records: records, drills: drills, wearables: wearables,
            exercise: exerciseTimes, cancelled: cancelled, feed: core.feed, log: core.log)
        engine = try SOSEngine(
            machine: SOSMachine(plans: plans, installed: start.installed, startingAt: Clock.boot()),
            resuming: earlier, inbox: inbox,
            perform: { performer.perform($0, at: $1) }, keep: { core.writer.keep($0) },
            onPriority: { health.set(HealthCondition(.realtimeUnavailable), $0 != nil) })
        (self.inbox, self.house, self.help, self.drills) = (inbox, house, help, drills)
        (self.records, self.core, self.limits) = (records, core, limits)
        (self.exerciseTimes, self.cancelled) = (exerciseTimes, cancelled)
        self.abilities = abilities
        inbox.deadChannels.whenChanged { [open = records.open, house, core] before, after in
            Self.tellWays(to: house, open.all, core, before, after)
        }
    }

    /// The house hears at once that the last way to help has died, or that one is back, while there is time to cancel. Later
    /// the machine tells it.
    private static func tellWays(
        to house: HouseService, _ alarms: [Alarm], _ core: GatewayCore, _ before: Set<ChannelID>,
        _ after: Set<ChannelID>
    ) {
        for alarm in alarms where alarm.windowEnd != nil && !alarm.channels.isEmpty {
            let wereDead = alarm.channels.allSatisfy(before.contains)
            guard wereDead != alarm.channels.allSatisfy(after.contains),
                core.gate.holds(.automatedSOS, for: alarm.cause.person)
            else { continue }
            house.say(.progress(alarm))
        }
    }

    /// Alarms that are open.
    package var openAlarms: OpenAlarms { records.open }

    /// Lets a press of the person's help buttons be a test for `testLimit`. From any thread.
    ///
    /// - Parameter done: gets the refusal, if any, on the SOS thread; it must return at once.
    package func testButtons(
        of person: PersonID, at now: BootInstant, _ done: @escaping @Sendable (Alarm.Refusal?) -> Void
    ) {
        inbox.ask(.testButtons(person, until: now.advanced(by: Self.testLimit)), at: now) { done($0.refusal) }
    }

    /// Time in which a press is a test: as long as the sentence that asks for it says.
    package static let testLimit = Duration.seconds(120)

    /// Number of rounds that the SOS thread has completed: the thread lives while this grows.
    package var completedRounds: Int { engine.completedRounds }

    /// In the order of starting. Stopped in reverse: the rules first, then the last words in the house, the last dispatch,
    /// and the channels.
    package var services: [any Service] {
        help.services + house.services + [ThreadService(run: engine.run, stop: engine.stop)]
    }

    package func reportStart() { house.checkCancelWays(of: core.settings().persons) }

    package var careTasks: [CareTask] {
        [
            CareTask { [self] now in
                let persons = core.personsToHelp
                if !persons.isEmpty { help.testChannels(at: now.boot) }
                help.reportReach(
                    of: core.settings().persons.filter { persons.contains($0.id) }.map {
                        HelpReach.Person(id: $0.id, channels: $0.plan.ways.channels)
                    })
            },
            CareTask { [drills] in drills.look(at: $0) },
            CareTask { [self] _ in followWearables() },
            CareTask { [help] _ in help.keepState() },
        ]
    }

    package func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler] {
        AlarmCommands(inbox: inbox).handlers
    }

    package func follow(_ reload: SettingsReload) {
        help.replace(
            channels: reload.current.channels, persons: reload.current.persons,
            testedEvery: reload.next.sos.channelTests)
        house.replace(people: reload.current.people)
        // Last: an order by the new plans finds its channels.
        submitPlans(of: reload.next)
    }

    private func submitPlans(of settings: GatewaySettings) {
        let (worn, known) = (core.roster.wearables, abilities.abilities)
        pulseAlone.withLock { $0 = Self.pulseAlone(settings.persons, worn, known) }
        let plans = settings.persons.map { $0.wearing(worn, known) }.map {
            $0.plan.with(rules: limits($0.plan))
        }
        inbox.submit(.plans(plans, settings.installed), at: Clock.boot())
    }

    private static func pulseAlone(
        _ persons: [GatewaySettings.Person], _ worn: [GatewaySettings.Wearable],
        _ known: [DeviceID: WearableAbilities]
    ) -> Set<PersonID> {
        Set(persons.filter { $0.wearing(worn, known).plan.hasEarlyNotice && !$0.plan.hasEarlyNotice }.map(\.id))
    }

    /// Another wearable is worn, or has shown its abilities: the plans follow.
    private func followWearables() {
        let settings = core.settings()
        let now = Self.pulseAlone(settings.persons, core.roster.wearables, abilities.abilities)
        guard pulseAlone.withLock({ $0 != now }) else { return }
        submitPlans(of: settings)
    }

    package var controls: [ControlHandler] {
        [
            ControlHandler(Verb.Abort.self) { [self] in
                end($0.fields, "cancelled", $1) { .abort($0, $1) }
            },
            ControlHandler(Verb.Resolve.self) { [self] in
                end($0.fields, "resolved", $1) { .resolve($0, $1) }
            },
            ControlHandler(Verb.AcceptAlarm.self, accept),
            ControlHandler(Verb.CallHelp.self, callHelp),
            ControlHandler(Verb.Alarms.self, listAlarms),
            ControlHandler(Verb.Exercise.self, exercise),
            ControlHandler(Verb.Drill.self, drills.begin),
            ControlHandler(Verb.TestButton.self, testButton),
            ControlHandler(Verb.DevicePaired.self, announceDevice),
        ]
    }

    package var statusLines: [String] {
        readinessLines + coverageLines + AcceptanceTable(core.settings()).lines + help.statusLines
            + drills.statusLines
            + cancelled.lines(at: Clock.wall())
    }

    private func readiness(of person: GatewaySettings.Person) -> HelpReadiness {
        HelpReadiness(person.plan.ways.told(of: .high), HelpFacts(of: person.id, core, inbox))
    }

    /// A line for each person without a way to call help now.
    private var readinessLines: [String] {
        core.settings().persons.compactMap { person in
            switch readiness(of: person) {
            case .ready: nil
            case .nobodyIsCalled(.termsNotAccepted):
                "NOBODY IS CALLED for \(person.id): the AutomatedSOS terms are not accepted"
            case .nobodyIsCalled(.nobodyToTell): "NOBODY IS CALLED for \(person.id): the settings name no way"
            case .cannotBeCalled: "HELP CANNOT BE CALLED for \(person.id) at present: every way is down"
            }
        }
    }

    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {
        let (wearables, abilities) = (core.roster.wearables, abilities.abilities)
        snapshot.persons = core.settings().persons.map { person in
            var shown = HouseSnapshot.Person(
                id: person.id, name: person.profile.name, language: person.profile.language.rawValue,
                agreements: ConsentSubject.allCases.filter { core.gate.holds($0, for: person.id) }.map(
                    \.rawValue),
                coverage: EmergencyCoverage(of: person.plan, wearables: wearables, abilities: abilities).lines)
            shown.exerciseLeftMs = exerciseTimes.left(of: person.id, at: now.boot)?.wholeMilliseconds
            shown.help = HouseSnapshot.Person.Readiness(readiness(of: person))
            shown.decidesOnScreen = person.screenPIN != nil ? true : nil
            let contacts = person.profile.contacts
            let inOrder = contacts.filter(\.getsNotices) + contacts.filter { !$0.getsNotices }
            shown.contacts = inOrder.map(HouseSnapshot.Person.Contact.init)
            return shown
        }
        snapshot.channels = help.channelStates
        let cancelled = cancelled.counts(at: now.wall)
        snapshot.cancelledAlarms = cancelled.isEmpty ? nil : cancelled
        let rules = inbox.limits.rules
        snapshot.limits = core.settings().persons.flatMap { person in
            AlarmLimits.all(of: rules[person.id] ?? []).map { HouseSnapshot.Limits($0, for: person.id) }
        }
        let house = core.settings().house
        snapshot.house = HouseSnapshot.House(
            language: house.language.rawValue, wakingBegin: house.wakingHours.begin,
            wakingEnd: house.wakingHours.end)
    }

    private var coverageLines: [String] {
        let (wearables, abilities) = (core.roster.wearables, abilities.abilities)
        return core.settings().persons.flatMap { person in
            EmergencyCoverage(of: person.plan, wearables: wearables, abilities: abilities).lines
                + [person.pulseLine(wearables, abilities)].compactMap(\.self)
        }
    }

    // MARK: A person's data

    /// Adds the records of the person's alarms, their devices, their profile, and the limits that hold for them.
    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) {
        let devices = core.roster.wearables.filter { $0.person == person }.map {
            MyDataPage.Device(id: $0.id.text, address: "\($0.address)")
        }
        let watched = core.settings().persons.filter { $0.profile.id == person }
        let limits = watched.flatMap { self.limits($0.plan) }.map(LimitRecord.init)
        records.export(of: person) { result in
            switch result {
            case .failure(let failure):
                done(.failure(PersonDataFailure("the alarms cannot be read: \(failure)")))
            case .success(let alarms):
                var data = data
                (data.devices, data.alarms) = (devices, alarms)
                data.add("profile", watched.map { PersonRecord($0.profile) })
                data.add("limits", limits)
                done(.success(data))
            }
        }
    }

    /// Erases the records of the person's alarms, except those of open ones. The settings stay: they are the watch.
    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        cancelled.forget(person)
        records.erase(of: person) { result in
            switch result {
            case .failure(let failure):
                done([
                    ErasureStep(isDone: false, line: "records of alarms: NOT ERASED, ask again: \(failure)")
                ])
            case .success(let erased):
                let spared =
                    erased.spared > 0 ? "; \(erased.spared) stay, of alarms that are open" : ""
                done([
                    ErasureStep(isDone: true, line: "records of alarms: \(erased.count) erased\(spared)"),
                    ErasureStep(
                        isDone: true,
                        line: "profile, contacts and limits: kept, because the person is watched by them; they "
                            + "are in the settings, and limits set by command in state.sqlite"),
                ])
            }
        }
    }

    // MARK: Control thread

    private func end(
        _ end: Verb.AlarmEnd, _ done: String, _ reply: ControlAnswer<NoDocument>,
        _ event: (AlarmTarget, PersonAct) -> SOSEvent
    ) {
        inbox.ask(event(end.target, end.act), at: Clock.boot()) { actions in
            reply(ControlReply(to: actions, done: done))
        }
    }

    /// A person takes the call on a page: nobody else is called, and every channel that was told hears of it.
    private func accept(_ request: Verb.AcceptAlarm, _ reply: ControlAnswer<NoDocument>) {
        let end = request.fields
        let named = end.alarm ?? openAlarms.onlyOpen(of: end.person)
        guard let alarm = named else {
            return reply(
                .refused(
                    "alarm: missing, and not one alarm alone is open; name it, see: homegateway status --json",
                    .nothingOpen))
        }
        inbox.ask(.accept(alarm, end.act), at: Clock.boot()) { actions in
            reply(ControlReply(to: actions, done: "accepted: nobody else is called"))
        }
    }

    /// A person asks for help on a page or at the command line: the call leaves at once.
    private func callHelp(_ call: Verb.CallHelp, _ reply: ControlAnswer<NoDocument>) {
        let now = Clock.moment()
        let cancelled = call.alarm.map { openAlarms[$0] }
        if case .some(nil) = cancelled, call.person == nil {
            return reply(
                .refused("no alarm of this id is known; name the person to call help for", .unknownAlarm))
        }
        guard let person = call.person ?? cancelled??.cause.person else {
            return reply(
                .refused(
                    "person: missing, expected the id of a person to call help for; name one", .unknownPerson))
        }
        let signal = WearableSignal(
            id: .random(at: now.wall), person: person,
            device: call.caller.device, kind: .sosButton, arrival: now,
            by: call.caller.name)
        let act = PersonAct(by: call.caller.name, means: call.caller.means)
        inbox.ask(.callHelp(signal, act), at: now.boot) { [core, inbox, openAlarms] actions in
            if let refusal = actions.refusal { return reply(.refused(refusal.inWords, RefusalCode(refusal))) }
            guard let alarm = actions.recorded.last(where: { $0.hurried != nil }) else {
                let open = openAlarms.all.last { $0.cause.person == person && !$0.cause.isDrill }
                let state = open.map { HelpState(of: $0, core, inbox, at: now.boot) }
                return reply(.done(Self.words(for: state, orElse: "help is being called already")))
            }
            let state = HelpState(of: alarm, core, inbox, at: now.boot)
            reply(.done(Self.words(for: state, orElse: "help is called now")))
        }
    }

    private static func words(for help: HelpState?, orElse called: String) -> String {
        switch help {
        case .nobodyIsCalled(.termsNotAccepted):
            "the alarm sounds; nobody is called: the AutomatedSOS terms are not accepted"
        case .nobodyIsCalled(.nobodyToTell):
            "the alarm sounds; nobody is called: channels of [person.sos] names none"
        case .cannotBeCalled: "help cannot be called at present: every way is down; it is tried on"
        default: called
        }
    }

    /// Lists a person's alarms of a period. The thread of the disk reads them: neither the SOS thread nor this one waits.
    private func listAlarms(_ request: Verb.Alarms, _ reply: ControlAnswer<AlarmHistory>) {
        records.export(of: request.person) { result in
            switch result {
            case .failure(let failure): reply(.refused("the alarms cannot be read: \(failure)", .notReadable))
            case .success(let records):
                do throws(ControlError) {
                    let history = try AlarmHistory(records.reversed(), for: request)
                    reply(.done(with: history, lines: history.lines))
                } catch {
                    reply(.refused(error))
                }
            }
        }
    }

    /// Somebody in the house begins a test of the person's help buttons: the house says so.
    private func testButton(_ test: Verb.TestButton, _ reply: ControlAnswer<NoDocument>) {
        let person = test.person
        testButtons(of: person, at: Clock.boot()) { [house] refusal in
            if let refusal { return reply(.refused(refusal.inWords, RefusalCode(refusal))) }
            house.say(.buttonTest(person, .due(button: nil)))
            reply(
                .done(
                    "press the help button within 2 minutes: its first press is a test and calls no help; a second "
                        + "press, or one after that time, is an alarm"))
        }
    }

    /// A device shows the pages of the person from now on: the house says so.
    private func announceDevice(_ device: Verb.DevicePaired, _ reply: ControlAnswer<NoDocument>) {
        guard core.settings().persons.contains(where: { $0.id == device.person }) else {
            return reply(
                .refused("person: saw nobody of this house, expected the id of a person", .unknownPerson))
        }
        core.log.notice("a device was paired for a person")
        house.say(.devicePaired(device.person))
        reply(.done("the house says that a device was paired"))
    }

    private func exercise(_ exercise: Verb.Exercise, _ reply: ControlAnswer<NoDocument>) {
        let (minutes, now) = (exercise.minutes, Clock.boot())
        guard (1...Self.longestExercise).contains(minutes ?? 1) else {
            return reply(
                .refused(
                    "minutes: saw \(minutes ?? 0), expected 1 to \(Self.longestExercise); give --minutes or --stop"
                ))
        }
        let end = minutes.map { now.advanced(by: .seconds($0 * 60)) }
        inbox.ask(.exercise(exercise.person, until: end), at: now) { [log = core.log] actions in
            if let refusal = actions.refusal { return reply(.refused(refusal.inWords, RefusalCode(refusal))) }
            log.notice("exercise", metadata: ["minutes": "\(minutes ?? 0)"])
            reply(
                minutes.map { .done("the limits of exercise hold for \($0) minutes") }
                    ?? .done("the limits at rest hold"))
        }
    }
}

extension AlarmHistory {
    /// One line an alarm, for a person.
    fileprivate var lines: [String] {
        alarms.map { alarm in
            let crossed = WallTime(millisecondsSince1970: alarm.crossed).inHouse
            return "\(crossed) \(alarm.rule) \(alarm.ending?.how ?? "open") \(alarm.id)"
        }
    }
}

extension Caller {
    /// Stands in the place of the button that was pressed.
    fileprivate var device: DeviceID {
        switch means {
        case .screen: .houseScreen
        case .commandLine: .houseTerminal
        default: .housePage
        }
    }
}

extension Verb.AlarmEnd {
    /// For the record of the alarm.
    fileprivate var act: PersonAct {
        PersonAct(by: caller.name + (reason.map { " (\($0))" } ?? ""), means: caller.means)
    }
}

extension GatewayCore {
    /// Persons who may be called for now.
    fileprivate var personsToHelp: [PersonID] {
        settings().persons.map(\.id).filter { gate.holds(.automatedSOS, for: $0) }
    }
}

extension AlarmStateFile {
    /// Loads the alarms that the run before this one left open. Where the file cannot be read an alarm may be lost: the
    /// condition is raised.
    fileprivate func loadEarlierAlarms(reportingTo damage: StateDamage) -> Kept? {
        do {
            let kept = try load(at: Clock.moment()) { damage.report(.alarms, $0) }
            if let kept {
                damage.log.warning(
                    "alarms of an earlier run go on",
                    metadata: [
                        "count": "\(kept.snapshot.watches.flatMap(\.alarms).count)",
                        "crossings": "\(kept.snapshot.watches.flatMap(\.monitors).count)",
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

extension [SOSAction] {
    /// Alarms that changed, in order.
    fileprivate var recorded: [Alarm] {
        compactMap { if case .record(let alarm) = $0 { alarm } else { nil } }
    }
}
