import GatewayModel
import HTML
import RunBeacon
import WebPages

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

    private let runs: RunStore
    private let clock: @Sendable () -> WallTime
    private let boot: @Sendable () -> BootInstant
    private let hub: RunHub
    private var pictures: [RunID: (made: Made, picture: Task<Shown?, any Error>)] = [:]
    private var parts: [Key: (made: Made, bytes: [UInt8])] = [:]
    private var shapes: [RunID: (course: Course, shape: CourseShape)] = [:]
    /// Renderings since the start.
    private(set) var renderings = 0

    /// Age of a picture or a rendering. One from before a withdrawal is never shown again.
    private struct Made {
        let at: BootInstant
        let withdrawals: Int

        func isGood(now: Made) -> Bool {
            at.duration(to: now.at) < RunFrames.life && withdrawals == now.withdrawals
        }
    }

    /// A run with its picture.
    struct Shown: Sendable {
        let run: OrganisedRun
        let state: RunState
        let picture: RunPicture
    }

    init(
        _ runs: RunStore, clock: @escaping @Sendable () -> WallTime,
        boot: @escaping @Sendable () -> BootInstant, hub: RunHub
    ) {
        (self.runs, self.clock, self.boot, self.hub) = (runs, clock, boot, hub)
    }

    private func now(_ run: RunID) -> Made { Made(at: boot(), withdrawals: hub.marks(of: run).withdrawals) }

    /// Run of the path.
    func shown(_ context: RouteContext) async throws -> Shown {
        guard let shown = try await shown(try RunParts.id(context)) else {
            throw Problem(.notFound, "there is no such run")
        }
        return shown
    }

    /// Nil for an unknown run.
    func shown(_ id: RunID) async throws -> Shown? {
        let now = now(id)
        if let known = pictures[id], known.made.isGood(now: now) { return try await known.picture.value }
        return try await fresh(id)
    }

    /// A picture of this instant, for the frames; requests share it for as long as it is good. Nil for an unknown run.
    func fresh(_ id: RunID) async throws -> Shown? {
        if pictures.count >= Self.most { pictures = [:] }
        let now = now(id)
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
        let now = clock()
        return Shown(
            run: organised, state: organised.state(at: now),
            picture: RunPicture(run, shape: shape(of: run), messages, at: now))
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
        if let known = parts[key], known.made.isGood(now: now(key.run)) { return known.bytes }
        // A withdrawal during the wait makes the rendering bad from the start.
        let made = now(key.run)
        guard let shown = try await shown(key.run) else { return nil }
        // Another viewer may have rendered it during the wait.
        if let known = parts[key], known.made.isGood(now: now(key.run)) { return known.bytes }
        if parts.count >= Self.most { parts = [:] }
        renderings += 1
        let bytes = Array(render(shown).source.utf8)
        parts[key] = (made, bytes)
        return bytes
    }
}
