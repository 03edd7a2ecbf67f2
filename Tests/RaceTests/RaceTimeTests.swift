import GatewayModel
import RunBeacon
import Samples
import TestSupport
import Testing

@testable import Hub
@testable import Race
@testable import RealTime

@Suite struct `The time of a race, from the machine` {
    private func kernel(
        _ seconds: Double, step: Int64 = 0, _ discipline: KernelClock.Discipline = .none,
        maximum: Duration = .zero, estimated: Duration = .zero
    ) -> KernelClock {
        KernelClock(
            boot: Sample.moment(seconds).boot,
            wall: Sample.moment(seconds).wall.millisecondsSince1970 * 1_000_000 + step, spread: .zero,
            discipline: discipline, maximumError: maximum, estimatedError: estimated)
    }

    @Test func `is told the kernel's own clocks, as they are now`() {
        let (before, look, after) = (Clock.moment(), KernelClock.look(), Clock.moment())
        #expect(before.boot <= look.boot && look.boot <= after.boot)
        let milliseconds = look.wall / 1_000_000
        #expect(abs(milliseconds - before.wall.millisecondsSince1970) < 60_000)
        #expect(look.spread >= .zero && look.maximumError >= .zero && look.estimatedError >= .zero)
        // On any machine: the clock is not synchronised, or it is and the source is named.
        #expect((look.discipline == .none) == !Clock.isSynchronised)
        let observation = ClockObservation(look)
        #expect((observation == nil) == (look.discipline == .none))
        if let observation { #expect(observation.bound >= .milliseconds(1)) }
    }

    @Test func `does not come from a kernel that nobody keeps right`() {
        let changes = Recorder<RaceTime.Change>()
        let time = RaceTime(onChange: changes.add)
        for second in 0..<100 { time.look(kernel(Double(second))) }
        #expect(!time.isSet && changes.values.isEmpty)
        #expect(time.time(of: Sample.moment(50).boot).time == Sample.moment(50).wall)
        #expect(time.flags(from: Sample.moment(1).boot, to: Sample.moment(2).boot) == [.clockUnset])
    }

    @Test
    func `comes from one that is kept right, with what that says of its error and never less than a network's`()
    {
        let time = RaceTime { _ in }
        for second in 0..<10 { time.look(kernel(Double(second), .program, maximum: .milliseconds(180))) }
        let told = time.time(of: Sample.moment(9).boot)
        #expect(told.time == Sample.moment(9).wall && told.clock.source == .ntp)
        #expect(told.clock.bound.map { $0 >= .milliseconds(180) && $0 < .milliseconds(182) } == true)
        #expect(ClockObservation(kernel(1, .program))?.bound == .milliseconds(50))
        #expect(ClockObservation(kernel(1, .pulse))?.source == .pps)
    }

    @Test func `names whoever contradicts it, to whoever asks the clock of the race`() {
        let time = RaceTime { _ in }
        let clock: any RaceTimekeeping = time
        for second in 0..<10 { time.look(kernel(Double(second), .program)) }
        #expect(clock.isSet && clock.disputing(at: Sample.moment(9).boot).isEmpty)
        // Three seconds off: a pulse that is numbered wrongly.
        time.look(kernel(10, step: 3_000_000_000, .pulse))
        #expect(clock.disputing(at: Sample.moment(10).boot) == [.pps])
        #expect(clock.time(of: Sample.moment(10).boot).time == Sample.moment(10).wall)
        #expect(clock.disputing(at: Sample.moment(41).boot).isEmpty, "silent for half a minute")
    }

    @Test func `tells for the record when it is set, by whom, and now and then how it is`() {
        let changes = Recorder<RaceTime.Change>()
        let time = RaceTime(onChange: changes.add)
        for second in 0...1_300 { time.look(kernel(Double(second), .program)) }
        #expect(changes.values.map(\.verdict) == [.set, nil, nil])
        #expect(changes.values.map(\.mark.source) == [.ntp, .ntp, .ntp])
        for second in 1_301...1_340 { time.look(kernel(Double(second))) }
        #expect(changes.values.last?.mark.source == .freeRunning, "nobody keeps it right any more")
        #expect(changes.values.count == 4)
    }

    @Test func `goes on after a restart of the program in the same start of the machine`() throws {
        let changes = Recorder<RaceTime.Change>()
        let time = RaceTime(onChange: changes.add)
        for second in 0...10 { time.look(kernel(Double(second), .program)) }
        let again = RaceTime { _ in }
        again.restore(try #require(changes.values.last?.mark))
        #expect(again.isSet)
        #expect(again.time(of: Sample.moment(60).boot).clock.source == .freeRunning)
    }
}
