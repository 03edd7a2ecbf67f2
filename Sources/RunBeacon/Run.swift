public import GatewayModel

/// A race or a training: who runs, when, past which checkpoints.
public struct Run: Hashable, Sendable {
    public let id: RunID
    public let title: String
    /// Official start, wall time of the first wave.
    public let start: WallTime
    /// Nobody is tracked from here on; always after `start`.
    public let end: WallTime
    public let checkpoints: [Checkpoint]
    public let participants: [Participant]

    /// Nil where the run would end before it starts, or two checkpoints or bibs share a name.
    public init?(
        id: RunID, title: String, start: WallTime, end: WallTime, checkpoints: [Checkpoint],
        participants: [Participant]
    ) {
        guard start < end, Set(checkpoints.map(\.id)).count == checkpoints.count,
            Set(participants.map(\.bib)).count == participants.count
        else { return nil }
        self.id = id
        self.title = title
        self.start = start
        self.end = end
        self.checkpoints = checkpoints
        self.participants = participants
    }

    /// Whether the tracker works at `time`: from the start, until the end (half open).
    public func isUnderWay(at time: WallTime) -> Bool {
        start <= time && time < end
    }
}

/// A run, as its topics name it.
public struct RunID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A timing point on the course.
public struct Checkpoint: Hashable, Sendable {
    public let id: CheckpointID
    /// Metres from the start along the course.
    public let distance: Double

    public init(id: CheckpointID, distance: Double) {
        self.id = id
        self.distance = distance
    }
}

/// A timing point, as its passings name it.
public struct CheckpointID: Name {
    public let text: String
    public init(checked text: String) { self.text = text }
}

/// A runner with a number on the chest and a tag to be heard by.
public struct Participant: Hashable, Sendable {
    public let bib: Int
    public let person: PersonID
    public let tag: DeviceAddress

    public init(bib: Int, person: PersonID, tag: DeviceAddress) {
        self.bib = bib
        self.person = person
        self.tag = tag
    }
}
