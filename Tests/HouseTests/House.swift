import ModelSamples
import RealTime
import Synchronization

@testable import Audio
@testable import GatewayModel
@testable import HelpState
@testable import HouseAlarm
@testable import SOSLocal

/// A house for the tests of this target: people, notices and instants.
enum House {
    static let maria = PersonID(sample: "maria")
    static let giuseppe = PersonID(sample: "giuseppe")
    static let people = [
        maria: HousePerson(name: "Maria", language: .english),
        giuseppe: HousePerson(name: "Giuseppe", language: .italian),
    ]

    static func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    static func phrases(
        hasButton: Bool = true, mayCall: Bool = true, dead: Set<ChannelID> = []
    ) -> HousePhrases {
        HousePhrases(
            people: people, language: .english, hasButton: hasButton,
            facts: { _ in HelpFacts(mayCall: mayCall, dead: dead) })
    }

    /// A line to help that dies and comes back.
    final class Line: Sendable {
        private let isDown: Mutex<Bool>

        init(isDown: Bool) { self.isDown = Mutex(isDown) }

        func set(isDown new: Bool) { isDown.withLock { $0 = new } }

        var phrases: HousePhrases {
            HousePhrases(
                people: people, language: .english, hasButton: true,
                facts: { _ in HelpFacts(mayCall: true, dead: self.isDown.withLock(\.self) ? [channel] : []) })
        }
    }

    static func reading(_ value: Double, _ kind: QuantityKind = .heartRate, of person: PersonID = maria)
        -> Reading
    {
        let moment = Moment(boot: at(1), wall: WallTime(millisecondsSince1970: 1_790_000_000_000))
        return Reading(
            id: MessageID.random(at: moment.wall), person: person, device: DeviceID(sample: "strap"),
            quantity: Quantity(kind, value), contact: .detected, arrival: moment)
    }

    static func crossing(_ value: Double, _ kind: QuantityKind = .heartRate, of person: PersonID = maria)
        -> AlarmCause
    {
        .crossing(
            Crossing(
                reading: reading(value, kind, of: person),
                rule: LimitRule(
                    kind: kind, side: .high, limit: 131, confirmation: Confirmation(readings: 1, within: .zero),
                    hysteresis: 5)))
    }

    static func drill(of person: PersonID = maria) -> AlarmCause {
        let moment = Moment(boot: at(1), wall: WallTime(millisecondsSince1970: 1_790_000_000_000))
        return .drill(
            Drill(
                id: MessageID.random(at: moment.wall), person: person,
                act: PersonAct(by: "Luca", means: .console), arrival: moment))
    }

    static let channel = ChannelID(sample: "mqtt")

    static func notice(
        _ cause: AlarmCause = crossing(152), priority: AlarmPriority = .high, windowEnd: BootInstant? = nil,
        isNoticeGiven: Bool = false, call: Alarm.CallState = .trying, repetition: Int = 0,
        isDoubted: Bool = false
    ) -> AlarmNotice {
        let channels = call == .none ? [] : [channel]
        let plan = SOSPlan(
            person: cause.person, rules: [], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: channels, carers: channels))
        var alarm = Alarm(
            cause: cause, priority: priority, confirmation: at(1), plan: plan, isDoubted: isDoubted)
        if let windowEnd { alarm.phase = .window(end: windowEnd, notice: nil, nextTry: nil) }
        let notice = AlarmNotice(alarm, repetition: repetition)
        if isNoticeGiven { return AlarmNotice(state(notice, .noticeGiven), repetition: repetition) }
        guard windowEnd == nil else { return notice }
        let step: Call = call == .handedOver ? .arrived : repetition > 0 ? .notReached : .called
        return AlarmNotice(state(notice, step), repetition: repetition)
    }

    /// Step of a call.
    enum Call { case noticeGiven, called, notReached, arrived }

    /// The alarm of a notice after a step of its call.
    static func state(_ notice: AlarmNotice, _ call: Call) -> Alarm {
        var alarm = notice.state
        guard call != .noticeGiven else {
            for channel in alarm.channels {
                alarm.told[channel] = Alarm.Word(stage: .pending, state: .trying)
                alarm.handedOver(by: channel, .pending, at: at(2))
            }
            return alarm
        }
        alarm.phase = .calling(
            Alarm.Calling(
                round: 1, nextRound: at(1_000), nextTry: nil, reportDue: call == .notReached ? nil : at(1_000)))
        for channel in alarm.channels {
            alarm.told[channel] = Alarm.Word(stage: .confirmed, state: .trying)
            if call == .arrived { alarm.handedOver(by: channel, .confirmed, at: at(2)) }
        }
        return alarm
    }

    static func progress(_ notice: AlarmNotice, _ call: Call) -> HouseMessage { .progress(state(notice, call)) }

    /// The end of an alarm, as the machine reports it.
    static func ended(_ notice: AlarmNotice, _ ending: AlarmEnding) -> HouseMessage {
        var alarm = notice.state
        _ = alarm.end(ending, at: ending.instant)
        return .ended(AlarmNotice(alarm), ending)
    }
}

/// What happened, for a test that waits for it.
final class Record<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }

    /// The first that fits, waited for. The bound is for a test that fails, not a measure.
    func first(within bound: Duration = .seconds(30), where fits: (Value) -> Bool) async throws -> Value? {
        let end = ContinuousClock.now.advanced(by: bound)
        while ContinuousClock.now < end {
            if let value = all.first(where: fits) { return value }
            try await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }
}

extension Loudness {
    /// Default of the settings.
    static let usual = Loudness(start: 0.25, maximum: 1)
}

extension HouseAlarmSettings {
    /// An English house with a voice.
    init(sound: Sound, lamp: GPIOLine? = nil, button: Button? = nil) {
        self.init(
            sound: sound, loudness: .usual, voice: Voice(speed: 140), language: .english, lamp: lamp,
            button: button)
    }
}
