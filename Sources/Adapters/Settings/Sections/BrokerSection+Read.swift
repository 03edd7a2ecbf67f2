/// The rules between the keys of `[broker]`.
extension BrokerSection {
    static func read(_ reader: SectionReader) -> GatewaySettings.Broker? {
        let hosts = hosts(reader)
        let port = reader.value(port)
        let security = security(reader, hosts: hosts)
        let login = login(reader)
        let keepAlive = reader.value(keepAlive)
        let sessionExpiry = reader.value(sessionExpiry)
        let readings = reader.value(readings)
        let gathering = reader.value(gathering)
        let unsigned = reader.value(unsignedAcceptances)
        guard let unsigned, let hosts, let security, let keepAlive, let sessionExpiry, let readings,
            let gathering
        else { return nil }
        let addresses = hosts.map { host in
            GatewaySettings.Broker.Address(
                host: host.host, port: host.port ?? port ?? security.registeredPort)
        }
        return GatewaySettings.Broker(
            addresses: addresses, security: security, login: login, keepAlive: keepAlive,
            sessionExpiry: sessionExpiry, readings: readings, gathering: .milliseconds(gathering),
            takesUnsignedAcceptances: unsigned)
    }

    private static func hosts(_ reader: SectionReader) -> [HostAndPort]? {
        let one = reader.value(host)
        let several = reader.value(hosts)
        switch (reader.isWritten(host), reader.isWritten(hosts)) {
        case (true, true):
            reader.report("saw it together with hosts, expected one of the two: remove one", host.name)
            return nil
        case (false, false):
            if reader.table != nil {
                let several = reader.section.knownNames.contains(Self.hosts.name)
                reader.report(
                    "is missing: write the broker's name"
                        + (several ? ", or hosts = [\"...\"] for several" : ""), host.name)
            }
            return nil
        case (true, false): return one.map { [HostAndPort(host: $0)] }
        case (false, true): return several
        }
    }

    private static func security(_ reader: SectionReader, hosts: [HostAndPort]?) -> GatewaySettings.Broker
        .Security?
    {
        let authority = reader.value(caFile)
        let client = client(reader)
        guard reader.table != nil, let isTLS = reader.value(tls) else { return nil }
        guard isTLS else {
            refuseFilesOfTLS(reader)
            warnOfClearText(reader, hosts)
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
        _ = reader.areWritten(clientCertificateFile, and: clientKeyFile)
        guard let certificate, let key else { return nil }
        return GatewaySettings.Broker.ClientCertificate(certificateFile: certificate, keyFile: key)
    }

    private static func refuseFilesOfTLS(_ reader: SectionReader) {
        let keys: [any DeclaredKey] = [caFile, clientCertificateFile, clientKeyFile]
        for key in keys where reader.isWritten(key) {
            reader.report(
                "saw it with tls = false, where it protects nothing: remove it, or write tls = true", key.name)
        }
    }

    private static func warnOfClearText(_ reader: SectionReader, _ hosts: [HostAndPort]?) {
        let local: Set = ["localhost", "127.0.0.1", "::1"]
        guard let hosts, !hosts.allSatisfy({ local.contains($0.host) }) else { return }
        reader.warn(
            "health data and passwords cross the network readable for all: use it in test rigs only", tls.name)
    }

    private static func login(_ reader: SectionReader) -> GatewaySettings.Broker.Login? {
        let username = reader.value(username)
        let usernameFile = reader.value(usernameFile)
        let passwordFile = reader.value(passwordFile)
        switch (reader.isWritten(Self.username), reader.isWritten(Self.usernameFile)) {
        case (true, true):
            reader.report(
                "saw it together with username_file, expected one of the two: remove one", Self.username.name)
            return nil
        case (false, false):
            guard reader.isWritten(Self.passwordFile) else { return nil }
            reader.report(
                "saw it without username, expected both: add username", Self.passwordFile.name)
            return nil
        default: break
        }
        let name = username.map { GatewaySettings.Broker.Username.written($0) }
        guard let name = name ?? usernameFile.map({ .file($0) }) else { return nil }
        return GatewaySettings.Broker.Login(username: name, passwordFile: passwordFile)
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
