import CloudCommands
import GatewayModel
import Hub
import RealTime
import Settings
import Synchronization
import Vault

/// Issuers' keys and the journal of the commands: in memory, and as rows of `state.sqlite`. From any thread.
final class CommandRegister: Sendable {
    /// State of a transaction when the wait for it ended.
    enum Commit: Sendable {
        case kept
        /// The disk does not answer: the transaction may still be done.
        case late
        /// Nothing was written.
        case failed
    }

    private struct State {
        var verifier: CommandVerifier
        var journal: CommandJournal
        /// Number of the next copy of a waiting command.
        var nextCopy: Int64
        /// A transaction was late: no other is waited for until the disk has answered.
        var isHanging = false
    }

    private let state: Mutex<State>
    private let writer: StateWriter
    private let clock: GatewaySettings.Commands.Clock
    private let started = Clock.boot()

    init(
        verifier: CommandVerifier, rows: CommandRows, writer: StateWriter,
        clock: GatewaySettings.Commands.Clock
    ) {
        state = Mutex(
            State(verifier: verifier, journal: rows.journal, nextCopy: (rows.waiting.last?.number ?? -1) + 1))
        (self.writer, self.clock) = (writer, clock)
    }

    /// Issuers with the keys that are in force now.
    var issuers: [PinnedIssuer] { state.withLock(\.verifier.issuers) }

    /// Verifies a message, and takes the command where it is fresh: it is used up in memory from then on.
    func judge(_ message: [UInt8]) -> CommandVerdict {
        let time = time
        begin(at: time)
        return state.withLock { state in
            let verdict = state.verifier.judge(message, at: time, state.journal)
            if case .fresh(let command) = verdict { state.journal.take(command) }
            return verdict
        }
    }

    private var time: CommandVerifier.Time {
        CommandVerifier.Time(now: Clock.wall(), isRight: clock == .assumedRight || Clock.isSynchronised)
    }

    /// Begins to remember, where there was no journal before. The earlier that is on the disk, the fewer commands are refused
    /// after a kill as older than the memory.
    func begin() { begin(at: time) }

    /// Begins to remember at the start of this run, where there was no journal before.
    private func begin(at time: CommandVerifier.Time) {
        guard time.isRight else { return }
        let elapsed = started.duration(to: Clock.boot()).wholeMilliseconds
        let start = WallTime(millisecondsSince1970: time.now.millisecondsSince1970 - elapsed)
        let isFirst = state.withLock { state in
            defer { state.journal.begin(at: start) }
            return state.journal.since == nil
        }
        if isFirst { writer.put([CommandRows.change(since: start)]) }
    }

    /// Replaces the keys of an issuer. Called by one task alone.
    func replace(_ issuers: [PinnedIssuer]) {
        state.withLock { $0.verifier.issuers = issuers }
    }

    /// - Returns: nil while the command is being done, and where an earlier run died in it.
    func outcome(of command: VerifiedCommand) -> CommandJournal.Outcome? {
        state.withLock { $0.journal.entry(command.name)?.outcome }
    }

    func record(_ outcome: CommandJournal.Outcome, of command: VerifiedCommand) {
        state.withLock { $0.journal.record(outcome, of: command.name) }
    }

    /// Records a transaction that is late, unless it is done by now.
    func recordLate(_ command: VerifiedCommand) {
        state.withLock { state in
            guard state.journal.entry(command.name)?.outcome == nil else { return }
            state.journal.record(.refused(.notKept), of: command.name)
        }
    }

    /// Rows that use the command up on the disk.
    ///
    /// - Parameter outcome: nil before the command is done.
    func changes(
        recording command: VerifiedCommand, _ outcome: CommandJournal.Outcome?
    ) -> [StateChange] {
        guard let entry = state.withLock({ $0.journal.entry(command.name) }) else { return [] }
        return CommandRows.changes(of: entry.with(outcome), sequence: command.name.sequence)
    }

    /// Number for the copy of a command that waits.
    func nextCopy() -> String {
        state.withLock { state in
            defer { state.nextCopy += 1 }
            return StateChange.key(state.nextCopy)
        }
    }

    // MARK: The disk

    /// Writes rows in one transaction, and waits for it. While the disk hangs nothing is written.
    ///
    /// - Parameter onKept: called on the disk thread when the transaction is durable, also where it is late.
    func commit(
        _ changes: [StateChange], onKept: @escaping @Sendable () -> Void = {}
    ) async -> Commit {
        guard !state.withLock(\.isHanging) else { return .failed }
        let isKept = await withTimeout(DiskQueue.standardLimit) { done in
            write(changes) { isKept in
                if isKept { onKept() }
                done(isKept)
            }
        }
        if isKept == nil { state.withLock { $0.isHanging = true } }
        return isKept.map { $0 ? .kept : .failed } ?? .late
    }

    /// Writes rows in one transaction; returns at once.
    ///
    /// - Parameter done: called on the disk thread.
    func write(_ changes: [StateChange], done: @escaping @Sendable (_ isKept: Bool) -> Void) {
        writer.commit(changes) { [self] failure in
            state.withLock { $0.isHanging = false }
            done(failure == nil)
        }
    }

    /// Writes rows as soon as the disk takes them; returns at once.
    func put(_ changes: [StateChange]) {
        writer.put(changes)
    }
}
