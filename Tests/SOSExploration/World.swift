import GatewayModel
import SOSLocal

/// One state of an explored house: the real machine, its written snapshot, the messages in transit at the channels, and
/// the ledger that checks the promises.
struct World: Sendable {
    /// The distinguishing part of a state. The rest of the machine's memory (trend, newest values) changes the content
    /// of messages and never the actions. The last undated value is an exception, which the ledger has too.
    struct Key: Hashable {
        let now: BootInstant
        let machine: [SOSSnapshot.Watch]
        let written: [SOSSnapshot.Watch]
        let mail: Mail
        let ledger: Ledger
        let faults: Int
        let dead: Set<ChannelID>
    }

    private(set) var now = ExploredHouse.start
    private(set) var ledger: Ledger
    private let house: ExploredHouse
    private var machine: SOSMachine
    private var written: SOSSnapshot
    /// The written snapshot before the last decision.
    private var writtenBefore: SOSSnapshot
    private var mail = Mail()
    /// Number of crashes, power cuts and clock steps so far: bounded, to end the exploration.
    private var faults = 0
    private var wallOffset = Duration.zero
    /// Channels that are known to be dead.
    private var dead: Set<ChannelID> = []
    /// Number of events since time last advanced.
    private var serial = 0

    init(_ house: ExploredHouse) {
        self.house = house
        machine = house.machine(at: now)
        written = machine.snapshot
        writtenBefore = written
        ledger = Ledger(plan: house.plan)
    }

    var key: Key {
        Key(
            now: now, machine: machine.snapshot.watches, written: writtenBefore.watches, mail: mail,
            ledger: ledger, faults: faults, dead: dead)
    }

    /// Choices that a second person does not change: the houses of one person have them.
    private static let ofOnePerson: Set<Choice> = [
        .fix, .fail, .channelDies, .channelLives, .failLastWord, .clockStep, .reload, .resolve, .crashForAWhile,
        .orderlyRestart,
    ]

    /// The choices in this state.
    func choices(faultsAllowed: Int) -> [Choice] {
        let isOpen = !machine.openAlarms.isEmpty
        let isSafe = faults >= faultsAllowed
        return Choice.allCases.filter { choice in
            if house.isShared, Self.ofOnePerson.contains(choice) { return false }
            return switch choice {
            case .wait: true
            case .racingHeart, .calmHeart, .undatedPressure, .doubtfulRacing, .doubtfulCalm, .jump,
                .doubtfulPressure, .goodPressure:
                house.hears.contains(choice)
            case .waitABit: machine.nextDeadline != nil
            case .sosButton, .drill: house.isShared || !isOpen
            case .sosButtonOfGino, .drillOfGino, .testButtons: house.isShared
            case .cancelPress: house.isShared && isOpen
            case .fix: !isOpen
            case .abort, .reload: true
            case .resolve, .callHelp: isOpen
            case .acknowledge, .fail, .accept: mail.oldestOrder != nil
            case .channelDies: firstLive != nil
            case .channelLives: firstDead != nil
            case .acknowledgeLastWord, .failLastWord: mail.oldestLastWord != nil
            case .crash, .crashBeforeWriting, .crashForAWhile, .powerCut, .clockStep, .orderlyRestart: !isSafe
            }
        }
    }

    // MARK: Steps

    mutating func perform(_ choice: Choice) {
        switch choice {
        case .wait: wait(untilNextDeadline)
        case .waitABit: wait(untilNextDeadline / 2)
        case .racingHeart: tell(.reading(reading(150)))
        case .calmHeart: tell(.reading(reading(72)))
        case .undatedPressure: tell(.reading(undatedPressure()))
        case .doubtfulRacing: tell(.reading(reading(150, .poorSignal)))
        case .doubtfulCalm: tell(.reading(reading(72, .poorSignal)))
        case .jump: tell(.reading(reading(150, .jump)))
        case .doubtfulPressure: tell(.reading(pressure(220, .bodyMovement)))
        case .goodPressure: tell(.reading(pressure(120)))
        case .sosButton: tell(.signal(press()))
        case .callHelp: tell(.callHelp(press(), ExploredHouse.maria))
        case .drill: tell(.drill(drill()))
        case .sosButtonOfGino: tell(.signal(press(of: ExploredHouse.gino)))
        case .testButtons:
            tell(.testButtons(ExploredHouse.person, until: now.advanced(by: .seconds(20))))
        case .drillOfGino: tell(.drill(drill(of: ExploredHouse.gino)))
        case .fix: tell(.fix(fix()))
        case .abort: tell(.abort(.theOpenOne, ExploredHouse.maria))
        case .cancelPress:
            tell(
                .abort(.openOf(ExploredHouse.person, pressedOn: ExploredHouse.tag), ExploredHouse.press))
        case .resolve: tell(.resolve(.theOpenOne, ExploredHouse.maria))
        case .acknowledge: report { .handedOver($0.alarm, $0.stage) }
        case .fail: report { .failed($0.alarm, $0.stage, reason: "no line") }
        case .accept: accept()
        case .channelDies: change(firstLive, isLive: false)
        case .channelLives: change(firstDead, isLive: true)
        case .acknowledgeLastWord: reportLastWord { .retracted($0) }
        case .failLastWord: reportLastWord { .retractionFailed($0, reason: "no line") }
        case .crash: restart(from: written, after: .known)
        case .crashBeforeWriting:
            ledger.forget(allBut: writtenBefore)
            restart(from: writtenBefore, after: .known)
        case .crashForAWhile:
            now = now.advanced(by: .seconds(2))
            ledger.wasAway(.seconds(2))
            restart(from: written, after: .known)
        case .powerCut: restart(from: written, after: .unknown)
        case .clockStep:
            faults += 1
            wallOffset += .seconds(3_600)
        case .reload: tell(.plans(house.plans, ExploredHouse.place))
        case .orderlyRestart:
            tell(.stopping)
            restart(from: written, after: .known)
        }
        ledger.check(machine, at: now)
    }

    private var untilNextDeadline: Duration {
        machine.nextDeadline.map { now.duration(to: $0) } ?? house.idleStep
    }

    /// Waits as the engine does: never beyond the machine's own deadline.
    private mutating func wait(_ duration: Duration) {
        // The disk has the snapshot by then.
        writtenBefore = written
        let end = now.advanced(by: duration)
        while let due = machine.nextDeadline, due <= end {
            now = max(now, due)
            note(machine.advance(to: now))
        }
        now = end
        serial = 0
        note(machine.advance(to: now))
    }

    private mutating func tell(_ event: SOSEvent) {
        serial += 1
        ledger.happened(event, at: now)
        note(machine.handle(event, at: now))
    }

    private mutating func note(_ actions: [SOSAction]) {
        for action in actions {
            mail.note(action)
            ledger.note(action, at: now)
        }
        // The engine writes after the actions, if the snapshot has changed.
        if !machine.snapshot.saysTheSame(as: written) {
            writtenBefore = written
            written = machine.snapshot
        }
        for (channel, alarm) in mail.taken() {
            note(machine.handle(.channel(channel, .dispatched(alarm)), at: now))
        }
    }

    private mutating func restart(from snapshot: SOSSnapshot, after absence: Absence) {
        faults += 1
        mail = Mail()
        ledger.restarted(from: snapshot, after: absence, at: now)
        machine = house.machine(at: now)
        note(machine.resume(snapshot, after: absence))
        // Each channel reports it again as it starts.
        for channel in house.plan.ways.channels where dead.contains(channel) {
            note(machine.handle(.channelState(channel, isLive: false), at: now))
        }
        ledger.resumed(at: now)
        writtenBefore = written
    }

    // MARK: Channels

    private var firstLive: ChannelID? { house.plan.ways.channels.first { !dead.contains($0) } }
    private var firstDead: ChannelID? { house.plan.ways.channels.first { dead.contains($0) } }

    private mutating func change(_ channel: ChannelID?, isLive: Bool) {
        guard let channel else { return }
        if isLive { dead.remove(channel) } else { dead.insert(channel) }
        tell(.channelState(channel, isLive: isLive))
    }

    private mutating func report(_ word: (Mail.Order) -> ChannelEvent) {
        guard let order = mail.oldestOrder else { return }
        mail.answered(order)
        tell(.channel(order.channel, word(order)))
    }

    private mutating func accept() {
        guard let order = mail.oldestOrder else { return }
        let person = machine.openAlarms.first { $0.id == order.alarm }?.cause.person
        tell(
            .channel(
                order.channel,
                .accepted(order.alarm, of: person ?? ExploredHouse.person, by: "Operator 7")))
    }

    private mutating func reportLastWord(_ word: (AlarmID) -> ChannelEvent) {
        guard let (channel, alarm) = mail.oldestLastWord else { return }
        mail.answeredLastWord(channel, alarm)
        tell(.channel(channel, word(alarm)))
    }

    // MARK: Inputs

    private var moment: Moment {
        let wall = 1_790_000_000_000 + now.nanoseconds / 1_000_000 + wallOffset.wholeMilliseconds
        return Moment(boot: now, wall: WallTime(millisecondsSince1970: wall))
    }

    /// Returns an id from the time, the kind and the number of events at this instant: the same history gives the same
    /// ids, and no id occurs twice.
    private func id(_ kind: UInt64) -> MessageID {
        var fixed = Fixed(value: (kind << 32 | UInt64(serial)) &* 0x9E37_79B9_7F4A_7C15)
        return MessageID(wall: WallTime(millisecondsSince1970: now.nanoseconds / 1_000_000), using: &fixed)
    }

    private struct Fixed: RandomNumberGenerator {
        let value: UInt64
        mutating func next() -> UInt64 { value }
    }

    private func reading(_ bpm: Double, _ doubts: Doubts = []) -> Reading {
        Reading(
            id: id(UInt64(bpm)), person: ExploredHouse.person, device: ExploredHouse.strap,
            quantity: Quantity(.heartRate, bpm), contact: .detected, arrival: moment, doubts: doubts)
    }

    private func pressure(_ value: Double, _ doubts: Doubts = []) -> Reading {
        Reading(
            id: id(UInt64(value)), person: ExploredHouse.person, device: ExploredHouse.cuff,
            quantity: Quantity(.systolicPressure, value), contact: .unknown, sampling: .spot, arrival: moment,
            doubts: doubts)
    }

    private func undatedPressure() -> Reading {
        Reading(
            id: id(3), person: ExploredHouse.person, device: ExploredHouse.cuff,
            quantity: Quantity(.systolicPressure, 220), contact: .unknown, currency: .undated, sampling: .spot,
            arrival: moment)
    }

    private func press(of person: PersonID = ExploredHouse.person) -> WearableSignal {
        WearableSignal(
            id: id(person == ExploredHouse.gino ? 4 : 1), person: person, device: ExploredHouse.tag,
            kind: .sosButton, arrival: moment)
    }

    private func drill(of person: PersonID = ExploredHouse.person) -> Drill {
        Drill(
            id: id(person == ExploredHouse.gino ? 5 : 2), person: person, act: ExploredHouse.maria,
            arrival: moment)
    }

    private func fix() -> Fix {
        let coordinates = Coordinates(latitude: 45.46, longitude: 9.19)
        return Fix(
            coordinates: coordinates ?? Coordinates.origin, altitude: nil, horizontalError: 5, arrival: moment)
    }
}

extension Coordinates {
    fileprivate static var origin: Coordinates { Coordinates(latitude: 0, longitude: 0)! }
}
