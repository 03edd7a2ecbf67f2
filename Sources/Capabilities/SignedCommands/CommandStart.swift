package import CloudCommands
package import GatewayModel
package import Hub
import Logging
package import OutboxService
package import Settings
import Vault

/// Start of the signed commands: reads the issuers' keys, the journal, and the commands of an earlier run. Blocking I/O.
///
/// No damage of the files stops the start.
package struct CommandStart: Sendable {
    private let core: GatewayCore
    private let receipts: ReceiptSigner
    private let reportIssuers: @Sendable ([SalvagedSettings.SetAside]) -> Void

    private var settings: GatewaySettings { core.settings() }
    private var marks: StateMarks { core.marks }
    private var damage: StateDamage { core.damage }
    private var log: Logger { core.log }

    /// - Parameter reportIssuers: called with the issuers that have no usable keys.
    package init(
        _ core: GatewayCore, receipts: ReceiptSigner,
        reportIssuers: @escaping @Sendable ([SalvagedSettings.SetAside]) -> Void
    ) {
        (self.core, self.receipts, self.reportIssuers) = (core, receipts, reportIssuers)
    }

    /// - Parameter handlers: makes the handlers of the commands; blocking work is for the queue.
    /// - Returns: nil where the settings name no issuer with usable keys: then nothing is subscribed to.
    package func makeService(
        handlers: (DiskQueue) -> [CommandKind: CommandHandler]
    ) async throws -> CommandService? {
        guard !settings.commands.issuers.isEmpty else { return nil }
        let state = settings.gateway.stateDirectory
        let bookFile = StateFile<CommandJournal>(path: state + "/commands.json", marks: marks)
        let book = earlierBook(bookFile)
        let issuers = await usableIssuers(rotatedBy: book.successors)
        guard !issuers.isEmpty else { return nil }
        let inboxFile = CommandInboxFile(stateDirectory: state, marks: marks)
        let inbox = try CommandInbox(file: inboxFile, earlier: earlierCommands(inboxFile)) { [damage] failure in
            Self.reportDisk("commands", failure, damage)
        }
        let disk = try DiskQueue("command-book")
        return CommandService(
            verifier: CommandVerifier(gateway: settings.gateway.id, issuers: issuers), book: book, inbox: inbox,
            disk: disk, receipts: receipts, poison: core.poison, clock: settings.commands.clock,
            keep: { [damage] book in
                do throws(DiskFailure) {
                    try bookFile.save(book)
                    Self.reportDisk("command-book", nil, damage)
                    return true
                } catch {
                    Self.reportDisk("command-book", error, damage)
                    return false
                }
            }, handlers: handlers(disk))
    }

    /// An issuer without usable keys is set aside: its commands are refused.
    private func usableIssuers(rotatedBy successors: [String: String]) async -> [PinnedIssuer] {
        var usable: [GatewaySettings.Issuer] = []
        var pinned: [PinnedIssuer] = []
        var setAside: [SalvagedSettings.SetAside] = []
        for issuer in settings.commands.issuers {
            do throws(SettingsError) {
                // With those before it: its key may also be that of another issuer.
                pinned = try await (usable + [issuer]).pinned(rotatedBy: successors)
                usable.append(issuer)
            } catch {
                setAside += error.problems(in: issuer.place.file).map {
                    SalvagedSettings.SetAside(
                        problem: $0, part: "[[commands.issuers]] \"\(issuer.id)\"", concernsHelp: false)
                }
            }
        }
        reportIssuers(setAside)
        return pinned
    }

    /// Where the journal cannot be read, commands that were issued before now are refused: they may have been done.
    private func earlierBook(_ file: StateFile<CommandJournal>) -> CommandJournal {
        do throws(DiskFailure) {
            return try file.load() ?? CommandJournal()
        } catch {
            damage.report(.commandBook, error)
            return CommandJournal()
        }
    }

    private func earlierCommands(_ file: CommandInboxFile) -> [[UInt8]] {
        do throws(DiskFailure) {
            if let failure = try file.mend() { damage.report(.commandInbox, failure) }
            return try file.load()
        } catch {
            log.error("commands that waited to be done cannot be read", metadata: ["reason": "\(error)"])
            return []
        }
    }

    /// - Parameter file: name of the file: a write to one file does not clear the condition of the other.
    private static func reportDisk(_ file: String, _ failure: DiskFailure?, _ damage: StateDamage) {
        let isNews = damage.health.set(HealthCondition(.storageUnavailable, subject: file), failure != nil)
        if isNews, let failure {
            damage.log.error(
                "the disk does not keep commands", metadata: ["file": "\(file)", "reason": "\(failure)"])
        }
    }
}
