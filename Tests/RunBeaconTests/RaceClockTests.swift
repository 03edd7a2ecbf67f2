import GatewayModel
import RaceSimulation
import RunBeacon
import SeededRandom
import Testing

@Suite struct `The clock of a race` {
    /// Nanoseconds since 1970 at which the box of these tests was switched on.
    private static let truth: Int64 = 1_780_000_000_000_000_000

    private static func boot(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    /// - Parameters:
    ///   - error: of the source, seconds.
    ///   - bound: the error bound that it claims, seconds.
    private func told(
        _ source: ClockSource, at seconds: Double, wrongBy error: Double = 0, within bound: Double
    ) -> ClockObservation {
        ClockObservation(
            source: source, at: Self.boot(seconds),
            wall: Self.truth + Int64((seconds + error) * 1e9), bound: .nanoseconds(Int64(bound * 1e9)))
    }

    @discardableResult
    private func hear(
        _ clock: inout RaceClock, _ source: ClockSource, from first: Int, to last: Int,
        wrongBy error: Double = 0, within bound: Double = 0.4
    ) -> [RaceClock.Verdict] {
        (first...last).map {
            clock.observe(told(source, at: Double($0), wrongBy: error, within: bound))
        }
    }

    /// Returns the error in seconds of the answer for an instant.
    private func error(_ clock: RaceClock, at seconds: Double) -> Double {
        let told = clock.time(of: Self.boot(seconds)).time.millisecondsSince1970
        return Double(told - Self.truth / 1_000_000) / 1_000 - seconds
    }

    private func bound(_ clock: RaceClock, at seconds: Double) -> Double? {
        clock.state(at: Self.boot(seconds)).bound.map { Double($0.wholeNanoseconds) / 1e9 }
    }

    @Test func `that nothing has set shows what the system shows, and says that nobody knows how wrong it is`()
    {
        var clock = RaceClock()
        clock.look(at: Self.boot(1), wall: Self.truth + 1_000_000_000 - 86_400_000_000_000, spread: .zero)
        #expect(error(clock, at: 5) == -86_400)
        #expect(clock.state(at: Self.boot(5)) == ClockState(source: .freeRunning, bound: nil))
        #expect(!clock.isSet && clock.flags(from: Self.boot(1), to: Self.boot(2)) == [.clockUnset])
    }

    @Test func `is set by a source that says the same for some seconds, and not by one message`() {
        var clock = RaceClock()
        let verdicts = hear(&clock, .gps, from: 10, to: 14)
        #expect(verdicts == [.held, .held, .held, .held, .set])
        #expect(clock.isSet && clock.state(at: Self.boot(14)).source == .gps)
        #expect(abs(error(clock, at: 14)) <= 0.001)
        var hasty = RaceClock()
        for _ in 0..<9 { hasty.observe(told(.gps, at: 10, within: 0.4)) }
        #expect(!hasty.isSet, "nine at once are one message")
    }

    @Test func `dates what happened before it was set by the same boot clock`() {
        var clock = RaceClock()
        clock.look(at: Self.boot(0), wall: 0, spread: .zero)
        hear(&clock, .gps, from: 100, to: 105)
        #expect(abs(error(clock, at: 2)) <= 0.001)
        #expect(bound(clock, at: 2).map { $0 > 0.4 && $0 < 0.41 } == true, "100 s back are 5 ms less sure")
    }

    @Test func `grows less sure while nobody tells it anything, as its crystal may drift`() throws {
        var clock = RaceClock()
        hear(&clock, .pps, from: 0, to: 10, within: 0.002)
        let now = try #require(bound(clock, at: 10))
        let day = try #require(bound(clock, at: 86_410))
        #expect(abs(day - now - 86_400 * 50e-6) < 1e-3, "50 ppm: 4.3 s a day")
        #expect(clock.state(at: Self.boot(39)).source == .pps)
        #expect(clock.state(at: Self.boot(41)).source == .freeRunning, "30 s of silence")
    }

    @Test func `is called by the best source that is heard`() {
        var clock = RaceClock()
        hear(&clock, .ntp, from: 0, to: 5, within: 0.05)
        #expect(clock.state(at: Self.boot(5)).source == .ntp)
        hear(&clock, .gps, from: 6, to: 9)
        #expect(clock.state(at: Self.boot(9)).source == .ntp, "four times are not yet five")
        hear(&clock, .gps, from: 10, to: 10)
        #expect(clock.state(at: Self.boot(10)).source == .gps)
        #expect(bound(clock, at: 10).map { $0 < 0.06 } == true, "and as sure as the surest made it")
        hear(&clock, .ntp, from: 11, to: 60, within: 0.05)
        #expect(clock.state(at: Self.boot(60)).source == .ntp, "the receiver was silent for 50 s")
    }

    @Test func `is not moved by a jump of its receiver until that persists`() {
        var clock = RaceClock()
        hear(&clock, .gps, from: 0, to: 60)
        let verdicts = hear(&clock, .gps, from: 61, to: 119, wrongBy: 18)
        #expect(verdicts.allSatisfy { $0 == .held })
        #expect(clock.disputing(at: Self.boot(119)) == [.gps])
        #expect(abs(error(clock, at: 119)) < 0.01)
        #expect(clock.state(at: Self.boot(119)).source == .freeRunning, "what is not believed sets nothing")
        // The source is correct again.
        #expect(hear(&clock, .gps, from: 120, to: 125).allSatisfy { $0 == .taken })
        #expect(clock.disputing(at: Self.boot(125)).isEmpty)
    }

    @Test func `is moved by a jump that persists, keeps what was before it, and marks who was near`() throws {
        var clock = RaceClock()
        hear(&clock, .gps, from: 0, to: 60)
        let verdicts = hear(&clock, .gps, from: 61, to: 121, wrongBy: 18)
        guard case .moved(let by) = try #require(verdicts.last) else {
            return #expect(Bool(false), "\(verdicts.suffix(2))")
        }
        #expect(abs(by.wholeMilliseconds - 18_000) < 50)
        #expect(abs(error(clock, at: 121) - 18) < 0.01)
        #expect(abs(error(clock, at: 50)) < 0.01, "what was before keeps its time")
        #expect(clock.flags(from: Self.boot(58), to: Self.boot(64)) == [.clockStepped])
        #expect(clock.flags(from: Self.boot(40), to: Self.boot(50)).isEmpty)
        #expect(clock.flags(from: Self.boot(100), to: Self.boot(110)).isEmpty)
    }

    @Test func `is not moved by a lesser source while a better one is heard`() {
        var clock = RaceClock()
        for second in 0...2_000 {
            clock.observe(told(.gps, at: Double(second), within: 0.4))
            clock.observe(told(.ntp, at: Double(second) + 0.5, wrongBy: 7, within: 0.05))
        }
        #expect(abs(error(clock, at: 2_000)) < 0.05 && clock.disputing(at: Self.boot(2_000)) == [.ntp])
    }

    @Test func `is moved by a better source against a lesser one only after a quarter of an hour`() {
        var clock = RaceClock()
        var moved: Int?
        for second in 0...1_200 {
            clock.observe(told(.ntp, at: Double(second), within: 0.05))
            guard second >= 100 else { continue }
            let verdict = clock.observe(told(.gps, at: Double(second) + 0.5, wrongBy: 18, within: 0.4))
            if case .moved = verdict { moved = moved ?? second }
        }
        #expect(moved == 1_000, "receivers know the leap seconds after 12.5 minutes")
    }

    @Test func `takes no time at which no box can be`() {
        var clock = RaceClock()
        let wrongs: [ClockObservation] = [
            told(.gps, at: 1, wrongBy: -1_024 * 7 * 86_400, within: 0.4),
            told(.gps, at: 1, wrongBy: 3e9, within: 0.4), told(.ntp, at: 1, within: 3_601),
            told(.freeRunning, at: 1, within: 0.1),
            ClockObservation(source: .pps, at: Self.boot(1), wall: .min, bound: .zero),
            ClockObservation(source: .pps, at: Self.boot(1), wall: .max, bound: .seconds(-1)),
            ClockObservation(
                source: .pps, at: BootInstant(nanoseconds: -5), wall: Self.truth, bound: .milliseconds(1)),
        ]
        for wrong in wrongs { #expect(clock.observe(wrong) == .refused, "\(wrong)") }
        #expect(!clock.isSet)
    }

    @Test func `is not moved by a step of the system's clock, and says who was near`() {
        var clock = RaceClock()
        hear(&clock, .gps, from: 0, to: 20)
        for second in 0...20 {
            let step: Int64 = second >= 10 ? 3_600_000_000_000 : 0
            clock.look(
                at: Self.boot(Double(second)), wall: Self.truth + Int64(second) * 1_000_000_000 + step,
                spread: .microseconds(40))
        }
        #expect(abs(error(clock, at: 12)) < 0.01)
        #expect(clock.flags(from: Self.boot(5), to: Self.boot(12)) == [.clockStepped])
        #expect(clock.flags(from: Self.boot(11), to: Self.boot(15)).isEmpty)
        #expect(clock.flags(from: Self.boot(2), to: Self.boot(8)).isEmpty)
    }

    @Test func `takes no slow reading of the two clocks for a step`() {
        var clock = RaceClock()
        for second in 0...20 {
            let late: Int64 = second == 10 ? 30_000_000 : 0
            clock.look(
                at: Self.boot(Double(second)), wall: Self.truth + Int64(second) * 1_000_000_000 + late,
                spread: .milliseconds(second == 10 || second == 11 ? 40 : 0))
        }
        hear(&clock, .gps, from: 0, to: 20)
        #expect(clock.flags(from: Self.boot(5), to: Self.boot(15)).isEmpty)
    }

    @Test func `goes on from what an earlier run of the program knew`() {
        var clock = RaceClock()
        hear(&clock, .pps, from: 0, to: 10, within: 0.002)
        var later = RaceClock()
        later.restore(clock.mark(at: Self.boot(10)))
        #expect(later.isSet && abs(error(later, at: 100)) < 0.01)
        #expect(later.state(at: Self.boot(100)).source == .freeRunning)
        var unset = RaceClock()
        unset.restore(RaceClock().mark(at: Self.boot(10)))
        #expect(!unset.isSet)
    }
}

/// Sources with errors drawn by a seed, clocks that drift, receivers that jump.
@Suite struct `The clock of a race, in a thousand lives` {
    private struct Life {
        var random: SeededGenerator
        /// Seconds a second.
        let drift: Double
        let lateness: Double
        let truth = 1_780_000_000.0

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            drift = Double.random(in: -40e-6...40e-6, using: &random)
            lateness = Double.random(in: 0.05...0.7, using: &random)
        }

        func wall(_ boot: Double) -> Double { truth + boot * (1 + drift) }

        mutating func observation(_ source: ClockSource, at boot: Double) -> ClockObservation {
            let (error, bound): (Double, Double) =
                switch source {
                case .pps: (Double.random(in: -0.001...0.001, using: &random), 0.002)
                // A delay of 10 to 800 ms, assumed to be 405 ms.
                case .gps: (0.405 - lateness - Double.random(in: 0...0.1, using: &random), 0.395)
                case .ntp, .freeRunning: (Double.random(in: -0.04...0.04, using: &random), 0.05)
                }
            return ClockObservation(
                source: source, at: BootInstant(nanoseconds: Int64(boot * 1e9)),
                wall: Int64((wall(boot) + error) * 1e9), bound: .nanoseconds(Int64(bound * 1e9)))
        }
    }

    @Test func `is never wrong by more than it says, and later is later`() {
        for seed in UInt64(0)..<1_000 {
            var (life, clock) = (Life(seed: seed), RaceClock())
            let sources = ClockSource.allCases.filter { _ in Bool.random(using: &life.random) }
            var silentUntil = 0.0
            for second in 0..<400 {
                let now = Double(second)
                if Double.random(in: 0..<1, using: &life.random) < 0.005 {
                    silentUntil = now + Double.random(in: 0...7_200, using: &life.random)
                }
                guard now >= silentUntil else { continue }
                for source in sources where source != .freeRunning {
                    clock.observe(life.observation(source, at: now))
                }
            }
            var before: WallTime?
            for instant in stride(from: 0.0, through: 1_000, by: 7.3) {
                let (wall, state) = clock.time(of: BootInstant(nanoseconds: Int64(instant * 1e9)))
                if let before { #expect(wall > before) }
                before = wall
                guard let bound = state.bound else { continue }
                let error = Double(wall.millisecondsSince1970) / 1_000 - life.wall(instant)
                // The answer is in whole milliseconds.
                #expect(
                    abs(error) <= Double(bound.wholeNanoseconds) / 1e9 + 0.001,
                    "seed \(seed) at \(instant): \(error) s, \(bound)")
            }
        }
    }

    @Test func `is never moved by noise that comes between`() {
        for seed in UInt64(0)..<200 {
            var (life, clock) = (Life(seed: seed), RaceClock())
            for second in 0..<300 {
                let good = life.observation(.gps, at: Double(second))
                clock.observe(good)
                // No answer is possible before the first time is known.
                guard second >= 10 else { continue }
                let jump = Int64(Double.random(in: -1e5...1e5, using: &life.random) * 1e9)
                let verdict = clock.observe(
                    ClockObservation(
                        source: .gps, at: good.at, wall: good.wall &+ jump, bound: .milliseconds(395)))
                #expect(verdict == .held || verdict == .taken, "seed \(seed) at \(second)")
            }
            #expect(clock.isSet)
        }
    }
}
