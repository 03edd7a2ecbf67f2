import CloudCommands
import GatewayModel
import Hub
import Logging
import RealTime
import ServiceLifecycle
import Settings
import Synchronization

/// Carries out signed commands, one after the other, in the order of their arrival.
///
/// A command is used up on the disk before it is carried out, so that no crash lets it be done twice. Where the gateway
/// died in between, the progress is unknown: the command is answered as interrupted, and the cloud sends another.
package final class CommandService: Service {
    private struct State {
        var verifier: CommandVerifier
        var book: CommandJournal
    }

    /// Run and stopped by `CommandControl`: it keeps messages for as long as the broker can send any.
    let inbox: CommandInbox
    private let disk: DiskQueue
    private let keep: @Sendable (CommandJournal) -> Bool
    private let receipts: ReceiptSigner
    private let poison: PoisonGuard
    private let clock: GatewaySettings.Commands.Clock
    private let handlers: [CommandKind: CommandHandler]
    /// Changed by `run` alone.
    private let state: Mutex<State>
    private let started = Clock.boot()

    /// - Parameters:
    ///   - disk: queue of blocking work; run and stopped here.
    ///   - keep: writes the journal, and returns whether it is durable. On the thread of `disk`.
    ///   - handlers: of each kind of command but the rotation of a key.
    init(
        verifier: CommandVerifier, book: CommandJournal, inbox: CommandInbox, disk: DiskQueue,
        receipts: ReceiptSigner, poison: PoisonGuard, clock: GatewaySettings.Commands.Clock,
        keep: @escaping @Sendable (CommandJournal) -> Bool,
        handlers: [CommandKind: CommandHandler]
    ) {
        state = Mutex(State(verifier: verifier, book: book))
        (self.inbox, self.disk, self.receipts, self.keep) = (inbox, disk, receipts, keep)
        (self.clock, self.handlers, self.poison) = (clock, handlers, poison)
    }

    /// Takes a message, on the broker's thread: it waits for the disk briefly, and only for a command that is valid.
    func receive(_ message: [UInt8]) {
        guard !inbox.take(message, isWorthKeeping: { isFresh(message) }) else { return }
        receipts.answer(
            message, from: nil,
            .refused(
                CommandRefusal(.busy, "\(CommandInbox.room) commands wait to be done: send it again later")))
    }

    package func run() async throws {
        async let keeping: Void = disk.run()
        await withGracefulShutdownHandler {
            await remember()
            for await arrival in inbox.arrivals {
                await handle(arrival)
                inbox.finish(arrival)
            }
        } onGracefulShutdown: { [inbox] in
            inbox.close()
        }
        disk.stop()
        try await keeping
    }

    /// Issuers with the keys that are in force now. From any thread.
    var issuers: [PinnedIssuer] { state.withLock(\.verifier.issuers) }

    private var book: CommandJournal { state.withLock(\.book) }

    /// Whether it is durable.
    private func keepBook() async -> Bool {
        let (book, keep) = (book, keep)
        return await disk.perform { keep(book) } ?? false
    }

    private var time: CommandVerifier.Time {
        CommandVerifier.Time(now: Clock.wall(), isRight: clock == .assumedRight || Clock.isSynchronised)
    }

    /// From the start of this run on, where there was no book before.
    private func remember() async {
        guard book.since == nil, time.isRight else { return }
        let elapsed = started.duration(to: Clock.boot()).wholeMilliseconds
        state.withLock {
            $0.book.begin(
                at: WallTime(millisecondsSince1970: Clock.wall().millisecondsSince1970 - elapsed))
        }
        _ = await keepBook()
    }

    private func judge(_ message: [UInt8]) -> CommandVerdict {
        let now = time
        return state.withLock { $0.verifier.judge(message, at: now, $0.book) }
    }

    private func isFresh(_ message: [UInt8]) -> Bool {
        if case .fresh = judge(message) { true } else { false }
    }

    private func handle(_ arrival: CommandInbox.Arrival) async {
        await remember()
        guard !poison.isSetAside(.command, arrival.token) else {
            let refusal = CommandRefusal(.interrupted, "the gateway ended while it handled it: it is set aside")
            return receipts.answer(arrival.token, from: nil, .refused(refusal))
        }
        // Anew: what came before it may have rotated a key, or have taken its `jti`.
        switch poison.handle(.command, arrival.token, { judge(arrival.token) }) {
        case .refused(let refusal, let name): receipts.answer(arrival.token, from: name, .refused(refusal))
        case .repeated(let command, let entry): await again(command, entry, arrival)
        case .fresh(let command): await first(command, arrival)
        }
    }

    private func again(
        _ command: VerifiedCommand, _ entry: CommandJournal.Entry, _ arrival: CommandInbox.Arrival
    ) async {
        if let outcome = entry.outcome {
            return receipts.answer(arrival.token, from: command.name, outcome, first: outcome)
        }
        // An earlier run died in it. What only ends something is done to its end, as often as it takes.
        let outcome =
            command.onlyEnds
            ? await end(command, arrival)
            : .refused(CommandRefusal(.interrupted, "the gateway stopped in doing it: look, and ask anew"))
        await note(outcome, of: command, arrival)
    }

    private func first(_ command: VerifiedCommand, _ arrival: CommandInbox.Arrival) async {
        state.withLock { $0.book.take(command) }
        if command.onlyEnds {
            // It holds in memory at once, whatever the disk does.
            return await note(await end(command, arrival), of: command, arrival)
        }
        // What did not hold when it came, and does now, need not survive a power cut before this line: it would be asked
        // again for want of a receipt.
        guard arrival.copy != .late, await keepBook() else {
            return await note(.refused(.notKept), of: command, arrival)
        }
        let outcome: CommandJournal.Outcome
        if case .rotateKey(let offered) = command.command {
            outcome = await rotate(command, to: offered)
        } else {
            outcome = await perform(command)
        }
        await note(outcome, of: command, arrival)
    }

    /// A command that only ends something is performed at each start until it is done, so it must not be one
    /// that ends the gateway. Every other command is used up in the book before it is performed.
    private func end(
        _ command: VerifiedCommand, _ arrival: CommandInbox.Arrival
    ) async -> CommandJournal.Outcome {
        await poison.handle(.command, arrival.token) { await perform(command) }
    }

    private func perform(_ command: VerifiedCommand) async -> CommandJournal.Outcome {
        await handlers[command.kind]?(command) ?? .refused(.unsupported(command.kind))
    }

    private func note(
        _ outcome: CommandJournal.Outcome, of command: VerifiedCommand, _ arrival: CommandInbox.Arrival
    ) async {
        state.withLock { $0.book.note(outcome, of: command.name) }
        // Where this one is lost the command is answered as interrupted; it is not done again.
        _ = await keepBook()
        receipts.answer(arrival.token, from: command.name, outcome, isOwed: true)
    }

    private func rotate(
        _ command: VerifiedCommand, to offered: CloudCommand.OfferedKey
    ) async -> CommandJournal.Outcome {
        let key: PinnedKey
        do throws(PinnedKey.Fault) {
            key = try await offered.pinned()
        } catch {
            return .refused(CommandRefusal(.wrongValue, "key: \(error)"))
        }
        let refusal = state.withLock { state -> CommandRefusal? in
            guard !state.verifier.issuers.contains(where: { $0.hasUsed(key) }) else {
                return CommandRefusal(
                    .notPossible, "this key, or one with this kid, was pinned already: choose another")
            }
            for index in state.verifier.issuers.indices {
                guard let root = state.verifier.issuers[index].rotate(command.key, to: key) else { continue }
                state.book.succeed(root, by: key)
                return nil
            }
            return CommandRefusal(.unknownKey, "the key that signed it is no longer pinned")
        }
        if let refusal { return .refused(refusal) }
        let isKept = await keepBook()
        return .done(
            "commands of this issuer are taken by the new key, and no longer by the one before"
                + (isKept ? "" : "; IT IS NOT WRITTEN DOWN: after a restart it may be the other way round"))
    }
}
