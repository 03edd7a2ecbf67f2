package import CloudCommands
package import Contract
package import GatewayModel
package import Hub
import MQTTBridge
package import OutboxService
package import ServiceLifecycle
package import Settings

/// Signed commands of the cloud, and the settings that they change.
package final class CommandControl: Capability {
    private let service: CommandService?
    private let commanded: CommandedSettings
    private let topics: Topics
    private let persons: @Sendable () -> [GatewaySettings.Person]

    /// - Parameters:
    ///   - service: nil where the settings name no usable issuer.
    ///   - persons: those of the settings that run now.
    package init(
        _ service: CommandService?, commanded: CommandedSettings, topics: Topics,
        persons: @escaping @Sendable () -> [GatewaySettings.Person]
    ) {
        (self.service, self.commanded, self.topics, self.persons) = (service, commanded, topics, persons)
    }

    /// Thread of the inbox. It is stopped after the broker's session: a command that the session acknowledges at its end has
    /// to be on the disk.
    package var inbox: ThreadService? {
        service.map { ThreadService(run: $0.inbox.run, stop: $0.inbox.stop) }
    }

    package var services: [any Service] { service.map { [$0] } ?? [] }

    package var statusLines: [String] { persons().flatMap { commanded.lines(of: $0.plan) } }

    package var healthCodes: Set<HealthCode> { [.identityRenewed] }

    /// Route of the commands; empty where none is accepted: then nothing is subscribed to.
    package var routes: [CloudSession.Route] {
        guard let service else { return [] }
        return [
            CloudSession.Route(filter: topics.commands, subject: "commands") { [topics] message in
                guard message.topic == topics.commands else { return false }
                service.receive(message.payload)
                return true
            }
        ]
    }

    /// Issuers with the keys that are in force now. From any thread.
    package var issuers: [PinnedIssuer] { service?.issuers ?? [] }
}
