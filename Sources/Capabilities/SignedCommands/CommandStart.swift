import CloudCommands
import GatewayModel
import Hub
import Logging
import OutboxService
import Settings
import SettingsReading
import Vault

/// Start of the signed commands: reads the issuers' keys, the journal, and the commands of an
/// earlier run. Blocking I/O.
///
/// No damage of the files stops the start.
struct CommandStart: Sendable {
    private let core: GatewayCore
    private let receipts: ReceiptSigner
    private let reportIssuers: @Sendable ([SalvagedSettings.SetAside]) -> Void

    private var settings: GatewaySettings { core.settings() }
    private var log: Logger { core.log }

    /// - Parameter reportIssuers: called with the issuers that have no usable keys.
    init(
        _ core: GatewayCore, receipts: ReceiptSigner,
        reportIssuers: @escaping @Sendable ([SalvagedSettings.SetAside]) -> Void
    ) {
        (self.core, self.receipts, self.reportIssuers) = (core, receipts, reportIssuers)
    }

    /// - Parameters:
    ///   - settings: handlers of the commands on the gateway's own settings.
    ///   - handlers: makes the handlers of the other commands; blocking work is for the queue.
    /// - Returns: nil where the settings name no issuer with usable keys: then nothing is subscribed to.
    func makeService(
        settings handlersOfSettings: [CommandKind: SettingHandler],
        handlers: (DiskQueue) -> [CommandKind: CommandHandler]
    ) async throws -> CommandService? {
        guard !settings.commands.issuers.isEmpty else { return nil }
        let rows = earlierRows()
        let issuers = await usableIssuers(rotatedBy: rows.successors)
        guard !issuers.isEmpty else { return nil }
        let register = CommandRegister(
            verifier: CommandVerifier(gateway: settings.gateway.id, issuers: issuers), rows: rows,
            writer: core.writer, clock: settings.commands.clock)
        let disk = try DiskQueue("command-work")
        return CommandService(
            register,
            inbox: CommandInbox(register, earlier: rows.waiting, receipts: receipts, poison: core.poison),
            disk: disk, receipts: receipts, unsent: rows.receipts, poison: core.poison,
            settings: handlersOfSettings, handlers: handlers(disk))
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

    /// Where the disk fails, commands that were issued before now are refused: they may have been done.
    private func earlierRows() -> CommandRows {
        do throws(DiskFailure) {
            return try CommandRows(core.database.rows)
        } catch {
            log.error("the journal of commands cannot be read", metadata: ["reason": "\(error)"])
            return CommandRows()
        }
    }
}
