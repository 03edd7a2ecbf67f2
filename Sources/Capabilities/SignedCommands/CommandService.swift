package import CloudCommands
import GatewayModel
import Hub
import RealTime
import ServiceLifecycle
package import Vault

/// Effect of a command on the gateway's own settings, before it holds.
package enum SettingEffect: Sendable {
    case refused(CommandRefusal)
    /// - Parameter hold: makes the effect hold in memory. Called when it is durable; must return at once.
    case change([StateChange], CommandJournal.Outcome, hold: @Sendable () -> Void)
}

/// Determines the effect of a command on the gateway's own settings. No I/O.
package typealias SettingHandler = @Sendable (VerifiedCommand) -> SettingEffect

/// Carries out signed commands, one after the other, in the order of their arrival.
///
/// A command on the gateway's own settings is one transaction: its number, its effect and its receipt. Any other command is
/// used up on the disk before it is carried out, and its outcome is written with its receipt: no crash lets it be done
/// twice. Where the gateway died in between, the progress is unknown: the command is answered as interrupted, and the
/// cloud sends another.
package final class CommandService: Service {
    /// Run and stopped by `CommandControl`: it keeps messages for as long as the broker can send any.
    let inbox: CommandInbox
    private let register: CommandRegister
    private let disk: DiskQueue
    private let receipts: ReceiptSigner
    private let unsent: [StateRow]
    private let poison: PoisonGuard
    private let settings: [CommandKind: SettingHandler]
    private let handlers: [CommandKind: CommandHandler]

    /// - Parameters:
    ///   - disk: queue of blocking work of the handlers; run and stopped here.
    ///   - unsent: receipts that an earlier run left.
    ///   - settings: handlers of the commands on the gateway's own settings.
    ///   - handlers: handlers of the other kinds of commands but the rotation of a key.
    init(
        _ register: CommandRegister, inbox: CommandInbox, disk: DiskQueue, receipts: ReceiptSigner,
        unsent: [StateRow], poison: PoisonGuard, settings: [CommandKind: SettingHandler],
        handlers: [CommandKind: CommandHandler]
    ) {
        (self.register, self.inbox, self.disk) = (register, inbox, disk)
        (self.receipts, self.unsent, self.poison) = (receipts, unsent, poison)
        (self.settings, self.handlers) = (settings, handlers)
    }

    package func run() async throws {
        async let working: Void = disk.run()
        await withGracefulShutdownHandler {
            for row in unsent { receipts.sendAgain(row) }
            for await work in inbox.line {
                switch work {
                case .command(let item):
                    await handle(item)
                    inbox.finish(item)
                case .answer(let answer):
                    answer.reply(await carryOut(answer.effect()))
                    inbox.finishAnswer()
                }
            }
        } onGracefulShutdown: { [inbox] in
            inbox.close()
        }
        disk.stop()
        try await working
    }

    /// Issuers with the keys that are in force now. From any thread.
    var issuers: [PinnedIssuer] { register.issuers }

    /// Removes the rows of the receipts that the outbox has, and begins to remember commands when the clock is right. Call
    /// it once a second.
    func care() {
        register.begin()
        register.put(receipts.takeKept().map { .remove(.receipt, key: $0.description) })
    }

    private func handle(_ item: CommandInbox.Item) async {
        let command = item.command
        guard !item.isRepeated else { return await again(item) }
        if let effect = await effect(of: command) { return await carryOut(effect, item) }
        if command.onlyEnds {
            // It holds in memory at once, whatever the disk does.
            register.write(beginning(item)) { _ in item.ticket?.settle() }
            return await finish(item, await end(item))
        }
        let begun = await register.commit(beginning(item)) { item.ticket?.settle() }
        guard case .kept = begun else { return await finish(item, .refused(.notKept)) }
        await finish(item, await perform(command))
    }

    private func again(_ item: CommandInbox.Item) async {
        if let outcome = register.outcome(of: item.command) {
            receipts.answer(item.token, from: item.command.name, outcome, first: outcome)
            return register.put(item.hasCopy ? [.remove(.waitingCommand, key: item.copy)] : [])
        }
        // An earlier run died in it. A command that only ends something is done to its end, as often as necessary.
        let outcome =
            item.command.onlyEnds
            ? await end(item)
            : .refused(CommandRefusal(.interrupted, "the gateway stopped in doing it: look, and ask anew"))
        await finish(item, outcome)
    }

    // MARK: Commands on the gateway's own settings

    /// - Returns: nil where the command is another one.
    private func effect(of command: VerifiedCommand) async -> SettingEffect? {
        if case .rotateKey(let offered) = command.command { return await rotate(command, to: offered) }
        return settings[command.kind]?(command)
    }

    private func carryOut(_ effect: SettingEffect, _ item: CommandInbox.Item) async {
        guard case .change(let changes, let outcome, let hold) = effect else {
            if case .refused(let refusal) = effect { await finish(item, .refused(refusal)) }
            return
        }
        let command = item.command
        let receipt = receipts.makeReceipt(of: item.token, from: command.name, outcome)
        let all = ending(item, outcome, receipt) + changes
        let result = await register.commit(all) { [register, receipts] in
            hold()
            register.record(outcome, of: command)
            item.ticket?.settle()
            receipt.map(receipts.send)
        }
        switch result {
        case .kept: break
        case .failed: await finish(item, .refused(.notKept))
        case .late:
            // Where it is done after all, its own receipt says so.
            register.recordLate(command)
            receipts.answer(item.token, from: command.name, .refused(.notKept), isOwed: true)
        }
    }

    /// Carries out an answer of the house: its effect and its receipt are one transaction.
    private func carryOut(_ effect: SettingEffect) async -> CommandJournal.Outcome {
        switch effect {
        case .refused(let refusal): return .refused(refusal)
        case .change(let changes, let outcome, let hold):
            guard case .kept = await register.commit(changes, onKept: hold) else { return .refused(.notKept) }
            return outcome
        }
    }

    private func rotate(
        _ command: VerifiedCommand, to offered: CloudCommand.OfferedKey
    ) async -> SettingEffect {
        let key: PinnedKey
        do throws(PinnedKey.Fault) {
            key = try await offered.pinned()
        } catch {
            return .refused(CommandRefusal(.wrongValue, "key: \(error)"))
        }
        var issuers = register.issuers
        guard !issuers.contains(where: { $0.hasUsed(key) }) else {
            return .refused(
                CommandRefusal(
                    .notPossible, "this key, or one with this kid, was pinned already: choose another"))
        }
        for index in issuers.indices {
            guard let root = issuers[index].rotate(command.key, to: key) else { continue }
            return .change(
                [CommandRows.change(successor: key, of: root)],
                .done("commands of this issuer are taken by the new key, and no longer by the one before"),
                hold: { [register, issuers] in register.replace(issuers) })
        }
        return .refused(CommandRefusal(.unknownKey, "the key that signed it is no longer pinned"))
    }

    // MARK: Other commands

    /// A command that only ends something is performed at each start until it is done, so it must not be one
    /// that ends the gateway. Every other command is used up on the disk before it is performed.
    private func end(_ item: CommandInbox.Item) async -> CommandJournal.Outcome {
        guard !poison.isSetAside(.command, item.token) else {
            return .refused(CommandRefusal(.interrupted, "the gateway ended while it did it: it is set aside"))
        }
        return await poison.handle(.command, item.token) { await perform(item.command) }
    }

    private func perform(_ command: VerifiedCommand) async -> CommandJournal.Outcome {
        await handlers[command.kind]?(command) ?? .refused(.unsupported(command.kind))
    }

    private func finish(_ item: CommandInbox.Item, _ outcome: CommandJournal.Outcome) async {
        register.record(outcome, of: item.command)
        let receipt = receipts.makeReceipt(of: item.token, from: item.command.name, outcome)
        let changes = ending(item, outcome, receipt)
        // Without these rows the command is answered as interrupted after a crash; it is not done again.
        if case .failed = await register.commit(changes) { register.put(changes) }
        receipt.map(receipts.send)
    }

    // MARK: Rows

    /// Rows of a command that is about to be carried out. The copy is kept until its outcome is.
    private func beginning(_ item: CommandInbox.Item) -> [StateChange] {
        let copy = StateChange.put(.waitingCommand, StateRow(key: item.copy, content: item.token))
        return register.changes(recording: item.command, nil) + (item.hasCopy ? [] : [copy])
    }

    private func ending(
        _ item: CommandInbox.Item, _ outcome: CommandJournal.Outcome, _ receipt: ReceiptSigner.Receipt?
    ) -> [StateChange] {
        register.changes(recording: item.command, outcome)
            + [.remove(.waitingCommand, key: item.copy)]
            + (receipt.map { [.put(.receipt, $0.row)] } ?? [])
    }
}
