import GatewayModel
import Hub
import RealTime
import RunBeacon
import RunFiles
import Settings
import SettingsReading
import Synchronization
import Vault

/// The runs of this box as they are now: of the files since the last reload, and of commands.
///
/// From any thread. Followers are called on the thread of the change, before it returns; a runner who leaves waits for no
/// disk.
final class RunStore: Sendable {
    typealias Follow = @Sendable (RunCatalog) -> Void

    /// Receivers of its failures, called on the thread that finds them.
    struct Reports: Sendable {
        /// The runs of earlier commands are there and cannot be read.
        let damage: @Sendable (DiskFailure) -> Void
        /// After each write: nil where it is durable.
        let disk: @Sendable (DiskFailure?) -> Void
        /// After each reading of the files: their mistakes.
        let files: @Sendable ([SettingsError]) -> Void
    }

    let folder: RunFolder
    private let file: CommandedRunsFile
    private let reports: Reports
    private let catalog: Mutex<RunCatalog>
    private let followers: [Follow]
    /// Held while followers are called, so that none gets an older catalogue after a newer one. Never over the disk.
    private let telling = Mutex(())
    /// Held over the disk: one at a time. Taken before `telling`, where both are.
    private let writing = Mutex(())

    /// Reads the files and the runs of commands. A mistake does not keep the gateway from its start: it is reported, and the
    /// sound files are taken. Blocking I/O.
    /// - Parameters:
    ///   - box: no command may change its carrier; nil where one may.
    ///   - gateway: this box.
    ///   - followers: each is called with the runs at the start, and with those of each change. It must return at once.
    init(
        folder: RunFolder, stateDirectory: String, marks: StateMarks? = nil, keeping box: GatewayID? = nil,
        of gateway: GatewayID? = nil,
        reports: Reports, followers: [Follow] = []
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
        catalog = Mutex(book)
        self.followers = followers
        if book.commanded != before { save(book.commanded) }
        for follow in followers { follow(book) }
    }

    /// Runs as they are now.
    var book: RunCatalog { catalog.withLock { $0 } }

    // MARK: Files

    /// Reads the files again. One that is wrong leaves all as it is: half of an organiser's changes is worse
    /// than none. Blocking I/O.
    /// - Returns: the mistakes, or else the warnings.
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
    /// - Returns: whether any of these runners was in the run.
    func leave(_ run: RunID, _ bibs: [Bib], at now: WallTime) throws(RunRefusal) -> Bool {
        try change { book throws(RunRefusal) in try book.perform(.leave(run, bibs), at: now) }
    }

    /// Makes the runs of commands durable. Blocking I/O.
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
            catalog.withLock { $0 = next }
            for follow in followers { follow(next) }
            return result
        }
    }
}
