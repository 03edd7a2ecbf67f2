import Alarms
import Contract
import GatewayModel
import Hub
import Logging
import MQTTBridge
import OutboxService
import RealTime
import SOSLocal
import SignedCommands

// Acceptances that the broker sends. On the mqtt thread.
extension Gateway {
    func acceptances(_ commands: CommandControl) -> CloudSession.Route {
        CloudSession.Route(filter: topics.acceptedFilter, subject: "acceptances") { [self] message in
            accept(message, commands)
        }
    }

    /// An acceptance may be acknowledged as soon as the inbox of the rules has it: where the gateway dies before they
    /// read it, help is called again, and the service that took the call says so again.
    private func accept(_ message: InboundMessage, _ commands: CommandControl) -> Bool {
        guard let person = topics.personOfAcceptance(topic: message.topic) else { return false }
        help.receiveAcceptance(message.payload, of: person, from: commands.issuers)
        return true
    }
}
