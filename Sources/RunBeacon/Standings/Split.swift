public import GatewayModel

/// A runner at a point of the run, as it counts.
public struct Split: Hashable, Sendable {
    public let point: RunPoint
    public let time: WallTime
    /// Since the start of the wave.
    public let gun: Duration
    /// Since the runner's own passing of the start; nil where the run has no point there, or the runner was not heard.
    public let net: Duration?
    /// ± 95 %, of `time`, and so of `gun`; nil where nobody knows how wrong the clock was.
    public let bound: Duration?
    /// ± 95 %, of `net`: of this time and of the runner's start. Nil where there is no `net`, or one of the two has no bound.
    public let netBound: Duration?
    public let method: Passing.Method

    /// From which clock a time counts.
    func elapsed(_ basis: StandingsBasis) -> Duration {
        switch basis {
        case .gun: gun
        // Who was not heard at the start has started with the gun, as far as anybody can prove.
        case .net: net ?? gun
        }
    }

    /// ± 95 %, of `elapsed`.
    func bound(_ basis: StandingsBasis) -> Duration? {
        switch basis {
        case .gun: bound
        case .net: net == nil ? bound : netBound
        }
    }
}

/// Which time ranks.
public enum StandingsBasis: String, CaseIterable, Hashable, Sendable {
    /// From the start of the wave: as winners are ranked.
    case gun
    /// From each runner's own passing of the start: as age groups often are.
    case net
}
