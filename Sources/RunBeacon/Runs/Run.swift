public import GatewayModel

/// A race or a training: who runs, when, past which checkpoints.
public struct Run: Hashable, Sendable {
    public let id: RunID
    public let title: String
    /// Nobody is tracked from here on.
    public let end: WallTime
    /// One at least, in the order of their starts.
    public let waves: [Wave]
    /// One at least.
    public let checkpoints: [Checkpoint]
    /// What it is run on, where the organiser has drawn it.
    public let course: Course?
    public let participants: [Participant]

    /// Errors: the first of what cannot be (`Flaw`), in words for whoever has written it.
    public init(
        id: RunID, title: String, end: WallTime, waves: [Wave], checkpoints: [Checkpoint],
        course: Course? = nil, participants: [Participant]
    ) throws(Flaw) {
        self.id = id
        self.title = title
        self.end = end
        self.waves = waves.sorted { ($0.start, $0.id.text) < ($1.start, $1.id.text) }
        self.checkpoints = checkpoints
        self.course = course
        self.participants = participants
        if let flaw = Flaw.first(in: self) { throw flaw }
    }

    /// Of the first wave: the official one.
    public var start: WallTime { waves[0].start }
    /// No race takes longer; what is timed around a house for a month is somebody's life. A file that says so is warned
    /// of at the box; a command from elsewhere is refused.
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
