package import Alarms
package import CloudCommands
import Contract
import GatewayModel
package import Hub
import MQTTBridge
package import OutboxService
package import ServiceLifecycle
package import Settings

/// Signed commands of the cloud, and the settings that they change.
package final class CommandControl: Capability {
    package static let names = CapabilityNames(
        settings: ["commands"], conditions: [.identityRenewed], topics: ["commands", "receipts"])

    /// Nil where the settings name no usable issuer.
    private let service: CommandService?
    private let commanded: CommandedSettings
    private let core: GatewayCore

    /// Reads the issuers' keys, the journal, and the commands of an earlier run. Blocking I/O.
    ///
    /// - Parameters:
    ///   - capabilities: carry out the commands that are their own.
    ///   - reportIssuers: called with the issuers that have no usable keys.
    package init(
        _ core: GatewayCore, commanded: CommandedSettings, sos: SOSInbox, heartbeats: Heartbeats,
        receipts: ReceiptSigner, capabilities: [any Capability],
        reportIssuers: @escaping @Sendable ([SalvagedSettings.SetAside]) -> Void
    ) async throws {
        (self.core, self.commanded) = (core, commanded)
        let start = CommandStart(core, receipts: receipts, reportIssuers: reportIssuers)
        let limits = LimitCommands(
            commanded: commanded, inbox: sos, persons: { core.settings().persons })
        let intervals = HeartbeatCommands(
            commanded: commanded, heartbeats: heartbeats, written: { core.settings().gateway.heartbeat })
        service = try await start.makeService(
            settings: limits.handlers.merging(intervals.handlers) { first, _ in first }
        ) { disk in
            capabilities.reduce(into: [:]) { $0.merge($1.commandHandlers(disk)) { first, _ in first } }
        }
    }

    /// Task of the inbox. It is stopped after the broker's session: a command that the session acknowledges at its end has
    /// to be on the disk.
    package var inboxServices: [any Service] {
        service.map { [ThreadService(run: $0.inbox.run, stop: $0.inbox.stop)] } ?? []
    }

    /// Removes the receipts that the outbox has.
    package var careTasks: [CareTask] { [CareTask { [self] _ in removeSentReceipts() }] }

    /// Removes the receipts that the outbox has, at the end of the gateway, too.
    package func removeSentReceipts() { service?.care() }

    package var services: [any Service] { service.map { [$0] } ?? [] }

    package var statusLines: [String] { core.settings().persons.flatMap { commanded.lines(of: $0.plan) } }

    /// Route of the commands; empty where none is accepted: then nothing is subscribed to.
    package var routes: [CloudSession.Route] {
        guard let service else { return [] }
        return [
            CloudSession.Route(filter: core.topics.commands, subject: "commands") {
                [topics = core.topics] message in
                guard message.topic == topics.commands else { return false }
                service.inbox.receive(message.payload)
                return true
            }
        ]
    }

    /// Issuers with the keys that are in force now. From any thread.
    package var issuers: [PinnedIssuer] { service?.issuers ?? [] }
}
