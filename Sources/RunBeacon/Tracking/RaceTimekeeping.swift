public import GatewayModel

/// The clock that a race is timed by.
public protocol RaceTimekeeping: Sendable {
    /// The time of an instant of this start of the machine, and the state of the clock then.
    func time(of instant: BootInstant) -> (time: WallTime, clock: ClockState)
    /// What of the clock makes a passing doubtful that lasted from `first` to `last`.
    func flags(from first: BootInstant, to last: BootInstant) -> Set<Passing.Flag>
    /// Whether anything that can be trusted has told the time since the box started.
    var isSet: Bool { get }
    /// Sources that are heard and not believed.
    func disputing(at instant: BootInstant) -> Set<ClockSource>
}

extension RaceTimekeeping {
    /// Of one that hears a single source: nothing contradicts it.
    public func disputing(at instant: BootInstant) -> Set<ClockSource> { [] }
}

extension RaceClock: RaceTimekeeping {}
