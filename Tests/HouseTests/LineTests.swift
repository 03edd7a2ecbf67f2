import GatewayModel
import Glibc
import RealTime
import Synchronization
import Testing

@testable import Audio
@testable import HouseAlarm
@testable import SOSLocal

/// Lines by script: what would be a lamp and a button.
final class ScriptedLines: GPIOLines {
    let shown = Record<Bool>()
    let button = Mutex<[Bool]>([])
    let edges: Wakeup
    let failure: Mutex<HouseFailure?>

    init(failure: HouseFailure? = nil) throws {
        edges = try Wakeup()
        self.failure = Mutex(failure)
    }

    func move(_ isDown: Bool) {
        button.withLock { $0.append(isDown) }
        edges.signal()
    }

    func output(_ line: GPIOLine) throws(HouseFailure) -> any OutputLine {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return Output(shown)
    }

    func input(_ line: GPIOLine, pull: LinePull, debounce: Duration) throws(HouseFailure) -> any InputLine {
        if let failure = failure.withLock({ $0 }) { throw failure }
        return Input(self)
    }

    private final class Output: OutputLine {
        let shown: Record<Bool>
        init(_ shown: Record<Bool>) { self.shown = shown }
        func set(_ isOn: Bool) { shown.add(isOn) }
    }

    private final class Input: InputLine {
        let lines: ScriptedLines
        init(_ lines: ScriptedLines) { self.lines = lines }
        var descriptor: Int32 { lines.edges.descriptor }
        func isActive() -> Bool { false }
        func takeChanges() -> [Bool] {
            lines.edges.drain()
            return lines.button.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
    }
}

@Suite struct `The lamp` {
    @Test func `flashes twice a second at high, every two seconds at medium, and shines at low priority`() {
        func changes(_ priority: AlarmPriority) -> Int {
            let pattern = LampPattern(priority)
            let lit = (0..<1_000).map { pattern.isLit(after: .milliseconds($0 * 10)) }
            #expect(lit[0])
            if priority != .low { #expect(lit.count { $0 } == 500) }
            return zip(lit, lit.dropFirst()).count { $0 != $1 }
        }
        #expect(changes(.high) == 39)
        #expect(changes(.medium) == 9)
        #expect(changes(.low) == 0)
        #expect(LampPattern(.high).untilChange(after: .milliseconds(260)) == .milliseconds(240))
        #expect(LampPattern(.low).untilChange(after: .zero) == nil)
    }

    @Test func `shows the highest of what is open`() {
        var lamp = Lamp()
        let (low, high) = (
            House.notice(House.crossing(120), priority: .low),
            House.notice(House.crossing(150), priority: .high)
        )
        #expect(!lamp.isLit(at: House.at(1)))
        lamp.hear(.alarm(low), at: House.at(1))
        #expect(lamp.untilChange(at: House.at(1)) == nil && lamp.isLit(at: House.at(9)))
        lamp.hear(.alarm(high), at: House.at(2))
        #expect(lamp.untilChange(at: House.at(2)) == .milliseconds(250) && !lamp.isLit(at: House.at(2.3)))
        lamp.hear(.alarm(high), at: House.at(2.1))
        #expect(lamp.untilChange(at: House.at(2.1)) == .milliseconds(150), "a repetition does not disturb it")
        let act = PersonAct(by: "Maria", means: .button)
        lamp.hear(.ended(high, .resolved(act, at: House.at(3))), at: House.at(3))
        #expect(lamp.untilChange(at: House.at(3)) == nil && lamp.isLit(at: House.at(3)))
        lamp.hear(.ended(low, .resolved(act, at: House.at(4))), at: House.at(4))
        #expect(!lamp.isLit(at: House.at(4)))
    }

    @Test func `flashes for a tag that is heard, and never instead of an alarm`() {
        var lamp = Lamp()
        lamp.flash(at: House.at(1))
        #expect(lamp.isLit(at: House.at(1)) && lamp.untilChange(at: House.at(1)) == .milliseconds(60))
        #expect(!lamp.isLit(at: House.at(1.06)) && lamp.untilChange(at: House.at(1.06)) == nil)
        lamp.hear(.alarm(House.notice(House.crossing(150), priority: .high)), at: House.at(2))
        lamp.flash(at: House.at(2.3))
        #expect(!lamp.isLit(at: House.at(2.3)), "dark between two flashes of the alarm")
    }
}

@Suite struct `The button` {
    @Test func `tells a press at once and a hold while it is still held`() {
        var presses = ButtonPresses(hold: .seconds(3))
        #expect(presses.level(isDown: false, at: House.at(1)) == [])
        #expect(
            presses.level(isDown: true, at: House.at(2)) == [
                ButtonPress(kind: .pressed, began: House.at(2), instant: House.at(2))
            ])
        #expect(presses.deadline == House.at(5))
        #expect(presses.advance(to: House.at(4.9)) == [])
        #expect(
            presses.advance(to: House.at(5)) == [
                ButtonPress(kind: .held, began: House.at(2), instant: House.at(5))
            ])
        #expect(presses.advance(to: House.at(9)) == [] && presses.deadline == nil)
        #expect(presses.level(isDown: false, at: House.at(10)) == [])
    }

    @Test func `tells no hold of a short press, and one of a long press that was seen late`() {
        var presses = ButtonPresses(hold: .seconds(3))
        _ = presses.level(isDown: false, at: House.at(1))
        _ = presses.level(isDown: true, at: House.at(2))
        #expect(presses.level(isDown: false, at: House.at(4.9)) == [])
        _ = presses.level(isDown: true, at: House.at(6))
        #expect(presses.level(isDown: false, at: House.at(20)).map(\.kind) == [.held])
    }

    @Test func `takes one that was down from the start for a fault, not for a call`() {
        var presses = ButtonPresses(hold: .seconds(3))
        #expect(presses.level(isDown: true, at: House.at(1)) == [])
        #expect(presses.isStuck && presses.deadline == nil)
        #expect(presses.level(isDown: false, at: House.at(60)) == [])
        #expect(!presses.isStuck)
        #expect(presses.level(isDown: true, at: House.at(61)).map(\.kind) == [.pressed])
    }
}

@Suite struct `The lines of the kernel` {
    private func failure(_ line: GPIOLine) -> String? {
        do throws(HouseFailure) {
            _ = try KernelLines().output(line)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `say which chip is missing and how to find those there are`() throws {
        let said = try #require(failure(GPIOLine(chip: "gpiochip987", offset: 3)))
        #expect(
            said.contains("/dev/gpiochip987") && said.contains("No such file") && said.contains("gpiodetect"))
    }

    @Test func `say that something is no chip`() throws {
        let said = try #require(failure(GPIOLine(chip: "/dev/null", offset: 3)))
        #expect(said.contains("line 3 of /dev/null") && said.contains("no GPIO chip"))
        #expect(throws: HouseFailure.self) {
            _ = try KernelLines().input(
                GPIOLine(chip: "/dev/zero", offset: 1), pull: .up, debounce: .milliseconds(20))
        }
    }

    @Test func `leave no descriptor behind when they refuse`() {
        func open() -> Int { (0..<1_024).count { fcntl(Int32($0), F_GETFD) >= 0 } }
        let before = open()
        for _ in 0..<200 { _ = failure(GPIOLine(chip: "/dev/null", offset: 0)) }
        #expect(open() < before + 100)
    }
}
