import Contract
import ControlContract
import GatewayModel
import ModelSamples
import SOSLocal
import Samples
import Testing

@testable import HomeAssistant

@Suite struct `The states on the dashboard` {
    private static let maria = Sample.maria

    private func state(
        conditions: [HealthCondition] = [], alarms: [Alarm] = [],
        _ body: (inout HouseSnapshot) -> Void = { _ in
        }
    ) -> [DashboardEntity: DashboardFact] {
        var snapshot = HouseSnapshot(
            version: "1", gateway: Sample.topics.gateway, at: Sample.moment(0), summary: "", unsent: 0,
            alarms: alarms, conditions: conditions.map { .init($0, reason: nil, since: nil) })
        snapshot.persons = [
            .init(id: Self.maria, name: "Maria", language: "it", agreements: [], coverage: [])
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

    @Test func `say that a question waits`() {
        let facts = state {
            $0.limitQuestions = [
                .init(id: "1", person: Self.maria, kind: .heartRate, issuer: "clinic", moves: [])
            ]
        }
        #expect(facts[.state(Self.maria, .request)]?.value == .holds(true))
    }
}
