public import GatewayModel

/// A run as it is written down, in a file or by a command: what a `Run` is made from.
public struct RunPlan: Hashable, Codable, Sendable {
    public let id: RunID
    public var outline: RunOutline
    public var entrants: [Entrant]

    public init(id: RunID, outline: RunOutline, entrants: [Entrant]) {
        (self.id, self.outline, self.entrants) = (id, outline, entrants)
    }
}

/// All of a run but who takes part.
public struct RunOutline: Hashable, Codable, Sendable {
    public var title: String
    public var end: WallTime
    public var waves: [Wave]
    public var checkpoints: [Checkpoint]
    public var course: CompanionFile?

    public init(
        title: String, end: WallTime, waves: [Wave], checkpoints: [Checkpoint], course: CompanionFile? = nil
    ) {
        (self.title, self.end, self.waves) = (title, end, waves)
        (self.checkpoints, self.course) = (checkpoints, course)
    }
}

/// A participant as they are written down.
public struct Entrant: Hashable, Codable, Sendable {
    /// In characters.
    public static let nameLength = 1...100
    public static let categoryLength = 1...40
    /// One on each shoe, one on the bib and one in the pocket.
    public static let mostTags = 4

    public let bib: Bib
    public let name: String?
    public let category: String?
    /// Nil in a run that has one wave.
    public let wave: WaveID?
    public let tags: [TagName]
    /// Only written at the box itself: whose wearables' positions are a runner's is decided in the house.
    public let person: PersonID?
    /// `id` of the `[gateway]` that they carry.
    public let carries: GatewayID?

    public init(
        bib: Bib, name: String? = nil, category: String? = nil, wave: WaveID? = nil, tags: [TagName] = [],
        person: PersonID? = nil, carries: GatewayID? = nil
    ) {
        (self.bib, self.name, self.category) = (bib, name, category)
        (self.wave, self.tags, self.person, self.carries) = (wave, tags, person, carries)
    }

    /// The same runner, who is this person of the house and carries this box.
    func being(_ person: PersonID?, carrying box: GatewayID?) -> Entrant {
        Entrant(bib: bib, name: name, category: category, wave: wave, tags: tags, person: person, carries: box)
    }
}

/// What plans name and do not hold, as it was read from beside the run files. Shows nothing of a key.
public struct RunMaterials: Sendable, CustomStringConvertible, CustomReflectable {
    /// Of 16 bytes.
    public var keys: [CompanionFile: [UInt8]]
    public var courses: [CompanionFile: Course]

    public init(keys: [CompanionFile: [UInt8]] = [:], courses: [CompanionFile: Course] = [:]) {
        (self.keys, self.courses) = (keys, courses)
    }

    public mutating func add(_ other: RunMaterials) {
        keys.merge(other.keys) { $1 }
        courses.merge(other.courses) { $1 }
    }

    public var description: String { "\(keys.count) keys, \(courses.count) courses" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RunPlan {
    /// The files that it names: of keys and of the course.
    public var companions: (keys: Set<CompanionFile>, course: CompanionFile?) {
        (Set(entrants.flatMap(\.keyFiles)), outline.course)
    }
}

extension Entrant {
    public var keyFiles: [CompanionFile] {
        tags.compactMap { if case .keyFile(let file) = $0 { file } else { nil } }
    }
}

extension Run {
    /// Errors: the first of what cannot be.
    public init(_ plan: RunPlan, with materials: RunMaterials = RunMaterials()) throws(Flaw) {
        let outline = plan.outline
        var course: Course?
        if let file = outline.course {
            guard let found = materials.courses[file] else { throw .unread(file) }
            course = found
        }
        let onlyWave = outline.waves.count == 1 ? outline.waves.first?.id : nil
        var participants: [Participant] = []
        participants.reserveCapacity(plan.entrants.count)
        for entrant in plan.entrants {
            participants.append(try Participant(entrant, onlyWave: onlyWave, materials))
        }
        try self.init(
            id: plan.id, title: outline.title, end: outline.end, waves: outline.waves,
            checkpoints: outline.checkpoints, course: course, participants: participants)
    }
}

extension Participant {
    fileprivate init(
        _ entrant: Entrant, onlyWave: WaveID?, _ materials: RunMaterials
    ) throws(Run.Flaw) {
        guard let wave = entrant.wave ?? onlyWave else { throw .noWaveNamed(entrant.bib) }
        var tags: [TagIdentity] = []
        for tag in entrant.tags {
            switch tag {
            case .heard(let identity): tags.append(identity)
            case .keyFile(let file):
                guard let key = materials.keys[file] else { throw .unread(file) }
                tags.append(.identityKey(key))
            }
        }
        self.init(
            bib: entrant.bib, name: entrant.name, category: entrant.category, wave: wave, tags: tags,
            person: entrant.person, carries: entrant.carries)
    }
}
