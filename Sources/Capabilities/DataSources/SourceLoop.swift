import GatewayModel
import Glibc
import HistoryService
import Hub
import Observations
import OutboxService
import Readings
import RealTime
import Settings

/// Loop body of the thread "sources": reads the inboxes and serves the sockets. Made, used and dropped on that thread.
///
/// A disk that hangs holds up this thread and no other.
final class SourceLoop {
    enum Request: Sendable {
        case follow(GatewaySettings)
        /// Answered with the lines of the files; an error where a directory cannot be read.
        case export(PersonID, @Sendable (Result<[InboxFolder.Line], InboxFailure>) -> Void)
        case erase(PersonID, @Sendable ([ErasureStep]) -> Void)
        /// The history has written the readings of a batch, or could not.
        case historyKept(DeviceID, batch: Int, Bool)
        case stop
    }

    /// Files with readings that are on their way to the disk.
    private struct Batch {
        let number: Int
        let place: Int64
        let since: BootInstant
        /// When the history was asked last; nil once it has written.
        var askedAt: BootInstant?
    }

    private struct Source {
        var intake: SourceIntake
        let folder: InboxFolder
        var inbox = InboxMachine()
        var inboxFailure: String?
        var socket: SourceSocket?
        var batch: Batch?

        var settings: GatewaySettings.Source { intake.settings }
    }

    private static let listingInterval = Duration.seconds(1)
    /// Interval between two requests to a history that cannot write.
    private static let historyPause = Duration.seconds(10)
    /// Interval of the look whether the answers' readings are on the disk: half of the outbox's interval of writing.
    private static let answerInterval = Duration.milliseconds(20)
    /// Number of unwritten messages at which nothing more is taken: a fifth of those that memory holds.
    private static let mostUndurable = 2_000
    /// Number of refused entries after which the inbox of the next program has its turn: some milliseconds.
    private static let mostRefused = 500

    private let core: GatewayCore
    private let pipeline: ReadingPipeline
    private let history: HistoryKeeper
    private let seen: SeenRecords
    private let board: SourceBoard
    private let requests: Mailbox<Request>
    /// Time after which a write of the outbox is synced.
    private let syncTime: Duration
    private var sources: [Source] = []
    private var allowance = EntryAllowance()
    private var listedAt: BootInstant?
    private var batches = 0
    private var isStopping = false

    init(
        _ core: GatewayCore, pipeline: ReadingPipeline, history: HistoryKeeper, seen: SeenRecords,
        board: SourceBoard, requests: Mailbox<Request>
    ) {
        (self.core, self.pipeline, self.history, self.seen) = (core, pipeline, history, seen)
        (self.board, self.requests) = (board, requests)
        // The sync itself takes below a second.
        syncTime = core.settings().outbox.group + .seconds(1)
        follow(core.settings())
    }

    func run() {
        while !isStopping {
            let now = Clock.boot()
            allowance.refill(at: now)
            serve(wait(), at: Clock.boot())
            requests.take().values.forEach(answer)
            work(at: Clock.boot())
        }
        for index in sources.indices { sources[index].socket?.shut() }
    }

    // MARK: Settings

    private func follow(_ settings: GatewaySettings) {
        let marks = seen.marks
        var old = Dictionary(sources.map { ($0.settings.id, $0) }) { first, _ in first }
        sources = settings.sources.map { source in
            let before = old.removeValue(forKey: source.id)
            let intake = SourceIntake(
                source, in: settings, pipeline: pipeline, board: board,
                marks: before?.intake.recent.marks ?? marks[source.id] ?? [])
            var fresh = Source(
                intake: intake, folder: InboxFolder(path: source.inbox, isOwn: source.ownsInbox))
            // Entries that a file has handed over already are known when it is read again.
            if let before, before.settings == source {
                (fresh.inbox, fresh.batch) = (before.inbox, before.batch)
            }
            if let before, before.settings.socket == source.socket {
                fresh.socket = before.socket
            } else {
                var socket = before?.socket
                socket?.shut()
                fresh.socket = source.socket.map { SourceSocket(path: $0) }
            }
            return fresh
        }
        allowance.divide(among: sources.map(\.settings.id))
        for var gone in old.values {
            gone.socket?.shut()
            core.health.set(HealthCondition(.sourceUnavailable, subject: gone.settings.id.text), false)
            core.health.set(HealthCondition(.sourceRefused, subject: gone.settings.id.text), false)
        }
        listedAt = nil
    }

    // MARK: Waiting

    private struct Ready {
        var listeners: Set<Int32> = []
        var readable: Set<Int32> = []
    }

    /// Whether the source may hand entries over now. The time of an entry cannot be judged by a clock that is not set.
    private func isOpen(_ source: Source) -> Bool {
        allowance.isOpen(for: source.settings.id) && core.queue.undurable < Self.mostUndurable && isClockSet
    }
    private var isClockSet: Bool { !core.health.conditions.contains(HealthCondition(.clockNotSet)) }

    private func wait() -> Ready {
        guard !sources.isEmpty else {
            _ = Poll.wait([Poll.Interest(requests.wakeup.descriptor)], timeout: nil)
            return Ready()
        }
        let listeners = sources.compactMap(\.socket?.listener)
        let connections = sources.flatMap { source in
            let isOpen = isOpen(source)
            return (source.socket?.connections ?? []).map { ($0, mayRead: isOpen && $0.wantsToRead) }
        }
        // Without the others: a program that has gone is ready at once, again and again.
        let polled = connections.compactMap { connection, mayRead -> Poll.Interest? in
            let read = mayRead ? POLLIN : 0
            let events = connection.wantsToWrite ? read | POLLOUT : read
            return events == 0 ? nil : Poll.Interest(connection.descriptor, events: events)
        }
        let interests =
            [Poll.Interest(requests.wakeup.descriptor)] + listeners.map { Poll.Interest($0) } + polled
        let result = Poll.wait(interests, timeout: timeout())
        let readable = zip(interests, result.readable).filter(\.1).map(\.0.descriptor)
        var ready = Ready(listeners: Set(listeners).intersection(readable), readable: [])
        for (connection, mayRead) in connections where mayRead {
            if connection.hasLines || readable.contains(connection.descriptor) {
                ready.readable.insert(connection.descriptor)
            }
        }
        return ready
    }

    private func timeout() -> Duration {
        let busy = sources.filter(Self.hasWork)
        if busy.contains(where: isOpen) { return .zero }
        if sources.contains(where: { $0.socket?.connections.contains(where: \.awaitsDisk) == true }) {
            return Self.answerInterval
        }
        return busy.isEmpty ? Self.listingInterval : .milliseconds(50)
    }

    private static func hasWork(_ source: Source) -> Bool {
        if source.socket?.connections.contains(where: { $0.hasLines && $0.wantsToRead }) == true { return true }
        return switch source.inbox.next {
        case .read, .hand: source.batch == nil
        case .keep, .nothing: false
        }
    }

    // MARK: Sockets

    private func serve(_ ready: Ready, at now: BootInstant) {
        for index in sources.indices {
            if let listener = sources[index].socket?.listener, ready.listeners.contains(listener) {
                sources[index].socket?.accept(at: now)
            }
            guard var socket = sources[index].socket else { continue }
            socket.changeEach { connection in
                guard ready.readable.contains(connection.descriptor) else { return true }
                return receive(&connection, &sources[index].intake, at: now)
            }
            sources[index].socket = socket
        }
    }

    /// - Returns: whether the program is still there.
    private func receive(
        _ connection: inout SourceConnection, _ intake: inout SourceIntake, at now: BootInstant
    ) -> Bool {
        // A few at a time, so that the programs take turns.
        switch connection.receive(most: 8, at: now) {
        case .closed: return false
        case .nothing: return true
        case .lines(let lines):
            for line in lines {
                allowance.use(by: intake.settings.id)
                switch intake.take(parsed(line), at: "a line at the socket") {
                case .success(let ids): connection.answer(.taken(ids), after: core.queue.lastPlace)
                case .failure(let fault): connection.answer(.refused("\(fault)"), after: 0)
                }
            }
            return true
        }
    }

    private static let poisonous = ObservationFault(
        seen: "an input that has ended the gateway before", expected: "another form of it",
        remedy: "write it differently, and report it")

    private func parsed(_ line: [UInt8]) -> Result<ObservationEntry, ObservationFault> {
        guard !core.poison.isSetAside(.source, line) else { return .failure(Self.poisonous) }
        return core.poison.handle(.source, line) { ObservationParser.entry(inLine: line) }
    }

    // MARK: Inboxes

    private func work(at now: BootInstant) {
        let isDue = listedAt.map { $0.duration(to: now) >= Self.listingInterval } ?? true
        if isDue { listedAt = now }
        for index in sources.indices {
            if isDue {
                sources[index].socket?.open(at: now)
                list(&sources[index])
                report(sources[index])
                board.report(sources[index].settings.id)
            }
            advance(&sources[index], at: now)
            sources[index].intake.note(in: seen)
            let queue = core.queue
            sources[index].socket?.changeEach { connection in
                connection.release { queue.isDurable(through: $0) }
                return connection.flush() && !connection.isDone
            }
        }
    }

    private func list(_ source: inout Source) {
        do throws(InboxFailure) {
            source.inbox.listed(try source.folder.list())
            source.inboxFailure = nil
        } catch {
            source.inbox.listed([])
            source.inboxFailure = error.description
        }
    }

    private func report(_ source: Source) {
        let condition = HealthCondition(.sourceUnavailable, subject: source.settings.id.text)
        let stuck = source.inbox.stuckFile.map { "\($0) can be neither removed nor moved to refused/" }
        let reasons = [source.inboxFailure, stuck, source.socket?.failure].compactMap(\.self)
        core.health.set(condition, !reasons.isEmpty)
        if !reasons.isEmpty { core.health.explain(condition, reasons.joined(separator: "; ")) }
    }

    /// Does the next steps of the inbox, as far as the allowance goes.
    private func advance(_ source: inout Source, at now: BootInstant) {
        var refused = 0
        while isOpen(source), source.batch == nil, refused < Self.mostRefused {
            switch source.inbox.next {
            case .nothing: return
            case .keep: begin(&source, at: now)
            case .read(let mark):
                // A file costs as much as an entry.
                allowance.use(by: source.settings.id)
                guard let result = read(mark, of: &source) else { return }
                source.inbox.parsed(mark, result)
                if case .failure(let fault) = result { source.intake.refuse(fault, at: mark.name) }
            case .hand(let item, let file):
                switch source.intake.take(item.entry, at: "\(file), \(item.place)") {
                case .success:
                    allowance.use(by: source.settings.id)
                    source.inbox.judged(nil)
                case .failure(let fault):
                    // It reaches no queue, so it costs nothing but the turn.
                    refused += 1
                    source.inbox.judged(fault)
                }
            }
        }
        settle(&source, at: now)
    }

    private func read(
        _ mark: FileMark, of source: inout Source
    ) -> Result<[ObservationItem], ObservationFault>? {
        guard let format = ObservationFormat(fileName: mark.name) else {
            return .failure(
                ObservationFault(
                    seen: "a file of another kind", expected: "a name that ends in .json, .ndjson or .csv",
                    remedy: "rename it, if it is of one of these"))
        }
        let bytes: [UInt8]
        do throws(InboxFailure) {
            switch try source.folder.read(mark) {
            case .success(let content): bytes = content
            case .failure(let fault): return .failure(fault)
            }
        } catch {
            source.inbox.listed([])
            source.inboxFailure = error.description
            return nil
        }
        guard !core.poison.isSetAside(.source, bytes) else { return .failure(Self.poisonous) }
        return core.poison.handle(.source, bytes) {
            Result { () throws(ObservationFault) in try ObservationParser.items(in: bytes, format) }
        }
    }

    private func begin(_ source: inout Source, at now: BootInstant) {
        batches += 1
        source.batch = Batch(number: batches, place: core.queue.lastPlace, since: now, askedAt: now)
        askHistory(of: source.settings.id, batches)
    }

    private func askHistory(of source: DeviceID, _ batch: Int) {
        history.keepReadings { [requests] isKept in requests.put(.historyKept(source, batch: batch, isKept)) }
    }

    /// Ends the files of a batch when its readings are on the disk.
    private func settle(_ source: inout Source, at now: BootInstant) {
        if let batch = source.batch, let askedAt = batch.askedAt, askedAt.duration(to: now) >= Self.historyPause
        {
            source.batch?.askedAt = now
            askHistory(of: source.settings.id, batch.number)
        }
        guard let batch = source.batch, batch.askedAt == nil, core.queue.isDurable(through: batch.place),
            batch.since.duration(to: now) >= syncTime
        else { return }
        source.batch = nil
        for outcome in source.inbox.kept() {
            do throws(InboxFailure) {
                if try !source.folder.finish(outcome) { source.inbox.failed(outcome.mark) }
            } catch {
                source.inboxFailure = error.description
                source.inbox.failed(outcome.mark)
            }
        }
        report(source)
    }

    // MARK: Requests

    private func answer(_ request: Request) {
        switch request {
        case .stop: isStopping = true
        case .follow(let settings): follow(settings)
        case .historyKept(let id, let number, let isKept):
            guard let index = sources.firstIndex(where: { $0.settings.id == id }),
                sources[index].batch?.number == number
            else { return }
            if isKept { sources[index].batch?.askedAt = nil }
        case .export(let person, let done):
            done(
                Result { () throws(InboxFailure) in
                    var lines: [InboxFolder.Line] = []
                    for source in sources where source.settings.person == person {
                        lines += try source.folder.lines(of: source.settings.id)
                    }
                    return lines
                })
        case .erase(let person, let done):
            done(
                sources.indices.filter { sources[$0].settings.person == person }.map { erase(&sources[$0]) })
        }
    }

    private func erase(_ source: inout Source) -> ErasureStep {
        let name = "inbox of \(source.settings.id)"
        source.inbox = InboxMachine()
        source.batch = nil
        source.intake.forget(in: seen)
        do throws(InboxFailure) {
            guard let count = try source.folder.erase() else {
                return ErasureStep(
                    isDone: false, line: "\(name): NOT ERASED, ask again: a file cannot be removed")
            }
            return ErasureStep(isDone: true, line: "\(name): \(count) files erased")
        } catch {
            return ErasureStep(isDone: false, line: "\(name): NOT ERASED, ask again: \(error)")
        }
    }
}
