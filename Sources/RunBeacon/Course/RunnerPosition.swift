public import GatewayModel

/// Where a runner is, on the ground and on the course, as it is told.
public struct RunnerPosition: Hashable, Sendable {
    public enum Flag: String, CaseIterable, Hashable, Codable, Sendable {
        /// Farther from the course than its width and the position's error explain.
        case offCourse = "off-course"
        /// The course passes here more than once, and which time it is is not certain.
        case unsure
        /// After positions that nobody could have reached, others agreed with them.
        case leapt
        /// Nobody knows how accurate it is: the source does not say.
        case unknownAccuracy = "unknown-accuracy"
        /// Nobody has told the box the time since it started: the times of this are as far off as its clock.
        case clockUnset = "clock-unset"
    }

    /// When the runner is likely to be at a checkpoint.
    public struct Prediction: Hashable, Sendable {
        public let checkpoint: CheckpointID
        public let time: WallTime
        /// The true time lies within ± this in 95 of 100 cases.
        public let bound: Duration

        public init(checkpoint: CheckpointID, time: WallTime, bound: Duration) {
            (self.checkpoint, self.time, self.bound) = (checkpoint, time, bound)
        }
    }

    public let coordinates: Coordinates
    /// Metres, ± in 95 of 100 cases.
    public let accuracy: Double?
    public let measured: Moment
    /// When it was worked out.
    public let arrival: Moment
    /// Metres from the start along the course; nil where there is no course, or the runner is off it.
    public let distance: Double?
    /// Metres from the course; nil where there is none.
    public let offset: Double?
    /// m/s along the course, smoothed; nil before it is known.
    public let speed: Double?
    /// Nil for who stands, has no course, or no checkpoint ahead.
    public let next: Prediction?
    public internal(set) var flags: Set<Flag>

    public init(
        coordinates: Coordinates, accuracy: Double?, measured: Moment, arrival: Moment, distance: Double? = nil,
        offset: Double? = nil, speed: Double? = nil, next: Prediction? = nil, flags: Set<Flag> = []
    ) {
        (self.coordinates, self.accuracy) = (coordinates, accuracy)
        (self.measured, self.arrival) = (measured, arrival)
        (self.distance, self.offset, self.speed, self.next) = (distance, offset, speed, next)
        self.flags = flags
    }

    /// On arrival.
    public var age: Duration { max(.zero, measured.boot.duration(to: arrival.boot)) }

    /// Nil for who stands: under 0.5 m/s a figure would say nothing.
    public var secondsPerKilometre: Double? { speed.flatMap { $0 >= 0.5 ? 1_000 / $0 : nil } }
}
