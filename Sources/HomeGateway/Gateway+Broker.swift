import Alarms
import Contract
import GatewayModel
import Hub
import Logging
import MQTTBridge
import OutboxService
import RealTime
import SOSLocal

/// Routes of the messages that the broker sends. On the mqtt thread.
extension Gateway {
    func routes(_ commands: CommandService?) -> [CloudSession.Route] {
        let acceptances = CloudSession.Route(filter: topics.acceptedFilter, subject: "acceptances") {
            [self] message in accept(message, commands)
        }
        guard let commands else { return [acceptances] }
        let commanded = CloudSession.Route(filter: topics.commands, subject: "commands") { [topics] message in
            guard message.topic == topics.commands else { return false }
            commands.receive(message.payload)
            return true
        }
        return [acceptances, commanded]
    }

    /// An acceptance may be acknowledged as soon as the inbox of the rules has it: where the gateway dies before they
    /// read it, help is called again, and the service that took the call says so again.
    private func accept(_ message: InboundMessage, _ commands: CommandService?) -> Bool {
        guard let person = topics.personOfAcceptance(topic: message.topic) else { return false }
        help.receiveAcceptance(message.payload, of: person, from: commands?.issuers ?? [])
        return true
    }
}
