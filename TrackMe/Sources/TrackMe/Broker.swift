import Desk
import Logging
import MQTTBridge
import ServerSettings

extension BrokerSettings {
    /// Reads the files of the name and the password. Blocking I/O.
    init(_ settings: ServerSettings) throws {
        try self.init(settings.broker, clientID: settings.clientID)
    }
}

extension BrokerPresence {
    /// A subscription may be refused: the session is there then, and brings no call.
    func report(_ event: BrokerEvent, of session: String) {
        switch event {
        case .connected: report(session, receives: true)
        case .disconnected, .sessionTaken, .refused, .subscriptionRefused: report(session, receives: false)
        case .subscribed, .held, .fault: break
        }
    }
}

/// Log of the sessions with the broker. It names no person.
enum BrokerLog {
    /// - Parameter topics: of the session.
    static func write(_ event: BrokerEvent, of topics: String, to logger: Logger) {
        var logger = logger
        logger[metadataKey: "topics"] = "\(topics)"
        switch event {
        case .connected(let welcome):
            logger.notice(
                "the broker has accepted the session",
                metadata: [
                    "broker": "\(welcome.broker)", "session": "\(welcome.isSessionPresent ? "resumed" : "new")",
                ])
        case .disconnected(let reason, let wait), .sessionTaken(let reason, let wait):
            logger.warning("the broker is away", metadata: ["reason": "\(reason)", "retry": "\(wait)"])
        case .refused(let code, let text, let wait):
            logger.error(
                "the broker refuses the session: check its users and rights",
                metadata: ["code": "\(code)", "reason": "\(text)", "retry": "\(wait)"])
        case .subscriptionRefused(let topic, let reason):
            logger.error(
                "the broker refuses a subscription: check the rights of this server",
                metadata: ["topic": "\(topic)", "reason": "\(reason)"])
        case .subscribed, .held: break
        case .fault(let fault, let count):
            logger.warning(
                "the broker has broken the protocol", metadata: ["fault": "\(fault)", "count": "\(count)"])
        }
    }
}
