import GatewayModel
import SOSLocal

/// A person's plan and the clock of an exploration.
public struct ExploredHouse: Sendable {
    public let name: String
    let plan: SOSPlan
    /// Which readings come in.
    var hears: Set<Choice> = [.racingHeart, .calmHeart]
    /// A second person lives there, and presses and drills as the first one does.
    var isShared = false
    /// How far time goes on where nothing is due.
    let idleStep = Duration.milliseconds(500)

    static let person = PersonID("maria")!
    static let gino = PersonID("gino")!
    static let strap = DeviceID("strap")!
    static let cuff = DeviceID("cuff")!
    static let mqtt = ChannelID("mqtt")!
    static let centre = ChannelID("centre")!
    static let place = InstalledPlace(address: "Via Dante 7, Milano", coordinates: nil)
    static let start = BootInstant(nanoseconds: 1_000_000_000_000)
    static let maria = PersonAct(by: "Maria", means: .screen)
    static let tag = DeviceID("tag")!
    static let press = PersonAct(by: "Maria, on tag", means: .wearable)

    /// The houses that are explored: one after the other, side by side, with an early notice, with a cuff whose values
    /// have to be held first, for which the longest window leaves no time, of two persons, and with sensors that doubt
    /// their values.
    public static let all: [ExploredHouse] = [
        ExploredHouse(
            name: "one channel after the other",
            plan: plan(window: .milliseconds(2_500), channels: [mqtt, centre], toldAtOnce: 1)),
        ExploredHouse(
            name: "two channels side by side",
            plan: plan(window: .milliseconds(2_500), channels: [mqtt, centre], toldAtOnce: 2)),
        ExploredHouse(
            name: "early notice and a window of 8 s",
            plan: plan(window: .seconds(8), channels: [mqtt], toldAtOnce: 1, hasEarlyNotice: true)),
        ExploredHouse(
            name: "a cuff whose clock was never set",
            plan: plan(window: .milliseconds(4_500), channels: [mqtt], toldAtOnce: 1, rule: pressure),
            hears: [.undatedPressure]),
        ExploredHouse(
            name: "two persons",
            plan: plan(window: .milliseconds(2_500), channels: [mqtt], toldAtOnce: 1), hears: [],
            isShared: true),
        ExploredHouse(
            name: "a sensor that doubts its values",
            plan: plan(window: .milliseconds(2_500), channels: [mqtt], toldAtOnce: 1),
            hears: [.racingHeart, .calmHeart, .doubtfulRacing, .doubtfulCalm, .jump]),
        ExploredHouse(
            name: "a cuff that is moved",
            plan: plan(window: .milliseconds(2_500), channels: [mqtt], toldAtOnce: 1, rule: pressure),
            hears: [.doubtfulPressure, .goodPressure]),
    ]

    private static let heart = LimitRule(
        kind: .heartRate, side: .high, limit: 131,
        confirmation: Confirmation(readings: 2, within: .seconds(2)), hysteresis: 5)
    private static let pressure = LimitRule(
        kind: .systolicPressure, side: .high, limit: 200,
        confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)

    private static func plan(
        window: Duration, channels: [ChannelID], toldAtOnce: Int, hasEarlyNotice: Bool = false,
        rule: LimitRule = heart
    ) -> SOSPlan {
        SOSPlan(
            person: person, rules: [rule], windows: AbortWindows(vitalSign: window),
            hasEarlyNotice: hasEarlyNotice,
            ways: EscalationPlan(
                channels: channels, toldAtOnce: toldAtOnce, handoverLimit: .seconds(3),
                repeatInterval: .seconds(10)))
    }

    func machine(at now: BootInstant) -> SOSMachine {
        SOSMachine(plans: plans, installed: Self.place, startingAt: now)
    }

    /// One a person.
    var plans: [SOSPlan] {
        guard isShared else { return [plan] }
        return [plan, SOSPlan(person: Self.gino, rules: plan.rules, windows: plan.windows, ways: plan.ways)]
    }
}
