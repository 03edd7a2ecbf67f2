public import GatewayModel

/// A run as it is written down, in a file or by a command; a `Run` is made from it.
public struct RunPlan: Hashable, Codable, Sendable {
    public let id: RunID
    public var outline: RunOutline
    public var entrants: [Entrant]

    public init(id: RunID, outline: RunOutline, entrants: [Entrant]) {
        (self.id, self.outline, self.entrants) = (id, outline, entrants)
    }
}

/// All of a run but its participants.
public struct RunOutline: Hashable, Codable, Sendable {
    public var title: String
    public var end: WallTime
    public var waves: [Wave]
    public var checkpoints: [Checkpoint]
    public var course: PlannedCourse?
    /// Nil where the file opens nothing to spectators. No command sets it.
    public var audience: RunAudience?

    public init(
        title: String, end: WallTime, waves: [Wave], checkpoints: [Checkpoint], course: PlannedCourse? = nil,
        audience: RunAudience? = nil
    ) {
        (self.title, self.end, self.waves) = (title, end, waves)
        (self.checkpoints, self.course, self.audience) = (checkpoints, course, audience)
    }
}

/// Data that spectators see beside bibs, categories and times: none until the file of the run opens it.
public struct RunAudience: Hashable, Codable, Sendable {
    public var showsNames: Bool
    /// Third party that stands for the spectators: readings that a runner has granted to it are shown. Nil for none.
    public var party: PartyID?

    public init(showsNames: Bool = false, party: PartyID? = nil) {
        (self.showsNames, self.party) = (showsNames, party)
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
    /// Only written at the box itself: the house decides which wearables' positions belong to a runner.
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

    /// The same runner as this person of the house and carrier of this box.
    func being(_ person: PersonID?, carrying box: GatewayID?) -> Entrant {
        Entrant(bib: bib, name: name, category: category, wave: wave, tags: tags, person: person, carries: box)
    }
}

/// Contents of the files beside the run files that plans name. Shows nothing of a key.
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
        (Set(entrants.flatMap(\.keyFiles)), outline.course?.file)
    }
}

extension Entrant {
    public var keyFiles: [CompanionFile] {
        tags.compactMap { if case .keyFile(let file) = $0 { file } else { nil } }
    }
}

extension Run {
    /// Errors: the first contradiction.
    public init(_ plan: RunPlan, with materials: RunMaterials = RunMaterials()) throws(Flaw) {
        let outline = plan.outline
        var course: Course?
        switch outline.course {
        case .file(let file)?:
            guard let found = materials.courses[file] else { throw .unread(file) }
            course = found
        case .line(let line)?: course = line.course
        case nil: break
        }
        let onlyWave = outline.waves.count == 1 ? outline.waves.first?.id : nil
        var participants: [Participant] = []
        participants.reserveCapacity(plan.entrants.count)
        for entrant in plan.entrants {
            participants.append(try Participant(entrant, onlyWave: onlyWave, materials))
        }
        try self.init(
            id: plan.id, title: outline.title, end: outline.end, waves: outline.waves,
            checkpoints: outline.checkpoints, course: course, audience: outline.audience ?? RunAudience(),
            participants: participants)
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

/// A group of runners with one start.
public struct Wave: Hashable, Codable, Sendable {
    public let id: WaveID
    /// The gun: gun times count from here.
    public let start: WallTime

    public init(id: WaveID, start: WallTime) {
        self.id = id
        self.start = start
    }
}

/// A runner with a number on the chest and tags to be heard by.
public struct Participant: Hashable, Sendable {
    public let bib: Bib
    public let name: String?
    /// For the standings: `w40`, `juniors`; nil where the run has none.
    public let category: String?
    public let wave: WaveID
    /// One identity is enough; a second tag is a spare.
    public let tags: [TagIdentity]
    /// Where the runner is a person of this box's settings: their wearables' positions are theirs in the run.
    public let person: PersonID?
    /// The box that the runner carries: its own positions are theirs.
    public let carries: GatewayID?

    public init(
        bib: Bib, name: String? = nil, category: String? = nil, wave: WaveID, tags: [TagIdentity],
        person: PersonID? = nil, carries: GatewayID? = nil
    ) {
        self.bib = bib
        self.name = name
        self.category = category
        self.wave = wave
        self.tags = tags
        self.person = person
        self.carries = carries
    }
}

/// A file that lies beside the run files: a course, a start list, the key of a tag. Its name and no path, so
/// that a name that comes by a command cannot lead anywhere else.
public struct CompanionFile: Hashable, Codable, Sendable, CustomStringConvertible {
    /// For an error message.
    public static let form =
        "the name of a file beside the run files: 1 to 64 letters, digits and '.', '_', '-', not beginning with '.'"

    public let name: String

    /// Nil where `name` is not of `form`.
    public init?(_ name: String) {
        let bytes = name.utf8
        guard (1...64).contains(bytes.count), bytes.first != UInt8(ascii: "."), bytes.allSatisfy(Self.isAllowed)
        else { return nil }
        self.name = name
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let file = CompanionFile(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected \(Self.form)")
        }
        self = file
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    public var description: String { name }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
