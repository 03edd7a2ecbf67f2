import Audio
import GatewayModel
import RealTime
import SOSLocal
import Synchronization

/// The lamp: shows the highest priority of the open alarms, on a thread of its own; while nothing is, that the
/// box hears tags of a race.
final class HouseLamp: HouseThread {
    private enum Word {
        case house(HouseMessage)
        case tagHeard
    }

    let threadName = "house-lamp"
    private let words: Mailbox<Word>
    private let isStopping = Atomic(false)
    private let line: GPIOLine
    private let lines: any GPIOLines
    private let health: PartHealth
    private let annunciated: @Sendable (AlarmID, BootInstant) -> Void

    /// After a failure.
    private static let retryInterval = Duration.seconds(5)

    /// - Parameter annunciated: called on the lamp's thread, when it is first lit for an alarm.
    init(
        _ line: GPIOLine, of lines: any GPIOLines, health: PartHealth,
        annunciated: @escaping @Sendable (AlarmID, BootInstant) -> Void
    ) throws(SystemCallError) {
        words = try Mailbox()
        self.line = line
        self.lines = lines
        self.health = health
        self.annunciated = annunciated
    }

    /// From any thread, at once.
    func say(_ word: HouseMessage) {
        words.put(.house(word))
    }

    /// A short flash, where no alarm is open. From any thread, at once.
    func tagHeard() {
        words.put(.tagHeard)
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        words.wakeup.signal()
    }

    func loop() {
        var lamp = Lamp()
        var output: (any OutputLine)?
        while true {
            for word in words.take().values {
                switch word {
                case .house(let word): lamp.hear(word, at: Clock.boot())
                case .tagHeard: lamp.flash(at: Clock.boot())
                }
            }
            if isStopping.load(ordering: .acquiring) { break }
            var timeout = lamp.untilChange(at: Clock.boot())
            do throws(HouseFailure) {
                let line = try taken(&output)
                let now = Clock.boot()
                let isLit = lamp.isLit(at: now)
                try health.during { () throws(HouseFailure) in try line.set(isLit) }
                health.tell(nil)
                if isLit { for alarm in lamp.takeUntold() { annunciated(alarm, Clock.boot()) } }
            } catch {
                output = nil
                health.tell(error)
                timeout = Self.retryInterval
            }
            _ = Poll.wait([Poll.Interest(words.wakeup.descriptor)], timeout: timeout)
        }
        // A gateway that is stopped does not leave a lamp on that nobody can put out.
        try? output?.set(false)
    }

    private func taken(_ output: inout (any OutputLine)?) throws(HouseFailure) -> any OutputLine {
        if let output { return output }
        let taken = try health.during { () throws(HouseFailure) in try lines.output(line) }
        output = taken
        return taken
    }
}

/// State of the lamp. Pure.
struct Lamp: Hashable, Sendable {
    private var open: [AlarmID: AlarmPriority] = [:]
    private var untold: [AlarmID] = []
    private var pattern: LampPattern?
    private var since = BootInstant(nanoseconds: 0)
    private var flashEnd: BootInstant?

    /// Long enough to be seen in daylight, and no pattern of an alarm.
    private static let flash = Duration.milliseconds(60)

    /// Seen only while nothing is open.
    mutating func flash(at now: BootInstant) {
        flashEnd = now.advanced(by: Self.flash)
    }

    mutating func hear(_ word: HouseMessage, at now: BootInstant) {
        switch word {
        case .alarm(let notice):
            if open.updateValue(notice.priority, forKey: notice.alarm) == nil { untold.append(notice.alarm) }
        case .ended(let notice, _, _):
            open[notice.alarm] = nil
            untold.removeAll { $0 == notice.alarm }
        case .progress, .notRetracted, .allRight, .whoseIsMeant, .supervision, .helpReach, .settingsWrong,
            .buttonTest, .exercise, .batteryLow, .batteryCharged, .boxPower, .boxButton, .drillFailed,
            .devicePaired, .question:
            return
        }
        let shown = open.values.max().map(LampPattern.init)
        // A flash goes on evenly where nothing changes.
        if shown != pattern { (pattern, since) = (shown, now) }
    }

    func isLit(at now: BootInstant) -> Bool {
        guard let pattern else { return isFlashing(at: now) }
        return pattern.isLit(after: since.duration(to: now))
    }

    /// Nil where nothing changes by itself.
    func untilChange(at now: BootInstant) -> Duration? {
        guard let pattern else { return isFlashing(at: now) ? flashEnd.map { now.duration(to: $0) } : nil }
        return pattern.untilChange(after: since.duration(to: now))
    }

    private func isFlashing(at now: BootInstant) -> Bool { flashEnd.map { now < $0 } ?? false }

    /// The alarms for which it has not been lit before.
    mutating func takeUntold() -> [AlarmID] {
        defer { untold = [] }
        return untold
    }
}

/// How the lamp shows a priority, in the manner of IEC 60601-1-8, table 2 (1.4-2.8 Hz at high, 0.4-0.8 Hz at
/// medium, steady at low priority; unconfirmed but for a ventilator's 2 Hz with half of it on).
struct LampPattern: Hashable, Sendable {
    /// Half of a flash: so long on, so long off. Nil for steady light.
    let half: Duration?

    init(_ priority: AlarmPriority) {
        switch priority {
        case .high: half = .milliseconds(250)
        case .medium: half = .seconds(1)
        case .low: half = nil
        }
    }

    /// On first: it is seen at once.
    func isLit(after elapsed: Duration) -> Bool {
        guard let half else { return true }
        return (elapsed.wholeNanoseconds / half.wholeNanoseconds).isMultiple(of: 2)
    }

    /// From `elapsed` to the next change; nil for never.
    func untilChange(after elapsed: Duration) -> Duration? {
        half.map { .nanoseconds($0.wholeNanoseconds - elapsed.wholeNanoseconds % $0.wholeNanoseconds) }
    }
}
