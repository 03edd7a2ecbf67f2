/// When a source is believed. Every default says where it comes from.
public struct ClockRules: Hashable, Sendable {
    /// A source that is silent for longer does not discipline the clock any more: receivers and the kernel tell once a
    /// second, and a fix is lost under a bridge for less.
    public var silence: Duration = .seconds(30)
    /// Times in a row that a source has to be heard before the clock is said to be by it, or set by it.
    public var hearings = 5
    /// And for so long: five messages at once are one.
    public var firstTime: Duration = .seconds(4)
    /// How long a source has to say the same before it moves a clock that it disagrees with, where no other stands
    /// against it: a receiver under trees errs for seconds.
    public var persistence: Duration = .seconds(60)
    /// The same where a lesser source stands against it: a receiver learns only after 12.5 minutes how many leap
    /// seconds there are (IS-GPS-200, the almanac's period), and is wrong by up to 18 s until then.
    public var persistenceAgainstOthers: Duration = .seconds(900)

    public init() {}

    /// Nothing that a source tells over and over makes the clock surer than this. What single messages err by in common
    /// is not seen from them.
    func floor(of source: ClockSource) -> Duration {
        switch source {
        case .pps: .milliseconds(1)
        case .gps: .milliseconds(100)
        case .ntp: .milliseconds(10)
        case .freeRunning: .milliseconds(1)
        }
    }
}
