public import GatewayModel

/// A race or a training: its runners, times and checkpoints.
public struct Run: Hashable, Sendable {
    public let id: RunID
    public let title: String
    /// Nobody is tracked from here on.
    public let end: WallTime
    /// One at least, in the order of their starts.
    public let waves: [Wave]
    /// One at least.
    public let checkpoints: [Checkpoint]
    /// Course, where the organiser has drawn it.
    public let course: Course?
    public let audience: RunAudience
    public let participants: [Participant]

    /// Errors: the first contradiction (`Flaw`), in words for the author of the file.
    public init(
        id: RunID, title: String, end: WallTime, waves: [Wave], checkpoints: [Checkpoint],
        course: Course? = nil, audience: RunAudience = RunAudience(), participants: [Participant]
    ) throws(Flaw) {
        self.id = id
        self.title = title
        self.end = end
        self.waves = waves.sorted { ($0.start, $0.id.text) < ($1.start, $1.id.text) }
        self.checkpoints = checkpoints
        (self.course, self.audience) = (course, audience)
        self.participants = participants
        if let flaw = Flaw.first(in: self) { throw flaw }
    }

    /// Of the first wave: the official one.
    public var start: WallTime { waves[0].start }
    /// No race takes longer; timing around a house for a month would record a person's life. A file that says
    /// so is warned of at the box; a command from elsewhere is refused.
    public static let longest = Duration.seconds(7 * 86_400)
    /// From the first start to the end.
    public var length: Duration { start.duration(to: end) }

    /// By its times alone: underway from the start until the end, half open. It may be cancelled.
    public func state(at time: WallTime) -> RunState {
        time < start ? .idle : time < end ? .underway : .over
    }

    public func wave(_ id: WaveID) -> Wave? { waves.first { $0.id == id } }

    public func participant(_ bib: Bib) -> Participant? { participants.first { $0.bib == bib } }
}

extension Run {
    /// Where the box `gateway` stands: the checkpoint that names it, or the only one where it names none and nobody
    /// carries the box.
    public func checkpoint(of gateway: GatewayID) -> Checkpoint? {
        if let named = checkpoints.first(where: { $0.box == gateway }) { return named }
        guard checkpoints.count == 1, carrier(of: gateway) == nil else { return nil }
        return checkpoints.first { $0.box == nil }
    }

    /// Carrier of the box `gateway`.
    public func carrier(of gateway: GatewayID) -> Bib? { participants.first { $0.carries == gateway }?.bib }
}

/// How far a run is.
public enum RunState: String, CaseIterable, Hashable, Sendable {
    /// Before the first start.
    case idle
    case underway
    case over
    /// For good, at any time.
    case cancelled
}

/// One time at which a runner is due at a checkpoint: a loop passes one several times.
public struct RunPoint: Hashable, Sendable {
    public let checkpoint: CheckpointID
    /// 1 for the first time there.
    public let order: Int
    /// Metres from the start along the course.
    public let distance: Double

    public init(checkpoint: CheckpointID, order: Int, distance: Double) {
        (self.checkpoint, self.order, self.distance) = (checkpoint, order, distance)
    }
}

extension Run {
    /// All of them, from the start to the finish: the points to pass, in their order.
    public var points: [RunPoint] {
        checkpoints.flatMap { checkpoint in
            checkpoint.distances.enumerated().map {
                RunPoint(checkpoint: checkpoint.id, order: $0.offset + 1, distance: $0.element)
            }
        }
        .sorted { ($0.distance, $0.checkpoint.text) < ($1.distance, $1.checkpoint.text) }
    }
}
