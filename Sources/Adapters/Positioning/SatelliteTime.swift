public import GatewayModel
import RealTime

/// A time of the satellite receiver, by way of gpsd: within ± `bound` of `wall` when the boot clock showed `at`.
public struct SatelliteTime: Hashable, Sendable {
    /// Source of the time.
    public enum Means: Hashable, Sendable {
        /// A message, which is late.
        case message
        /// The pulse a second, which is not.
        case pulse
    }

    public let means: Means
    public let at: BootInstant
    /// Nanoseconds since 1970.
    public let wall: Int64
    public let bound: Duration

    /// A message tells of an instant that has passed when it comes. gpsd_json(5) on TOFF: the time that the
    /// receiver takes to reckon and to begin to send is 10 to 700 ms, with 100 to 300 ms of jitter and wander
    /// in it.
    private static let lateness = Duration.milliseconds(10)...Duration.milliseconds(700)
    /// And until a whole epoch of it has gone through gpsd, a socket and this thread, which that figure leaves
    /// out.
    private static let transit = Duration.milliseconds(100)
    /// A pulse over a serial line or GPIO is some 10 µs late, one over USB up to 1 ms (USB asks once a ms); and both
    /// clocks are read here once more, to reckon with the one that gpsd does not name.
    private static let pulseError = Duration.milliseconds(2)

    /// Of a TPV report.
    /// - Parameter time: the receiver's, nanoseconds since 1970.
    init(message time: Int64, arrival: BootInstant) {
        self.init(time, late: Self.lateness.lowerBound...(Self.lateness.upperBound + Self.transit), arrival)
    }

    /// Of a TOFF or PPS report: gpsd has noted the system's clock when the message began, or at the pulse.
    ///
    /// - Returns: nil where that was not just now: the system's clock was stepped, or gpsd tells of the past.
    init?(_ means: Means, _ pair: GPSTimePair, seenBy kernel: KernelClock) {
        let age = kernel.wall &- pair.system
        guard (0...Self.oldest.wholeNanoseconds).contains(age) else { return nil }
        let at = BootInstant(nanoseconds: kernel.boot.nanoseconds - age)
        switch means {
        case .message: self.init(pair.receiver, late: Self.lateness, at)
        case .pulse:
            self.init(means: .pulse, at: at, wall: pair.receiver, bound: Self.pulseError + kernel.spread)
        }
    }

    /// gpsd tells of each at once.
    private static let oldest = Duration.seconds(5)

    private init(_ time: Int64, late lateness: ClosedRange<Duration>, _ at: BootInstant) {
        let half = (lateness.upperBound - lateness.lowerBound) / 2
        let wall = time &+ (lateness.lowerBound + half).wholeNanoseconds
        self.init(means: .message, at: at, wall: wall, bound: half)
    }

    private init(means: Means, at: BootInstant, wall: Int64, bound: Duration) {
        (self.means, self.at, self.wall, self.bound) = (means, at, wall, bound)
    }
}
