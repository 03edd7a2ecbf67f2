import GatewayModel
import Hub
import RealTime
import RunBeacon
import Settings
import Synchronization
import Vault

/// The runs of this box as they are now: of the files since the last reload, and of commands.
///
/// From any thread. Whoever has to follow is told on the thread of the change, before it returns; a runner who leaves
/// waits for no disk.
final class RunStore: Sendable {
    typealias Follow = @Sendable (RunCatalog) -> Void

    /// Whom it tells what is wrong, on the thread that finds it.
    struct Reports: Sendable {
        /// What commands left is there and cannot be read.
        let damage: @Sendable (DiskFailure) -> Void
        /// After each write: nil where it is durable.
        let disk: @Sendable (DiskFailure?) -> Void
        /// After each reading of the files, what is wrong with them.
        let files: @Sendable ([SettingsError]) -> Void
    }

    private struct State {
        var book: RunCatalog
        var followers: [Follow] = []
    }

    let folder: RunFolder
    private let file: CommandedRunsFile
    private let reports: Reports
    private let state: Mutex<State>
    /// Held while followers are told, so that nobody is told of an older book after a newer one. Never over the disk.
    private let telling = Mutex(())
    /// Held over the disk: one at a time. Taken before `telling`, where both are.
    private let writing = Mutex(())

    /// Reads the files and what commands left. Nothing that is wrong keeps the gateway from its start: sound files are
    /// taken, what is wrong is told. Blocking I/O.
    /// - Parameters:
    ///   - box: of which no command may say who carries it; nil where one may.
    ///   - gateway: this box.
    init(
        folder: RunFolder, stateDirectory: String, marks: StateMarks? = nil, keeping box: GatewayID? = nil,
        of gateway: GatewayID? = nil,
        reports: Reports
    ) {
        self.folder = folder
        self.reports = reports
        file = CommandedRunsFile(stateDirectory: stateDirectory, marks: marks)
        var book = RunCatalog(
            commanded: file.load(onFailure: reports.damage) ?? CommandedRuns(), keeping: box, of: gateway)
        let content = folder.read()
        let before = book.commanded
        book.replaceFiles(
            content.files.map(\.plan), with: folder.materials(of: content.files, and: book), at: Clock.wall())
        reports.files(content.errors)
        state = Mutex(State(book: book))
        if book.commanded != before { save(book.commanded) }
    }

    var book: RunCatalog { state.withLock(\.book) }

    /// Told of the book as it is, at once, and of each that comes after. What it does must not wait for anything.
    func onChange(_ follow: @escaping Follow) {
        telling.withLock { _ in
            follow(
                state.withLock { state in
                    state.followers.append(follow)
                    return state.book
                })
        }
    }

    // MARK: Files

    /// Reads the files again. One that is wrong leaves all as it is: half of what an organiser has changed is worse
    /// than none. Blocking I/O.
    /// - Returns: what is wrong, or else what is likely not meant.
    func reload() -> Result<[SettingsProblem], RunFilesWrong> {
        writing.withLock { _ in
            let content = folder.read()
            reports.files(content.errors)
            guard content.errors.isEmpty else { return .failure(RunFilesWrong(errors: content.errors)) }
            let materials = folder.materials(of: content.files, and: book)
            let before = book.commanded
            change { $0.replaceFiles(content.files.map(\.plan), with: materials, at: Clock.wall()) }
            if book.commanded != before { save(book.commanded) }
            return .success(content.files.flatMap(\.warnings))
        }
    }

    struct RunFilesWrong: Error {
        let errors: [SettingsError]
    }

    // MARK: Commands

    /// Takes runners out of a run at once, in memory; `keep` makes it durable.
    /// - Returns: whether anybody has gone who was there.
    func leave(_ run: RunID, _ bibs: [Bib], at now: WallTime) throws(RunRefusal) -> Bool {
        try change { book throws(RunRefusal) in try book.perform(.leave(run, bibs), at: now) }
    }

    /// Makes durable what holds. Blocking I/O.
    /// - Returns: whether it is.
    func keep() -> Bool {
        writing.withLock { _ in save(book.commanded) }
    }

    /// Carries out any other order: on the disk before it holds. Blocking I/O.
    /// - Returns: whether anything is other than before; nil where the disk does not take it.
    func perform(_ order: RunOrder, at now: WallTime) throws(RunRefusal) -> Bool? {
        try writing.withLock { _ throws(RunRefusal) in
            let named = order.companions
            let found = folder.materials(keys: named.keys, courses: named.course.map { [$0] } ?? [])
            var next = book
            guard try next.perform(order, at: now, with: found) else { return false }
            guard save(next.commanded) else { return nil }
            // Somebody may have left in the meantime.
            return try change { book throws(RunRefusal) in try book.perform(order, at: now, with: found) }
        }
    }

    @discardableResult
    private func save(_ commanded: CommandedRuns) -> Bool {
        do throws(DiskFailure) {
            try file.save(commanded)
            reports.disk(nil)
            return true
        } catch {
            reports.disk(error)
            return false
        }
    }

    private func change<Result, Failure: Error>(
        _ body: (inout RunCatalog) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try telling.withLock { _ throws(Failure) in
            var next = book
            let result = try body(&next)
            let followers = state.withLock { state in
                state.book = next
                return state.followers
            }
            for follow in followers { follow(next) }
            return result
        }
    }
}

extension RunFolder {
    /// What files and commands name beside the run files. Blocking I/O.
    func materials(of files: [RunFile], and book: RunCatalog) -> RunMaterials {
        var materials = materials(keys: book.companions.keys, courses: book.companions.courses)
        for file in files { materials.add(file.materials) }
        return materials
    }
}
