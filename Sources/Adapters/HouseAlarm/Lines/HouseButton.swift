import GatewayModel
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
