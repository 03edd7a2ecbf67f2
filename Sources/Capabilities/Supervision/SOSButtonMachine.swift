import Alarms
package import GatewayModel
package import Hub
package import Vault

/// Supervision of the SOS buttons and broadcasters: when each was heard and pressed, and the test that asks the wearer of a
/// button for a press.
///
/// This machine only learns of a press, and never holds it back: the SOS rules tell a test from a call for help. Any press
/// counts as the test.
/// Times that must outlive a restart are wall times. They are judged only while the clock is set; until then instants of
/// the monotonic clock wait in memory. Pure: events and instants in, conditions and words out.
package struct SOSButtonMachine: Sendable {
    /// Time after which a broadcaster that was never heard is reported: an installer is still in reach then.
    package static let neverHeardLimit = Duration.seconds(3_600)
    /// Time from the first request to the condition.
    package static let answerLimit = Duration.seconds(24 * 3_600)
    /// Least time between two requests of one button.
    package static let reminderInterval = Duration.seconds(4 * 3_600)
    /// Time after a request in which a press is a test, and calls no help.
    package static let testLimit = AlarmService.testLimit
    /// A press within this time after a request is thanked for; one within `testLimit` is thanked for as it comes.
    package static let thanksLimit = Duration.seconds(1_800)
    /// Pause before the thanks: the alarm of the press has begun by then.
    package static let thanksPause = Duration.seconds(5)
    /// Difference of the last sign of life that is worth a write to the disk.
    static let heardResolution = Duration.seconds(600)

    /// A device of the settings.
    package struct Button: Hashable, Sendable {
        package let id: DeviceID
        package let address: DeviceAddress
        package let person: PersonID
        /// A press of it calls for help.
        package let isSOSButton: Bool
        package let isBroadcaster: Bool

        package init(
            id: DeviceID, address: DeviceAddress, person: PersonID, isSOSButton: Bool, isBroadcaster: Bool
        ) {
            (self.id, self.address, self.person) = (id, address, person)
            (self.isSOSButton, self.isBroadcaster) = (isSOSButton, isBroadcaster)
        }
    }

    /// Facts about the house at one instant.
    package struct Situation: Sendable {
        package let now: Moment
        /// Time without a press before a test; nil where no button is tested.
        package let interval: Duration?
        package let isClockSet: Bool
        /// Those in the house may be spoken to.
        package let isAwake: Bool
        package let personsInAlarm: Set<PersonID>

        package init(
            now: Moment, interval: Duration?, isClockSet: Bool, isAwake: Bool, personsInAlarm: Set<PersonID>
        ) {
            (self.now, self.interval, self.isClockSet) = (now, interval, isClockSet)
            (self.isAwake, self.personsInAlarm) = (isAwake, personsInAlarm)
        }
    }

    package enum Word: Hashable, Sendable {
        case ask(DeviceID, PersonID)
        case thank(PersonID)
    }

    package struct Outcome: Sendable {
        package var changes: [HealthChange] = []
        package var words: [Word] = []
        /// Changes of `state.sqlite`.
        package var rows: [StateChange] = []
    }

    /// State of one button, for people and programs.
    package struct State: Hashable, Sendable {
        package let button: Button
        package let record: SOSButtonRecord
        /// Nil where no test is planned.
        package let due: WallTime?
        package let isMissed: Bool
    }

    private struct Watched: Sendable {
        var button: Button
        var record: SOSButtonRecord
        var stored: SOSButtonRecord?
        let begin: BootInstant
        /// Heard in an earlier run, at an unknown time.
        var isKnown: Bool
        // Instants that the record does not have yet.
        var heard: BootInstant?
        var pressed: BootInstant?
        /// Last request that this run has spoken.
        var spoken: BootInstant?
        /// A press that waits for its thanks.
        var answer: BootInstant?
        var isMissed = false

        var wasHeard: Bool { isKnown || heard != nil || record.heard != nil }
    }

    private var watched: [DeviceID: Watched] = [:]
    /// Records of the last run, until their devices are first supervised.
    private var earlier: [DeviceID: SOSButtonRecord]
    /// Broadcasters that were heard before this supervision existed.
    private let known: Set<DeviceID>

    /// - Parameters:
    ///   - records: those of the last run.
    ///   - known: broadcasters of which another store says that they were heard.
    package init(_ buttons: [Button], records: [SOSButtonRecord], known: Set<DeviceID>, at now: BootInstant) {
        earlier = Dictionary(records.map { ($0.device, $0) }) { first, _ in first }
        self.known = known
        _ = replace(buttons, at: now)
    }

    /// Replaces the devices. Conditions and rows of those that were removed end.
    package mutating func replace(_ buttons: [Button], at now: BootInstant) -> Outcome {
        var outcome = Outcome()
        let ids = Set(buttons.map(\.id))
        for id in watched.keys where !ids.contains(id) {
            watched[id] = nil
            outcome.changes += Self.changes(of: id, isMissed: false, isNeverHeard: false)
            outcome.rows.append(.remove(.sosButton, key: id.text))
        }
        for button in buttons {
            if watched[button.id]?.button.address == button.address {
                watched[button.id]?.button = button
                continue
            }
            let record = earlier.removeValue(forKey: button.id).flatMap {
                $0.address == button.address ? $0 : nil
            }
            let isFirst = watched[button.id] == nil
            watched[button.id] = Watched(
                button: button, record: record ?? SOSButtonRecord(device: button.id, address: button.address),
                stored: record, begin: now, isKnown: isFirst && known.contains(button.id))
        }
        return outcome
    }

    /// Records a sign of life.
    package mutating func heard(_ device: DeviceID, at now: BootInstant) {
        watched[device]?.heard = now
    }

    /// Records a press that has called for help. It passes the test.
    package mutating func pressed(_ device: DeviceID, at now: BootInstant) {
        watched[device]?.heard = now
        watched[device]?.pressed = now
        if watched[device]?.record.asked != nil { watched[device]?.answer = now }
        watched[device]?.record.asked = nil
        watched[device]?.record.reminded = nil
        watched[device]?.isMissed = false
    }

    package mutating func battery(_ device: DeviceID, percent: Int, at now: BootInstant) {
        watched[device]?.heard = now
        watched[device]?.record.battery = percent
    }

    /// Judges every button; call once a second.
    package mutating func tick(_ situation: Situation) -> Outcome {
        var outcome = Outcome()
        for id in watched.keys.sorted(by: { $0.text < $1.text }) { judge(id, situation, &outcome) }
        return outcome
    }

    /// Changes of every row that differs from the disk's, for a stop.
    package mutating func unsavedRows() -> [StateChange] {
        watched.keys.sorted { $0.text < $1.text }.compactMap { save($0, isHeardEnough: true) }
    }

    /// In the order of their IDs.
    package func states(interval: Duration?) -> [State] {
        watched.values.sorted { $0.button.id.text < $1.button.id.text }.map { state in
            State(
                button: state.button, record: state.record, due: Self.due(state, interval),
                isMissed: state.isMissed)
        }
    }

    // MARK: One button

    private mutating func judge(_ id: DeviceID, _ situation: Situation, _ outcome: inout Outcome) {
        guard var state = watched[id] else { return }
        let now = situation.now
        if let answer = state.answer, answer.duration(to: now.boot) >= Self.thanksPause,
            !situation.personsInAlarm.contains(state.button.person)
        {
            let isRecent =
                state.spoken.map { (Self.testLimit...Self.thanksLimit).contains($0.duration(to: answer)) }
                ?? false
            if isRecent { outcome.words.append(.thank(state.button.person)) }
            (state.answer, state.spoken) = (nil, nil)
        }
        if situation.isClockSet {
            Self.date(&state, at: now)
            Self.test(&state, situation, &outcome)
        }
        let isOld =
            state.begin.duration(to: now.boot) >= Self.neverHeardLimit
            || situation.isClockSet
                && state.record.since.map { $0.duration(to: now.wall) >= Self.neverHeardLimit } ?? false
        watched[id] = state
        outcome.changes += Self.changes(
            of: id, isMissed: state.isMissed,
            isNeverHeard: state.button.isBroadcaster && !state.wasHeard && isOld)
        if let row = save(id, isHeardEnough: false) { outcome.rows.append(row) }
    }

    /// Turns the instants of this run into wall times. A time ahead of the clock was recorded under a wrong clock.
    private static func date(_ state: inout Watched, at now: Moment) {
        func wall(_ instant: BootInstant) -> WallTime { now.wall.earlier(by: instant.duration(to: now.boot)) }
        func bounded(_ time: WallTime?) -> WallTime? { time.map { min($0, now.wall) } }
        let record = state.record
        state.record.heard = state.heard.map(wall) ?? bounded(record.heard)
        state.record.pressed = state.pressed.map(wall) ?? bounded(record.pressed)
        state.record.since = bounded(record.since) ?? now.wall
        (state.record.asked, state.record.reminded) = (bounded(record.asked), bounded(record.reminded))
    }

    private static func due(_ state: Watched, _ interval: Duration?) -> WallTime? {
        guard let interval, state.button.isSOSButton, let since = state.record.pressed ?? state.record.since
        else { return nil }
        return since.earlier(by: .zero - interval)
    }

    private static func test(_ state: inout Watched, _ situation: Situation, _ outcome: inout Outcome) {
        let now = situation.now
        guard let due = due(state, situation.interval), due <= now.wall else {
            (state.record.asked, state.record.reminded, state.isMissed) = (nil, nil, false)
            return
        }
        state.isMissed = state.record.asked.map { $0.duration(to: now.wall) >= answerLimit } ?? false
        let isRecent = state.record.reminded.map { $0.duration(to: now.wall) < reminderInterval } ?? false
        guard situation.isAwake, !situation.personsInAlarm.contains(state.button.person), !state.isMissed,
            !isRecent
        else { return }
        state.record.asked = state.record.asked ?? now.wall
        state.record.reminded = now.wall
        state.spoken = now.boot
        outcome.words.append(.ask(state.button.id, state.button.person))
    }

    /// - Parameter isHeardEnough: whether a newer sign of life alone is worth a write.
    private mutating func save(_ id: DeviceID, isHeardEnough: Bool) -> StateChange? {
        guard let state = watched[id], state.record != state.stored else { return nil }
        if let stored = state.stored, !isHeardEnough {
            var fresh = state.record
            let isNews = fresh.heard.map { heard in
                stored.heard.map { $0.duration(to: heard) >= Self.heardResolution } ?? true
            }
            // The level of a battery can wait, too.
            (fresh.heard, fresh.battery) = (stored.heard, stored.battery)
            guard isNews == true || fresh != stored else { return nil }
        }
        watched[id]?.stored = state.record
        return state.record.change
    }

    private static func changes(of id: DeviceID, isMissed: Bool, isNeverHeard: Bool) -> [HealthChange] {
        [
            HealthChange(condition: HealthCondition(.sosButtonUntested, subject: id.text), holds: isMissed),
            HealthChange(
                condition: HealthCondition(.wearableNeverHeard, subject: id.text), holds: isNeverHeard),
        ]
    }
}

extension WallTime {
    fileprivate func earlier(by duration: Duration) -> WallTime {
        WallTime(millisecondsSince1970: millisecondsSince1970 - duration.wholeMilliseconds)
    }

    fileprivate func duration(to later: WallTime) -> Duration {
        .milliseconds(later.millisecondsSince1970 - millisecondsSince1970)
    }
}
