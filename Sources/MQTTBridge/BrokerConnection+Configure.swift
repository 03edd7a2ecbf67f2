import CMosquitto
import Consent
import Contract
import GatewayModel

extension BrokerConnection {
    /// Everything that must be set before the connection is opened.
    func configure() throws(BrokerError) {
        let number = version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check("protocol version", mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, number))
        // Small messages that must not wait for each other (Nagle).
        try check("TCP_NODELAY", mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
        if let credentials = settings.credentials {
            try check(
                "user name and password",
                mosquitto_username_pw_set(client, credentials.user, credentials.password))
        }
        if let will = settings.will { try set(will.value) }
        if case .tls(let authority, let certificate, let key) = settings.security {
            try setTLS(authority: authority, certificate: certificate, key: key)
        }
    }

    private func set(_ will: Envelope) throws(BrokerError) {
        let count = Int32(clamping: will.payload.count)
        guard version == .v5 else {
            try check("will", mosquitto_will_set(client, will.topic, count, will.payload, 1, true))
            return
        }
        var properties = PropertyList()
        try check(
            "will",
            mosquitto_will_set_v5(client, will.topic, count, will.payload, 1, true, properties.head))
        properties.giveAway()
    }

    private func setTLS(authority: String, certificate: String?, key: String?) throws(BrokerError) {
        let files = mosquitto_tls_set(client, authority, nil, certificate, key, refusePassphrase)
        guard files == MOSQ_ERR_SUCCESS.rawValue else {
            let names = [authority, certificate, key].compactMap { $0 }.joined(separator: ", ")
            throw .unusableTLSFile("one of \(names) cannot be read, or a certificate is without its key")
        }
        // 1 is SSL_VERIFY_PEER; "tlsv1.2" means that or newer. The check of the broker's name is on
        // unless mosquitto_tls_insecure_set turns it off, which nothing here calls.
        try check("TLS options", mosquitto_tls_opts_set(client, 1, "tlsv1.2", nil))
    }

    private func check(_ what: String, _ result: Int32) throws(BrokerError) {
        guard result == MOSQ_ERR_SUCCESS.rawValue else {
            throw .unusableSetting("libmosquitto does not take the \(what): \(errorText(result))")
        }
    }
}

/// OpenSSL would ask the terminal for the pass phrase of an encrypted key, and wait: answers "none".
private func refusePassphrase(
    _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 {
    0
}
