import Contract
import ControlContract
import GatewayModel
import HelpState
import ModelSamples
import SOSLocal
import Samples
import Testing

@testable import HomeAssistant

@Suite struct `The states on the dashboard` {
    private static let maria = Sample.maria

    private func state(
        conditions: [HealthCondition] = [], alarms: [Alarm] = [], recent: [Alarm] = [],
        help: HelpState? = nil,
        _ body: (inout HouseSnapshot) -> Void = { _ in
        }
    ) -> [DashboardEntity: DashboardFact] {
        var snapshot = HouseSnapshot(
            version: "1", gateway: Sample.topics.gateway, at: Sample.moment(0), summary: "", unsent: 0,
            alarms: alarms, recentAlarms: recent,
            conditions: conditions.map { .init($0, reason: nil, since: nil) }, help: { _ in help })
        snapshot.persons = [
            .init(id: Self.maria, name: "Maria", language: "en", agreements: [], coverage: [])
        ]
        snapshot.devices = [
            .init(
                id: DeviceID(sample: "strap"), person: Self.maria, address: DeviceAddress("C0:FF:EE:00:00:01")!,
                heardBy: "connection",
                kinds: nil, lastReadingAge: nil)
        ]
        body(&snapshot)
        snapshot.describeSupervision()
        return Dictionary(uniqueKeysWithValues: snapshot.dashboardFacts.map { ($0.entity, $0) })
    }

    @Test func `of a quiet house are all off, and a battery is shown once it is known`() {
        let quiet = state()
        #expect(quiet.count == 4)
        #expect(quiet.values.allSatisfy { $0.value == .holds(false) && $0.reasons.isEmpty })
        let battery = DashboardEntity.battery(Self.maria, DeviceID(sample: "strap"))
        #expect(state { $0.devices[0].battery = 14 }[battery]?.value == .percent(14))
    }

    @Test func `say that nobody watches, and why`() {
        let strap = HealthCondition(.wearableSilent, subject: "strap")
        let facts = state(conditions: [strap])
        let supervision = facts[.state(Self.maria, .supervision)]
        #expect(supervision?.value == .holds(true))
        #expect(supervision?.reasons == ["wearable-silent"])
        #expect(facts[.box]?.value == .holds(false), "a wearable is none of the box")
        let without = state { $0.devices = [] }[.state(Self.maria, .supervision)]
        #expect(without?.value == .holds(true) && without?.reasons == ["no-wearable"])
    }

    @Test func `of the box are the conditions that somebody has to act on, each once`() {
        let facts = state(conditions: [
            HealthCondition(.channelFailing, subject: "anna"),
            HealthCondition(.channelFailing, subject: "carlo"),
            HealthCondition(.batteryLow, subject: "strap"),
        ])
        #expect(facts[.box]?.reasons == ["channel-failing"])
    }

    @Test func `tell an emergency before a drill`() {
        let plan = SOSPlan(
            person: Self.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [.mqtt]))
        let drill = Drill(
            id: Sample.id(5), person: Self.maria, act: PersonAct(by: "Anna", means: .commandLine),
            arrival: Sample.moment(5))
        let practice = Alarm(
            cause: .drill(drill), priority: .high, confirmation: Sample.moment(5).boot, plan: plan)
        let alarm = DashboardEntity.state(Self.maria, .alarm)
        let alone = state(alarms: [practice])[alarm]
        #expect(alone?.value == .holds(true) && alone?.isDrill == true)
        let emergency = AlarmSample.open(10)
        let both = state(alarms: [practice, emergency])[alarm]
        #expect(both?.isDrill == false && both?.since == emergency.cause.arrival.wall)
    }

    @Test func `show whether help can be called, and why not, while no alarm is open`() {
        func help(_ readiness: HelpReadiness) -> DashboardFact? {
            state { $0.persons[0].help = .init(readiness) }[.state(Self.maria, .help)]
        }
        let ready = help(.ready)
        #expect(ready?.value == .word("ready") && ready?.sentence == nil)
        let dead = help(.cannotBeCalled(.waysDead))
        #expect(dead?.value == .word("cannot-be-called") && dead?.reasons == ["ways-dead"])
        #expect(dead?.sentence == "Help cannot be called for Maria at the moment. Be reachable yourself.")
        #expect(help(.nobodyIsCalled(.termsNotAccepted))?.reasons == ["terms-not-accepted"])
        #expect(state()[.state(Self.maria, .help)] == nil, "nothing is shown where nothing is known")
    }

    @Test func `show the state of the help for an alarm, and say no more than has happened`() {
        let (alarm, end) = (AlarmSample.open(10), Sample.moment(12).wall)
        func shown(_ help: HelpState, isOpen: Bool = true) -> DashboardFact? {
            state(alarms: isOpen ? [alarm] : [], recent: isOpen ? [] : [alarm], help: help) {
                $0.persons[0].help = .init(.ready)
            }[.state(Self.maria, .help)]
        }
        let waiting = shown(.willBeCalled(at: end, knowing: []))
        #expect(waiting?.value == .word("will-be-called") && waiting?.at == end)
        #expect(waiting?.sentence == "Help will be called if nobody cancels the alarm.")
        let called = shown(.beingCalled(since: end, [HelpRecipient(.desk)]))
        #expect(called?.sentence == "I am calling for help. Stay where you are.")
        let reached = shown(.reached([.init(HelpRecipient(name: "Anna", .carers), at: end)]))
        #expect(reached?.sentence == "I called for help. Anna has the call. Nobody has answered yet.")
        let refused = shown(.nobodyIsCalled(.termsNotAccepted))
        #expect(refused?.value == .word("nobody") && refused?.sentence?.hasPrefix("Nobody is called:") == true)
        let taken = shown(.taken(by: "Anna", at: end), isOpen: false)
        #expect(taken?.value == .word("taken") && taken?.sentence == "Anna has taken the call.")
        let over = shown(.over(by: "Maria", at: Sample.moment(-30).wall, .nobody), isOpen: false)
        #expect(over?.value == .word("over") && over?.sentence == "Nobody has been called for it.")
        let past = shown(.over(by: "Maria", at: Sample.moment(-61).wall, .nobody), isOpen: false)
        #expect(past?.value == .word("ready"))
    }

    @Test func `say that a question waits`() {
        let facts = state {
            $0.limitQuestions = [
                .init(id: "1", person: Self.maria, kind: .heartRate, issuer: "clinic", moves: [])
            ]
        }
        #expect(facts[.state(Self.maria, .request)]?.value == .holds(true))
    }
}
