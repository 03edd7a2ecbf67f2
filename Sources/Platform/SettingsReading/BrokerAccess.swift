/// Session with one of several MQTT brokers, as a section of a settings file says it.
public struct BrokerAccess: Hashable, Sendable {
    /// In the order in which they are tried. Empty where the section was set aside: no session can be made.
    public let addresses: [Address]
    public let security: Security
    /// Nil where the broker knows this program by its certificate, or not at all.
    public let login: Login?
    public let keepAlive: Duration
    /// Time for which the broker is to keep messages to a program that is away.
    public let sessionExpiry: Duration

    /// The section could not be used.
    public static let setAside = BrokerAccess(
        addresses: [], security: .none, login: nil, keepAlive: .seconds(Keys.standardKeepAlive),
        sessionExpiry: .zero)

    /// Where one broker listens.
    public struct Address: Hashable, Sendable {
        public let host: String
        public let port: Int

        public init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    public enum Security: Hashable, Sendable {
        case tls(TLS)
        /// In the clear, because `tls = false` was written out.
        case none

        /// As IANA registered them: `secure-mqtt` and `mqtt`.
        fileprivate var registeredPort: Int {
            switch self {
            case .tls: 8883
            case .none: 1883
            }
        }
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

extension BrokerAccess {
    /// Keys of a section about such a session, and the rules between them.
    public struct Keys: Sendable {
        public let host: Key<String>
        public let hosts: Key<[HostAndPort]>
        public let port: Key<Int>
        public let tls: Key<Bool>
        public let caFile, clientCertificateFile: Key<String>
        public let clientKeyFile, usernameFile, passwordFile: Key<CredentialFile>
        public let username: Key<String>
        public let keepAlive, sessionExpiry: Key<Duration>
        /// Names that people will try.
        public let refused: [String: String]
        /// Directory of the settings and their files.
        private let directory: String

        fileprivate static let standardKeepAlive: Int64 = 30

        /// - Parameters:
        ///   - owner: the program, as a sentence calls it: `gateway`.
        ///   - account: user and group that it runs as.
        public init(owner: String, account: String) {
            directory = "/etc/\(account)"
            host = Key(
                "host", .host, .optional("required without `hosts`"),
                "The TrackMe broker. Of a name with several addresses each is tried.")
            // Eight brokers that do not answer are tried within 80 s; more would only be slower.
            hosts = Key(
                "hosts", .hosts(count: 8), .optional("none"),
                "Several brokers instead of `host`, in the order in which they are tried; see [docs/installer/broker.md](broker.md)."
            )
            port = Key(
                "port", .wholeNumber(1...65535), .optional("8883 with tls, 1883 without"),
                "The port the broker listens on, and each of `hosts` that names none.")
            tls = Key(
                "tls", .truth, .standard(true),
                "Whether the session is encrypted and the broker proves who it is. `false` must be written out."
            )
            caFile = Key(
                "ca_file", .filePath(), .optional("required with tls, forbidden without"),
                "The certificates (PEM) that the broker's is checked against.")
            clientCertificateFile = Key(
                "client_certificate_file", .filePath(), .optional("none"),
                "The \(owner)'s own certificate (PEM). Together with `client_key_file`, only with tls.")
            clientKeyFile = Key(
                "client_key_file", .credentialFile(of: account), .optional("none"),
                "The private key of that certificate (PEM), readable by the \(owner) alone.")
            username = Key(
                "username", .text(1...128), .optional("none"), "The \(owner)'s name at the broker.")
            usernameFile = Key(
                "username_file", .credentialFile(of: account), .optional("none"),
                "Instead of `username`, a file that holds the name and nothing else, readable by the \(owner) alone."
            )
            passwordFile = Key(
                "password_file", .credentialFile(of: account), .optional("none"),
                "A file that holds the password and nothing else, readable by the \(owner) alone. Only with a user name."
            )
            // Below 5 s pings crowd a slow link; above 300 s a dead broker goes unnoticed too long.
            keepAlive = Key(
                "keep_alive_seconds", .wholeSeconds(5...300), .standard(.integer(Self.standardKeepAlive)),
                "After so long without a packet the session is probed; after twice as long it is lost.")
            // 0: nothing is kept. 30 days: who was away for longer has other worries than old messages.
            sessionExpiry = Key(
                "session_expiry_seconds", .wholeSeconds(0...2_592_000), .standard(604_800),
                "For how long the broker keeps what is sent to a \(owner) that is away.")
            refused = [
                "password": "a password is never written in the settings, which are copied and shown: put it "
                    + "into a file that only the \(owner) can read and give its path as password_file"
            ]
        }

        /// All of them, in the order of the reference.
        public var all: [any DeclaredKey] { [host, hosts] + besideHosts + [keepAlive, sessionExpiry] }

        /// Those about one broker, without its name.
        public var besideHosts: [any DeclaredKey] {
            [port, tls, caFile, clientCertificateFile, clientKeyFile, username, usernameFile, passwordFile]
        }

        /// Nil for mistakes, which are reported, and where the section is not written.
        public func read(_ reader: SectionReader) -> BrokerAccess? {
            let hosts = hosts(reader)
            let port = reader.value(port)
            let security = security(reader, hosts: hosts)
            let login = login(reader)
            let keepAlive = reader.value(keepAlive)
            let sessionExpiry = reader.value(sessionExpiry)
            guard let hosts, let security, let keepAlive, let sessionExpiry else { return nil }
            let addresses = hosts.map { host in
                Address(
                    host: host.host, port: host.port ?? port ?? security.registeredPort)
            }
            return BrokerAccess(
                addresses: addresses, security: security, login: login, keepAlive: keepAlive,
                sessionExpiry: sessionExpiry)
        }

        private func hosts(_ reader: SectionReader) -> [HostAndPort]? {
            let one = reader.value(host)
            let several = reader.value(hosts)
            switch (reader.isWritten(host), reader.isWritten(hosts)) {
            case (true, true):
                reader.report("saw it together with hosts, expected one of the two: remove one", host.name)
                return nil
            case (false, false):
                if reader.table != nil {
                    let several = reader.section.knownNames.contains(self.hosts.name)
                    reader.report(
                        "is missing: write the broker's name"
                            + (several ? ", or hosts = [\"...\"] for several" : ""), host.name)
                }
                return nil
            case (true, false): return one.map { [HostAndPort(host: $0)] }
            case (false, true): return several
            }
        }

        private func security(_ reader: SectionReader, hosts: [HostAndPort]?) -> Security? {
            let authority = reader.value(caFile)
            let client = client(reader)
            guard reader.table != nil, let isTLS = reader.value(tls) else { return nil }
            guard isTLS else {
                refuseFilesOfTLS(reader)
                warnOfClearText(reader, hosts)
                return Security.none
            }
            if !reader.isWritten(caFile) {
                reader.report(
                    "is missing: with tls the broker's certificate is checked against it; "
                        + "add ca_file = \"\(directory)/ca.pem\", or write tls = false to go without",
                    caFile.name)
            }
            return authority.map { .tls(TLS(caFile: $0, client: client)) }
        }

        private func client(_ reader: SectionReader) -> ClientCertificate? {
            let certificate = reader.value(clientCertificateFile)
            let key = reader.value(clientKeyFile)
            _ = reader.areWritten(clientCertificateFile, and: clientKeyFile)
            guard let certificate, let key else { return nil }
            return ClientCertificate(certificateFile: certificate, keyFile: key)
        }

        private func refuseFilesOfTLS(_ reader: SectionReader) {
            let keys: [any DeclaredKey] = [caFile, clientCertificateFile, clientKeyFile]
            for key in keys where reader.isWritten(key) {
                reader.report(
                    "saw it with tls = false, where it protects nothing: remove it, or write tls = true",
                    key.name)
            }
        }

        private func warnOfClearText(_ reader: SectionReader, _ hosts: [HostAndPort]?) {
            let local: Set = ["localhost", "127.0.0.1", "::1"]
            guard let hosts, !hosts.allSatisfy({ local.contains($0.host) }) else { return }
            reader.warn(
                "health data and passwords cross the network readable for all: use it in test rigs only",
                tls.name)
        }

        private func login(_ reader: SectionReader) -> Login? {
            let username = reader.value(username)
            let usernameFile = reader.value(usernameFile)
            let passwordFile = reader.value(passwordFile)
            switch (reader.isWritten(self.username), reader.isWritten(self.usernameFile)) {
            case (true, true):
                reader.report(
                    "saw it together with username_file, expected one of the two: remove one",
                    self.username.name)
                return nil
            case (false, false):
                guard reader.isWritten(self.passwordFile) else { return nil }
                reader.report(
                    "saw it without username, expected both: add username", self.passwordFile.name)
                return nil
            default: break
            }
            let name = username.map { Username.written($0) }
            guard let name = name ?? usernameFile.map({ .file($0) }) else { return nil }
            return Login(username: name, passwordFile: passwordFile)
        }
    }
}
