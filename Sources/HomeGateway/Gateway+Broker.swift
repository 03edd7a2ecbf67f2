import Contract
import GatewayModel
import Logging
import MQTTBridge
import RealTime
import SOSLocal

/// What the broker tells. On the mqtt thread.
extension Gateway {
    func broker(_ event: BrokerEvent) {
        switch event {
        case .connected(let welcome):
            note(welcome)
            queue.connected()
            health.set(HealthCondition(.brokerUnreachable), false)
            health.set(HealthCondition(.brokerRefused), false)
            health.set(HealthCondition(.brokerMisbehaves), false)
            announceStatus()
        case .disconnected(let reason, let retryIn):
            let isNews = health.set(HealthCondition(.brokerUnreachable), true)
            log.log(
                level: isNews ? .warning : .debug, "broker not connected",
                metadata: ["reason": "\(reason)", "retry_in_ms": "\(retryIn.wholeMilliseconds)"])
        case .refused(let code, let text, let retryIn):
            let isNews = health.set(HealthCondition(.brokerRefused), true)
            log.log(
                level: isNews ? .warning : .debug, "broker refuses",
                metadata: [
                    "reason_code": "\(code)", "reason": "\(text)",
                    "retry_in_ms": "\(retryIn.wholeMilliseconds)",
                ])
        case .subscribed(let topic):
            log.info("subscribed", metadata: ["topic": "\(topic)"])
            health.set(HealthCondition(.brokerRefused, subject: subject(of: topic)), false)
        case .subscriptionRefused(let topic, let reason):
            log.error("subscription refused", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
            health.set(HealthCondition(.brokerRefused, subject: subject(of: topic)), true)
        case .fault(let fault, let count):
            note(fault, count)
        }
    }

    /// What is not heard where the broker refuses a topic.
    private func subject(of topic: String) -> String { topic == topics.commands ? "commands" : "acceptances" }

    private func note(_ welcome: Welcome) {
        let largest = welcome.maximumPacketSize.map { "\($0)" } ?? "unlimited"
        let expiry = welcome.sessionExpiry.map { "\($0.components.seconds)" } ?? "unknown"
        log.notice(
            "broker connected",
            metadata: [
                "broker": "\(welcome.broker)", "mqtt": "\(welcome.protocolVersion.rawValue)",
                "receive_maximum": "\(welcome.receiveMaximum)", "maximum_packet_bytes": "\(largest)",
                "session_present": "\(welcome.isSessionPresent)", "session_expiry_s": "\(expiry)",
            ])
        guard !welcome.keepsRetained else { return }
        log.warning("the broker keeps no retained messages: whoever subscribes later does not see the status")
    }

    /// One stray message is none of the house's business; ten are a broker or a cloud that is set up wrongly.
    private func note(_ fault: BrokerFault, _ count: Int) {
        log.warning(
            "the broker sends what it must not", metadata: ["fault": "\(fault.rawValue)", "count": "\(count)"])
        if count >= 10 { health.set(HealthCondition(.brokerMisbehaves), true) }
    }

    /// An acceptance may be acknowledged as soon as it is handed to the rules: where the gateway dies before they
    /// have it, help is called again, and whoever took the call says so again.
    func received(_ message: InboundMessage, _ commands: CommandService?) -> InboundReceipt {
        if message.topic == topics.commands, let commands {
            commands.receive(message.payload)
            return .kept
        }
        guard let person = topics.personOfAcceptance(topic: message.topic) else {
            log.warning("message on a topic this gateway did not ask for")
            return .kept
        }
        do throws(Acceptance.Malformed) {
            let acceptance = try Acceptance(payload: message.payload)
            let word = ChannelWord.accepted(acceptance.alarm, of: person, by: acceptance.by)
            inbox.submit(.channel(MQTTChannel.id, word), at: Clock.boot())
        } catch {
            log.warning("acceptance not understood, the alarm goes on", metadata: ["reason": "\(error)"])
        }
        return .kept
    }
}
