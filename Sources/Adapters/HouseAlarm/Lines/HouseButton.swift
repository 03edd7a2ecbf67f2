import Audio
public import GatewayModel
import RealTime
import Synchronization

/// The big button, on a thread of its own.
final class HouseButton: HouseThread {
    let threadName = "house-button"
    private let settings: HouseAlarmSettings.Button
    private let lines: any GPIOLines
    private let health: PartHealth
    private let pressed: @Sendable (ButtonPress) -> Void
    private let wakeup: Wakeup
    private let isStopping = Atomic(false)

    /// After a failure.
    private static let retryInterval = Duration.seconds(5)

    /// - Parameter pressed: called on the button's thread.
    init(
        _ settings: HouseAlarmSettings.Button, of lines: any GPIOLines, health: PartHealth,
        pressed: @escaping @Sendable (ButtonPress) -> Void
    ) throws(SystemCallError) {
        wakeup = try Wakeup()
        self.settings = settings
        self.lines = lines
        self.health = health
        self.pressed = pressed
    }

    func stop() {
        isStopping.store(true, ordering: .releasing)
        wakeup.signal()
    }

    private var isStopped: Bool { isStopping.load(ordering: .acquiring) }

    func loop() {
        while !isStopped {
            do throws(HouseFailure) {
                let input = try health.during { () throws(HouseFailure) in
                    try lines.input(settings.line, pull: settings.pull, debounce: settings.debounce)
                }
                try watch(input)
            } catch {
                health.tell(error)
                _ = Poll.wait([Poll.Interest(wakeup.descriptor)], timeout: Self.retryInterval)
                wakeup.drain()
            }
        }
    }

    private func watch(_ input: any InputLine) throws(HouseFailure) {
        var presses = ButtonPresses(hold: settings.hold)
        let interests = [Poll.Interest(wakeup.descriptor), Poll.Interest(input.descriptor)]
        _ = presses.level(isDown: try input.isActive(), at: Clock.boot())
        while !isStopped {
            health.tell(presses.isStuck ? stuck : nil)
            let timeout = presses.deadline.map { max(Clock.boot().duration(to: $0), .zero) }
            let ready = Poll.wait(interests, timeout: timeout)
            let now = Clock.boot()
            if ready.readable[1] {
                for isDown in try input.takeChanges() { tell(presses.level(isDown: isDown, at: now)) }
            }
            tell(presses.advance(to: now))
        }
    }

    private func tell(_ presses: [ButtonPress]) {
        for press in presses { pressed(press) }
    }

    private var stuck: HouseFailure {
        HouseFailure(
            "the button at line \(settings.line.offset) of \(settings.line.path) reads as pressed since the start; "
                + "release it, or check its wiring and active_low (now \(settings.line.isActiveLow))")
    }
}

/// The big button was used. The gateway decides on its meaning: with an alarm open a press cancels, without one
/// a hold calls for help.
public struct ButtonPress: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// It has gone down. Told at once, since a window to cancel may be short.
        case pressed
        /// It has been down for the time of a hold, and still is. A press came before: one that has cancelled an
        /// alarm goes on to be a hold when the finger stays, and `began` tells that both are the same.
        case held
    }

    public let kind: Kind
    /// When it went down.
    public let began: BootInstant
    /// When this was so.
    public let instant: BootInstant

    public init(kind: Kind, began: BootInstant, instant: BootInstant) {
        self.kind = kind
        self.began = began
        self.instant = instant
    }
}

/// Turns the levels of the button's line into presses. Pure.
struct ButtonPresses: Hashable, Sendable {
    private let hold: Duration
    private var state = State.unknown

    private enum State: Hashable {
        /// Down since before anyone looked: no press, and not one before it has been up.
        case unknown
        case up
        case down(since: BootInstant, isHeld: Bool)
    }

    init(hold: Duration) {
        self.hold = hold
    }

    /// The level changed, or was read.
    mutating func level(isDown: Bool, at now: BootInstant) -> [ButtonPress] {
        switch (state, isDown) {
        case (.down(let began, _), false):
            let held = advance(to: now)
            // As long as that, in one look, is a hold too: the thread may have been late.
            state = .up
            return held.filter { _ in began.duration(to: now) >= hold }
        case (.unknown, false): state = .up
        case (.up, true):
            state = .down(since: now, isHeld: false)
            return [ButtonPress(kind: .pressed, began: now, instant: now)]
        case (.unknown, true), (.up, false), (.down, true): break
        }
        return []
    }

    mutating func advance(to now: BootInstant) -> [ButtonPress] {
        guard case .down(let began, false) = state, now >= began.advanced(by: hold) else { return [] }
        state = .down(since: began, isHeld: true)
        return [ButtonPress(kind: .held, began: began, instant: now)]
    }

    /// When it will be a hold.
    var deadline: BootInstant? {
        if case .down(let began, false) = state { began.advanced(by: hold) } else { nil }
    }

    /// Since it was first looked at, it has not been up.
    var isStuck: Bool { state == .unknown }
}
