import CMosquitto
import GatewayModel
import Glibc

extension BrokerConnection {
    /// Everything that must be set before the connection is opened.
    func configure() throws(BrokerError) {
        let number = manner.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check("protocol version", mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, number))
        // Small messages that must not wait for each other (Nagle).
        try check("TCP_NODELAY", mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
        if let credentials = settings.credentials {
            try check(
                "user name and password",
                mosquitto_username_pw_set(client, credentials.user, credentials.password))
        }
        if let will { try set(will) }
        if manner.version == .v5 { try setConnectProperties() }
        try check(
            "receive maximum",
            mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(settings.receiveMaximum)))
        holdAcknowledgements()
        if case .tls(let authority, let certificate, let key) = settings.security {
            try setTLS(authority: authority, certificate: certificate, key: key)
        }
    }

    private func set(_ will: Publication) throws(BrokerError) {
        let count = Int32(clamping: will.payload.count)
        guard manner.version == .v5 else {
            try check(
                "will", mosquitto_will_set(client, will.topic, count, will.payload, 1, manner.mayRetain))
            return
        }
        var properties = PropertyList()
        try check(
            "will",
            mosquitto_will_set_v5(client, will.topic, count, will.payload, 1, manner.mayRetain, properties.head)
        )
        properties.giveAway()
    }

    /// libmosquitto takes CONNECT properties in its blocking connect alone, which may hang for minutes. But it
    /// keeps them for every later connect of the client, the asynchronous one among them, and it takes them
    /// before it looks at the port: one that cannot be ends the call there, before any name look-up or socket.
    /// So in 2.0.11 to 2.1 (lib/connect.c); a test reads them off the wire.
    private func setConnectProperties() throws(BrokerError) {
        let expiry = UInt32(clamping: settings.sessionExpiry.components.seconds)
        let properties = PropertyList(
            ofConnectWithSessionExpiry: expiry, largestPacket: UInt32(InboundRules.packetLimit))
        let seconds = Int32(clamping: settings.keepAlive.components.seconds)
        let result = mosquitto_connect_bind_v5(client, broker.host, Self.noPort, seconds, nil, properties.head)
        guard result == MOSQ_ERR_INVAL.rawValue else {
            throw .unusableSetting("libmosquitto does not take the CONNECT properties: \(errorText(result))")
        }
    }

    private static let noPort: Int32 = -1

    /// libmosquitto sends PUBACK before it hands the message over (handle__publish). Told that other threads
    /// use it, it only queues what it sends, until it is told to write: between `read` and `write` the
    /// messages are made safe, and a connection that is given up there has acknowledged nothing.
    private func holdAcknowledgements() {
        _ = mosquitto_threaded_set(client, true)
    }

    private func setTLS(authority: String, certificate: String?, key: String?) throws(BrokerError) {
        let files = mosquitto_tls_set(client, authority, nil, certificate, key, refusePassphrase)
        guard files == MOSQ_ERR_SUCCESS.rawValue else {
            throw .unusableTLSFile(Self.reason(authority, certificate, key))
        }
        // 1 is SSL_VERIFY_PEER; "tlsv1.2" means that or newer. The check of the broker's name is on
        // unless mosquitto_tls_insecure_set turns it off, which nothing here calls.
        try check("TLS options", mosquitto_tls_opts_set(client, 1, "tlsv1.2", nil))
        guard !manner.checksDates else { return }
        // libmosquitto 2.0.11 prepares its check of the server (net__init_tls) only where it makes a context itself. Given one
        // before that, it refuses each certificate. So it makes one first; this process may have validated nothing yet.
        try settings.loadTLSFiles()
        try check("TLS context", cmosquitto_ignore_dates(client))
    }

    /// Which of the files is missing, cannot be read or is none of its kind. Blocking I/O.
    private static func reason(_ authority: String, _ certificate: String?, _ key: String?) -> String {
        let files: [(key: String, path: String?)] = [
            ("ca_file", authority), ("client_certificate_file", certificate), ("client_key_file", key),
        ]
        for file in files {
            guard let path = file.path, let obstacle = obstacle(path) else { continue }
            return "\(file.key) \(path): \(obstacle)"
        }
        if let certificate, key == nil {
            return "client_certificate_file \(certificate) is without its key: add client_key_file"
        }
        guard key != nil else { return "ca_file \(authority): holds no certificate in PEM" }
        let names = files.compactMap { file in file.path.map { path in "\(file.key) \(path)" } }
        return names.joined(separator: ", ") + ": one is not PEM, or the key is not that of the certificate"
    }

    /// Why a file cannot be read; nil where it can. Blocking I/O.
    private static func obstacle(_ path: String) -> String? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor < 0 else {
            Glibc.close(descriptor)
            return nil
        }
        return errno == ENOENT ? "no such file" : String(cString: strerror(errno)).lowercased()
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
