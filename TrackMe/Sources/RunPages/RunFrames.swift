import GatewayModel
import HTML
import RunBeacon
import RunService
import Runs

/// Pictures of runs, and their renderings, for the pages of spectators: all viewers of a run share a picture a second, and
/// viewers of the same part a rendering.
actor RunFrames {
    /// A rendering: which part of which run, in which language.
    struct Key: Hashable {
        let run: RunID
        let language: PersonProfile.Language
        /// Nil for the part of all runners.
        let bib: Bib?
        let search: String
    }

    private static let life = Duration.seconds(1)
    /// Runs and parts at one time. A stranger can ask for any search: then all are made anew.
    private static let most = 200

    private let runs: any RunStore
    private let clock: @Sendable () -> WallTime
    private let boot: @Sendable () -> BootInstant
    private var pictures: [RunID: (at: BootInstant, picture: Task<Shown?, any Error>)] = [:]
    private var parts: [Key: (at: BootInstant, bytes: [UInt8])] = [:]
    private var shapes: [RunID: (course: Course, shape: CourseShape)] = [:]
    /// Renderings since the start.
    private(set) var renderings = 0

    /// A run with its picture.
    struct Shown: Sendable {
        let run: OrganisedRun
        let picture: RunPicture
    }

    init(
        _ runs: any RunStore, clock: @escaping @Sendable () -> WallTime,
        boot: @escaping @Sendable () -> BootInstant
    ) {
        (self.runs, self.clock, self.boot) = (runs, clock, boot)
    }

    /// Nil for an unknown run.
    func shown(_ id: RunID) async throws -> Shown? {
        let now = boot()
        if let known = pictures[id], known.at.duration(to: now) < Self.life {
            return try await known.picture.value
        }
        if pictures.count >= Self.most { pictures = [:] }
        let picture = Task { try await self.make(id) }
        pictures[id] = (now, picture)
        return try await picture.value
    }

    private func make(_ id: RunID) async throws -> Shown? {
        guard let organised = try await runs.run(id) else { return nil }
        let entrants = try await runs.participants(of: id).map { participant in
            let entrant = participant.entrant
            return Entrant(
                bib: entrant.bib, name: participant.showsName ? entrant.name : nil,
                category: entrant.category,
                wave: entrant.wave)
        }
        let run = try organised.definition.run(with: entrants)
        let messages = try await runs.messages(of: id)
        return Shown(
            run: organised, picture: RunPicture(run, shape: shape(of: run), messages, at: clock()))
    }

    private func shape(of run: Run) -> CourseShape? {
        guard let course = run.course else { return nil }
        if let known = shapes[run.id], known.course == course { return known.shape }
        if shapes.count >= Self.most { shapes = [:] }
        let shape = CourseShape(course)
        shapes[run.id] = (course, shape)
        return shape
    }

    /// Rendered part; nil for an unknown run.
    func part(_ key: Key, render: @Sendable (Shown) -> HTML) async throws -> [UInt8]? {
        if let known = parts[key], known.at.duration(to: boot()) < Self.life { return known.bytes }
        guard let shown = try await shown(key.run) else { return nil }
        // Another viewer may have rendered it during the wait.
        let now = boot()
        if let known = parts[key], known.at.duration(to: now) < Self.life { return known.bytes }
        if parts.count >= Self.most { parts = [:] }
        renderings += 1
        let bytes = Array(render(shown).source.utf8)
        parts[key] = (now, bytes)
        return bytes
    }
}
