import GatewayModel
import Hub
import Positioning
import RealTime
import RunBeacon
import Synchronization

/// The clock of the races, shared by the threads: gpsd's thread gives it the satellites' time, the care thread the kernel's
/// once a second, and the race thread asks it.
///
/// Each call holds a lock for some arithmetic; none waits for anything.
final class RaceTime: RaceTimekeeping {
    /// A mark to be recorded: enough to date earlier passings by it afterwards.
    struct Change: Hashable, Sendable {
        let mark: ClockMark
        /// Nil where nothing happened but that time went by.
        let verdict: RaceClock.Verdict?
    }

    private struct State {
        var clock = RaceClock()
        var told: ClockMark?
    }

    /// Over it an unset clock loses 30 ms at 50 ppm: a passing dated afterwards is as sure as one dated at once.
    private static let recordEvery = Duration.seconds(600)

    private let state = Mutex(State())
    private let onChange: @Sendable (Change) -> Void

    /// - Parameter onChange: called on the thread of the change; must return at once.
    init(onChange: @escaping @Sendable (Change) -> Void) {
        self.onChange = onChange
    }

    /// Restores the mark of an earlier run of the program in this start of the machine. It counts until a newer one.
    func restore(_ mark: ClockMark) { state.withLock { $0.clock.restore(mark) } }

    /// From gpsd's thread.
    func hear(_ time: SatelliteTime) {
        observe(ClockObservation(time), at: time.at)
    }

    /// Once a second, on one thread at a time: the kernel's clocks, and whether anybody keeps them right.
    func look(_ kernel: KernelClock = .look()) {
        state.withLock { $0.clock.look(at: kernel.boot, wall: kernel.wall, spread: kernel.spread) }
        observe(ClockObservation(kernel), at: kernel.boot)
    }

    private func observe(_ observation: ClockObservation?, at now: BootInstant) {
        let change = state.withLock { state -> Change? in
            let verdict = observation.map { state.clock.observe($0) }
            let mark = state.clock.mark(at: now)
            guard mark.bound != nil, let change = Change(mark, verdict, since: state.told) else { return nil }
            state.told = mark
            return change
        }
        if let change { onChange(change) }
    }

    /// Whether anything that can be trusted has told the time since the box started.
    var isSet: Bool { state.withLock(\.clock.isSet) }

    /// The time of an instant of this start of the machine, and the state of the clock then.
    func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState) {
        state.withLock { $0.clock.time(of: instant) }
    }

    /// `clockUnset`, `clockStepped`.
    func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag> {
        state.withLock { $0.clock.flags(from: first, to: last) }
    }

    /// Sources that are heard and not believed.
    func disputing(at now: BootInstant) -> Set<ClockSource> {
        state.withLock { $0.clock.disputing(at: now) }
    }
}

extension RaceTime.Change {
    /// Nil where there is nothing new to record.
    fileprivate init?(_ mark: ClockMark, _ verdict: RaceClock.Verdict?, since told: ClockMark?) {
        let event: RaceClock.Verdict? =
            switch verdict {
            case .set, .moved: verdict
            case .taken, .held, .refused, nil: nil
            }
        guard let told else {
            self.init(mark: mark, verdict: event)
            return
        }
        guard
            event != nil || mark.source != told.source
                || told.at.duration(to: mark.at) >= RaceTime.recordEvery
        else { return nil }
        self.init(mark: mark, verdict: event)
    }
}

extension ClockObservation {
    init(_ time: SatelliteTime) {
        self.init(
            source: time.means == .pulse ? .pps : .gps, at: time.at, wall: time.wall, bound: time.bound)
    }

    /// Nil where nobody keeps the kernel's clock right.
    init?(_ kernel: KernelClock) {
        switch kernel.discipline {
        case .none: return nil
        case .pulse:
            self.init(kernel, .pps, max(Self.pulse, kernel.estimatedError * 2))
        case .program:
            self.init(kernel, .ntp, max(Self.network, kernel.maximumError, kernel.estimatedError * 2))
        }
    }

    /// The kernel counts pulses as good up to some 0.5 ms of jitter.
    private static let pulse = Duration.milliseconds(1)
    /// Half of the way there and back over a mobile network; systemd-timesyncd tells the kernel 0 each time it has asked.
    private static let network = Duration.milliseconds(50)

    private init(_ kernel: KernelClock, _ source: ClockSource, _ bound: Duration) {
        self.init(source: source, at: kernel.boot, wall: kernel.wall, bound: bound + kernel.spread)
    }
}
