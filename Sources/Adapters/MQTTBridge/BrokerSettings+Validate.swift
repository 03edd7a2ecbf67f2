import CMosquitto
import Consent
import Contract
import GatewayModel

extension BrokerSettings {
    /// Stops the start on anything that could only fail later, or weaken something quietly.
    func validate(subscriptions: [String]) throws(BrokerError) {
        guard !brokers.isEmpty else { throw .unusableSetting("no broker is named; expected at least one") }
        for broker in brokers { try Self.validate(broker) }
        guard !clientID.isEmpty else { throw .unusableSetting("the client id is empty") }
        guard (5...65_535).contains(keepAlive.components.seconds) else {
            throw .unusableSetting("keep-alive is \(keepAlive); expected 5 s to 65535 s")
        }
        guard (0...Self.longestExpiry).contains(sessionExpiry.components.seconds) else {
            throw .unusableSetting(
                "the session expiry is \(sessionExpiry); expected 0 s to \(Self.longestExpiry) s")
        }
        if let will = will()?.value, mosquitto_pub_topic_check(will.topic) != MOSQ_ERR_SUCCESS.rawValue {
            throw .unusableSetting("the will's topic '\(will.topic)' cannot be published to")
        }
        for topic in subscriptions where mosquitto_sub_topic_check(topic) != MOSQ_ERR_SUCCESS.rawValue {
            throw .unusableSetting("'\(topic)' cannot be subscribed to")
        }
        if case .tls = security { try loadTLSFiles() }
    }

    /// One more would mean "never" (MQTT 5 section 3.1.2.11.2): a box that is scrapped must be forgotten.
    private static let longestExpiry = Int64(UInt32.max) - 1

    private static func validate(_ broker: BrokerEndpoint) throws(BrokerError) {
        guard !broker.host.isEmpty else {
            throw .unusableSetting("a host is empty; expected a name or an address")
        }
        // For libmosquitto port 0 is a Unix socket, on which it checks no server name.
        guard broker.port > 0 else {
            throw .unusableSetting("the port of \(broker.host) is 0; expected 1...65535 (8883 for TLS)")
        }
    }

    /// Has OpenSSL load the TLS files once, so that a bad one is found at the start.
    ///
    /// libmosquitto loads them only when it has a socket. It is given one to this process itself, on
    /// the loopback interface; not a byte is exchanged.
    func loadTLSFiles() throws(BrokerError) {
        let listener = try LoopbackListener()
        let local = BrokerEndpoint(host: "127.0.0.1", port: listener.port)
        let connection = try BrokerConnection(self, to: local, BrokerConnection.Manner())
        if let failure = connection.open() { throw .unusableTLSFile(failure) }
    }
}
