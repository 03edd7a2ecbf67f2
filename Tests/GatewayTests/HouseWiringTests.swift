import HelpState
import HomeGateway
import HouseAlarm
import Hub
import ModelSamples
import SOSLocal
import Samples
import Settings
import SettingsSamples
import Synchronization
import Testing

@testable import Alarms
@testable import GatewayModel

@Suite struct `How far a call has come` {
    private static let mqtt = MQTTChannel.id
    private static let other = ChannelID(sample: "ambulance")
    private static let ways = EscalationPlan(channels: [mqtt, other], toldAtOnce: 2)

    private var machine: SOSMachine
    private var progress = CallProgress()
    private var words: [HelpState] = []
    private static let facts = HelpFacts(mayCall: true)

    init() {
        let plan = SOSPlan(
            person: Sample.maria, rules: [], windows: AbortWindows(vitalSign: .seconds(2)), ways: Self.ways)
        machine = SOSMachine(
            plans: [plan], installed: InstalledPlace(address: "x", coordinates: nil),
            startingAt: Sample.moment(0).boot)
        let signal = WearableSignal(
            id: Sample.id(1), person: Sample.maria, device: DeviceID(sample: "tag"), kind: .fall,
            arrival: Sample.moment(1))
        hear(machine.handle(.signal(signal), at: Sample.moment(1).boot))
        hear(machine.advance(to: Sample.moment(3).boot))
    }

    private mutating func hear(_ actions: [SOSAction]) {
        for action in actions {
            guard case .progress(let alarm)? = progress.word(after: action) else { continue }
            words.append(HelpState(of: alarm, Self.facts, at: Sample.moment(100).boot))
        }
    }

    private mutating func channel(_ id: ChannelID, at seconds: Double, _ word: (AlarmID) -> ChannelEvent) {
        guard let alarm = machine.openAlarms.first?.id else { return }
        hear(machine.handle(.channel(id, word(alarm)), at: Sample.moment(seconds).boot))
    }

    private var steps: [String] {
        words.map { word in
            switch word {
            case .beingCalled: "called"
            case .cannotBeCalled(.unanswered): "not reached"
            case .reached: "arrived"
            default: "\(word)"
            }
        }
    }

    @Test mutating func `of an alarm that ends says whether somebody has taken another one of the person`() {
        let open = OpenAlarms()
        /// As the gateway performs them. Returns what the last end of them says.
        func end(_ actions: [SOSAction], at seconds: Double) -> Bool? {
            var isOneOfSeveral: Bool?
            for action in actions {
                let word = progress.word(after: action) {
                    open.isAnyHeld(of: $0, besides: $1, at: Sample.moment(seconds).boot)
                }
                if case .ended(_, _, let isOne)? = word { isOneOfSeveral = isOne }
                if case .record(let alarm) = action { open.note(alarm) }
            }
            return isOneOfSeveral
        }
        channel(Self.mqtt, at: 4) { .handedOver($0, .confirmed) }
        let first = machine.openAlarms[0].id
        let anna = PersonAct(by: "Anna", means: .page)
        let taken = machine.handle(.accept(first, anna), at: Sample.moment(5).boot)
        #expect(end(taken, at: 5) == false)
        let signal = WearableSignal(
            id: Sample.id(2), person: Sample.maria, device: DeviceID(sample: "tag"), kind: .shaking,
            arrival: Sample.moment(60))
        _ = end(machine.handle(.signal(signal), at: Sample.moment(60).boot), at: 60)
        let second = machine.openAlarms[0].id
        let cancelled = machine.handle(.abort(.alarm(second), anna), at: Sample.moment(61).boot)
        #expect(end(cancelled, at: 61) == true)
        let closed = machine.handle(.resolve(.alarm(first), anna), at: Sample.moment(62).boot)
        #expect(end(closed, at: 62) == false)
    }

    @Test mutating func `is told again after an end where a message arrives that had reached nobody`() {
        func ends(_ actions: [SOSAction]) -> [[ChannelID]] {
            actions.compactMap { progress.word(after: $0) }.compactMap { word in
                if case .ended(let notice, _, _) = word {
                    notice.state.timeline.handedOver.keys.sorted { $0.text < $1.text }
                } else {
                    nil
                }
            }
        }
        channel(Self.mqtt, at: 4) { .dispatched($0) }
        let alarm = machine.openAlarms[0].id
        let act = PersonAct(by: "Maria", means: .button)
        #expect(ends(machine.handle(.abort(.alarm(alarm), act), at: Sample.moment(6).boot)) == [[]])
        let late = machine.handle(
            .channel(Self.mqtt, .handedOver(alarm, .confirmed)), at: Sample.moment(7).boot)
        #expect(ends(late) == [[Self.mqtt]])
        let again = machine.handle(
            .channel(Self.other, .handedOver(alarm, .confirmed)), at: Sample.moment(8).boot)
        #expect(ends(again).isEmpty)
    }

    @Test mutating func `is told once: called, and arrived with the first machine that has it`() {
        channel(Self.mqtt, at: 4) { .handedOver($0, .confirmed) }
        channel(Self.other, at: 5) { .handedOver($0, .confirmed) }
        hear(machine.advance(to: Sample.moment(40).boot))
        #expect(steps == ["called", "arrived"])
    }

    @Test mutating func `is not reached where no machine has acknowledged for two seconds`() {
        hear(machine.advance(to: Sample.moment(4.9).boot))
        #expect(steps == ["called"])
        hear(machine.advance(to: Sample.moment(5).boot))
        #expect(steps == ["called", "not reached"])
        channel(Self.other, at: 9) { .handedOver($0, .confirmed) }
        #expect(steps == ["called", "not reached", "arrived"])
    }

    @Test mutating func `is not told by what is said of an early notice`() {
        channel(Self.mqtt, at: 4) { .handedOver($0, .pending) }
        #expect(steps == ["called"])
        channel(Self.mqtt, at: 4.5) { .handedOver($0, .confirmed) }
        #expect(steps == ["called", "arrived"])
    }

    @Test mutating func `is not reached only where every way has failed`() {
        channel(Self.mqtt, at: 4) { .failed($0, .confirmed, reason: "gone") }
        let afterOne = steps
        channel(Self.other, at: 5) { .failed($0, .confirmed, reason: "gone") }
        #expect(afterOne == ["called"])
        #expect(steps == ["called", "not reached"])
    }
}

@Suite struct `The parts of the alarm in the house` {
    private func conditions(
        _ house: GatewaySettings.House, _ happen: (HouseHealth) -> Void
    ) -> Set<HealthCode> {
        let holding = Mutex<Set<HealthCode>>([])
        let health = HouseHealth(house) { condition, holds in
            holding.withLock { if holds { $0.insert(condition.code) } else { $0.remove(condition.code) } }
        }
        happen(health)
        return holding.withLock(\.self)
    }

    private func house(_ lines: String) throws -> GatewaySettings.House {
        var sample = SettingsSample()
        sample.more = "[house]\n" + lines
        return try sample.load().house
    }

    @Test func `leave a house unalarmed only when none of them works`() throws {
        let found = conditions(try house("")) {
            $0.console(works: false)
            $0.part(.voice, works: false)
        }
        #expect(found == [.houseVoiceless])
        let all = conditions(try house("")) {
            $0.console(works: false)
            $0.part(.sound, works: false)
        }
        #expect(all == [.houseSilent, .houseUnalarmed])
        let back = conditions(try house("")) {
            $0.console(works: false)
            $0.part(.sound, works: false)
            $0.part(.sound, works: true)
        }
        #expect(back == [])
    }

    @Test func `count only where there are any`() throws {
        let found = conditions(try house("sound = false")) { $0.console(works: false) }
        #expect(found == [.houseUnalarmed])
        let lit = conditions(try house("sound = false\n[house.lamp]\nline = 17")) { $0.console(works: false) }
        #expect(lit == [])
    }

    @Test func `sound and speak where nothing is written`() throws {
        let house = try SettingsSample().load().house
        #expect(house.sound == .device("default") && house.voiceSpeed == 140)
        #expect(house.lamp == nil && house.button == nil)
    }

    @Test(arguments: [
        ("sound = false\nwav_directory = \"/x\"", "sound = false"),
        ("sound_device = \"hw:0\"\nwav_directory = \"/x\"", "expected one of the two"),
        ("loudness_start = 0.9\nloudness_max = 0.5", "no more than loudness_max"),
        ("[house.lamp]\nchip = \"gpiochip0\"", "add line"),
        ("[house.button]\nline = 27\nperson = \"mario\"", "did you mean \"maria\""),
        (
            "[house.button]\nline = 27\n[[person]]\nid = \"paolo\"\nname = \"Paolo\"",
            "say for whom a hold calls help"
        ),
    ])
    func `stop the start where they are wrong`(lines: String, words: String) {
        var sample = SettingsSample()
        sample.more = "[house]\n" + lines
        let found = sample.complaints
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }
}
