import Alarms
import Contract
import GatewayModel
import Hub
import Logging
import MQTTBridge
import OutboxService
import RealTime
import SOSLocal
import Synchronization

/// What the broker tells. On the mqtt thread.
extension Gateway {
    func broker(_ event: BrokerEvent) {
        for action in brokerHealth.withLock({ $0.actions(for: event) }) { perform(action) }
        switch event {
        case .connected(let welcome):
            note(welcome)
            queue.connected()
            ways.session(MQTTChannel.id, isUp: true)
            announceStatus()
        case .disconnected, .refused, .sessionTaken:
            ways.session(MQTTChannel.id, isUp: false)
        case .subscribed(let topic):
            log.info("subscribed", metadata: ["topic": "\(topic)"])
            health.set(HealthCondition(.brokerRefused, subject: subject(of: topic)), false)
        case .subscriptionRefused(let topic, let reason):
            log.error("subscription refused", metadata: ["topic": "\(topic)", "reason": "\(reason)"])
            health.set(HealthCondition(.brokerRefused, subject: subject(of: topic)), true)
        case .fault(let fault, let count):
            log.warning(
                "the broker sends what it must not",
                metadata: ["fault": "\(fault.rawValue)", "count": "\(count)"])
        case .held: break
        }
    }

    private func perform(_ action: BrokerHealth.Action) {
        switch action {
        case .set(let code, let holds): health.set(HealthCondition(code), holds)
        case .explain(let code, let reason): health.explain(HealthCondition(code), reason)
        case .log(let failure, let isNews):
            log.log(
                level: isNews ? .warning : .debug, "\(failure.message)",
                metadata: [
                    "reason": "\(failure.reason)", "remedy": "\(failure.remedy)",
                    "retry_in_ms": "\(failure.retryIn.wholeMilliseconds)",
                ])
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

    /// An acceptance may be acknowledged as soon as it is handed to the rules: where the gateway dies before they
    /// have it, help is called again, and whoever took the call says so again.
    ///
    /// A message that ended the gateway before is acknowledged and not handled: the broker would send it again
    /// at each start.
    func received(_ message: InboundMessage, _ commands: CommandService?) -> InboundReceipt {
        if poison.isSetAside(.message, message.payload) { return .kept }
        return poison.handle(.message, message.payload) { handle(message, commands) }
    }

    private func handle(_ message: InboundMessage, _ commands: CommandService?) -> InboundReceipt {
        if message.topic == topics.commands, let commands {
            commands.receive(message.payload)
            return .kept
        }
        guard let person = topics.personOfAcceptance(topic: message.topic) else {
            log.warning("message on a topic this gateway did not ask for")
            return .kept
        }
        switch acceptances.judge(message.payload, of: person, from: commands?.issuers ?? []) {
        case .success(let acceptance):
            health.set(HealthCondition(.acceptancesRefused), false)
            let word = ChannelWord.accepted(acceptance.alarm, of: person, by: acceptance.by)
            inbox.submit(.channel(MQTTChannel.id, word), at: Clock.boot())
        case .failure(let refused):
            log.warning("acceptance refused, the alarm goes on", metadata: ["reason": "\(refused)"])
            if acceptances.isRefusing { health.set(HealthCondition(.acceptancesRefused), true) }
        }
        return .kept
    }
}
