public import GatewayModel

/// `[broker]`: the session with the TrackMe broker.
enum BrokerSection {
    static let host = Key(
        "host", .host, .optional("required without `hosts`"),
        "The TrackMe broker. Of a name with several addresses each is tried.")
    // Eight brokers that do not answer are tried within 80 s; more would only be slower.
    static let hosts = Key(
        "hosts", .hosts(count: 8), .optional("none"),
        "Several brokers instead of `host`, in the order in which they are tried; see [docs/installer/broker.md](broker.md)."
    )
    static let port = Key(
        "port", .wholeNumber(1...65535), .optional("8883 with tls, 1883 without"),
        "The port the broker listens on, and each of `hosts` that names none.")
    static let tls = Key(
        "tls", .truth, .standard(true),
        "Whether the session is encrypted and the broker proves who it is. `false` must be written out.")
    static let caFile = Key(
        "ca_file", .filePath(), .optional("required with tls, forbidden without"),
        "The certificates (PEM) that the broker's is checked against.")
    static let clientCertificateFile = Key(
        "client_certificate_file", .filePath(), .optional("none"),
        "The gateway's own certificate (PEM). Together with `client_key_file`, only with tls.")
    static let clientKeyFile = Key(
        "client_key_file", .credentialFile, .optional("none"),
        "The private key of that certificate (PEM), readable by the gateway alone.")
    static let username = Key(
        "username", .text(1...128), .optional("none"), "The gateway's name at the broker.")
    static let usernameFile = Key(
        "username_file", .credentialFile, .optional("none"),
        "Instead of `username`, a file that holds the name and nothing else, readable by the gateway alone.")
    static let passwordFile = Key(
        "password_file", .credentialFile, .optional("none"),
        "A file that holds the password and nothing else, readable by the gateway alone. Only with a user name."
    )
    fileprivate static let standardKeepAlive: Int64 = 30
    // Below 5 s pings crowd a slow link; above 300 s a dead broker goes unnoticed too long.
    static let keepAlive = Key(
        "keep_alive_seconds", .wholeSeconds(5...300), .standard(.integer(standardKeepAlive)),
        "After so long without a packet the session is probed; after twice as long it is lost.")

    // 0: nothing is kept. 30 days: a house that was away for longer has other worries than old commands.
    static let sessionExpiry = Key(
        "session_expiry_seconds", .wholeSeconds(0...2_592_000), .standard(604_800),
        "For how long the broker keeps what is sent to a gateway that is away.")

    static let readings = Key<ReadingFormat>(
        "readings", .choice, .standard(.string(ReadingFormat.samples.rawValue)),
        "In which form readings are sent: the contract's own, or FHIR R4 Observations; see [docs/integrator/fhir.md](../integrator/fhir.md)."
    )

    // 0: each reading leaves by itself. Beyond 10 s nobody would call a reading live.
    private static let gathering = Key(
        "gather_milliseconds", .wholeNumber(0...10_000), .standard(1_000),
        "Readings of a person that arrive within it leave in one message; 0 sends each by itself. Alarms, and readings "
            + "near a limit or during an alarm, do not wait; see [docs/contract](../contract/README.md#gathered-readings)."
    )

    static let unsignedAcceptances = Key(
        "unsigned_acceptances", .truth, .standard(false),
        "Whether an acceptance without a signature counts. `true` lets everybody who may publish at the broker end "
            + "the calling for help; see [docs/integrator/commands.md](../integrator/commands.md#an-acceptance)."
    )

    static let name = Key(
        "name", .text(1...64), .optional("\"the help desk\""),
        "The recipient of calls for help over the broker, as voice and screens name it in a sentence: \"the desk in Milan\"."
    )

    static let section = Section(
        ["broker"], isRequired: true, "The session with the TrackMe broker.",
        keys: [
            host, hosts, port, tls, caFile, clientCertificateFile, clientKeyFile, username, usernameFile,
            passwordFile, keepAlive, sessionExpiry, readings, gathering,
            unsignedAcceptances, name,
        ],
        refused: [
            "password": "a password is never written in the settings, which are copied and shown: put it "
                + "into a file that only the gateway can read and give its path as password_file"
        ],
        // Without it nothing leaves; by a part of it the session might lose its protection.
        cost: .grave(.entry),
        costs: [
            hosts.name: .elements, keepAlive.name: .key, sessionExpiry.name: .key, readings.name: .key,
            gathering.name: .key, name.name: .key,
        ])
}

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
        let name = reader.value(name)
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
            takesUnsignedAcceptances: unsigned, name: name)
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

extension GatewaySettings {
    /// The session with the TrackMe broker.
    public struct Broker: Hashable, Sendable {
        /// In the order in which they are tried. Empty where the section was set aside: no session can be made.
        public let addresses: [Address]
        public let security: Security
        /// Nil where the broker knows the gateway by its certificate, or not at all.
        public let login: Login?
        public let keepAlive: Duration
        /// Time for which the broker is to keep messages to a gateway that is away.
        public let sessionExpiry: Duration
        /// In which form readings are sent to it.
        public let readings: ReadingFormat
        /// How long readings of one person wait for each other, to leave in one message; zero: they do not.
        public var gathering = Duration.zero
        /// Whether an acceptance without a signature ends the calling for help.
        public var takesUnsignedAcceptances = false
        /// Name of the recipient of calls for help, for people; nil where the settings give none.
        public var name: String?

        /// The section could not be used.
        static let setAside = Broker(
            addresses: [], security: .none, login: nil,
            keepAlive: .seconds(BrokerSection.standardKeepAlive),
            sessionExpiry: .zero, readings: .samples)

        /// Where one broker listens.
        public struct Address: Hashable, Sendable {
            public let host: String
            public let port: Int
        }

        public enum Security: Hashable, Sendable {
            case tls(TLS)
            /// In the clear, because `tls = false` was written out.
            case none
        }

        /// Paths are absolute; whether the files exist and fit is asked when they are used.
        public struct TLS: Hashable, Sendable {
            /// Authorities that the broker's certificate is checked against.
            public let caFile: String
            public let client: ClientCertificate?
        }

        public struct ClientCertificate: Hashable, Sendable {
            public let certificateFile: String
            public let keyFile: CredentialFile
        }

        public struct Login: Hashable, Sendable {
            public let username: Username
            /// The password is read from here when it is needed; it is never in the settings.
            public let passwordFile: CredentialFile?
        }

        public enum Username: Hashable, Sendable {
            case written(String)
            case file(CredentialFile)
        }
    }
}
