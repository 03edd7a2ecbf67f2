/// The rules between the keys of `[broker]`.
extension BrokerSection {
    static func read(_ reader: SectionReader) -> GatewaySettings.Broker? {
        let host = reader.value(host)
        let port = reader.value(port)
        let security = security(reader, host: host)
        let login = login(reader)
        let keepAlive = reader.value(keepAlive)
        guard let host, let security, let keepAlive else { return nil }
        return GatewaySettings.Broker(
            host: host, port: port ?? security.registeredPort, security: security, login: login,
            keepAlive: keepAlive)
    }

    private static func security(_ reader: SectionReader, host: String?) -> GatewaySettings.Broker.Security? {
        let authority = reader.value(caFile)
        let client = client(reader)
        guard reader.table != nil, let isTLS = reader.value(tls) else { return nil }
        guard isTLS else {
            refuseFilesOfTLS(reader)
            warnOfClearText(reader, host: host)
            return GatewaySettings.Broker.Security.none
        }
        if !reader.isWritten(caFile) {
            reader.report(
                "is missing: with tls the broker's certificate is checked against it; "
                    + "add ca_file = \"/etc/homegateway/ca.pem\", or write tls = false to go without",
                caFile.name)
        }
        return authority.map { .tls(GatewaySettings.Broker.TLS(caFile: $0, client: client)) }
    }

    private static func client(_ reader: SectionReader) -> GatewaySettings.Broker.ClientCertificate? {
        let certificate = reader.value(clientCertificateFile)
        let key = reader.value(clientKeyFile)
        switch (reader.isWritten(clientCertificateFile), reader.isWritten(clientKeyFile)) {
        case (true, false): expectBoth(reader, clientCertificateFile, clientKeyFile)
        case (false, true): expectBoth(reader, clientKeyFile, clientCertificateFile)
        default: break
        }
        guard let certificate, let key else { return nil }
        return GatewaySettings.Broker.ClientCertificate(certificateFile: certificate, keyFile: key)
    }

    private static func expectBoth(_ reader: SectionReader, _ written: Key<String>, _ missing: Key<String>) {
        reader.report(
            "saw it without \(missing.name), expected both or none: add \(missing.name)", written.name)
    }

    private static func refuseFilesOfTLS(_ reader: SectionReader) {
        for key in [caFile, clientCertificateFile, clientKeyFile] where reader.isWritten(key) {
            reader.report(
                "saw it with tls = false, where it protects nothing: remove it, or write tls = true", key.name)
        }
    }

    private static func warnOfClearText(_ reader: SectionReader, host: String?) {
        guard let host, !["localhost", "127.0.0.1", "::1"].contains(host) else { return }
        reader.warn(
            "health data and passwords cross the network readable for all: use it in test rigs only", tls.name)
    }

    private static func login(_ reader: SectionReader) -> GatewaySettings.Broker.Login? {
        let username = reader.value(username)
        let passwordFile = reader.value(passwordFile)
        if reader.isWritten(Self.passwordFile) && !reader.isWritten(Self.username) {
            reader.report(
                "saw it without username, expected both: add username", Self.passwordFile.name)
        }
        return username.map { GatewaySettings.Broker.Login(username: $0, passwordFile: passwordFile) }
    }
}

extension GatewaySettings.Broker.Security {
    /// As IANA registered them: `secure-mqtt` and `mqtt`.
    fileprivate var registeredPort: Int {
        switch self {
        case .tls: 8883
        case .none: 1883
        }
    }
}
