public import GatewayModel
public import SettingsReading

/// Settings of `trackme`, the cloud half: a file of its own on its own machine.
public struct ServerSettings: Hashable, Sendable {
    public static let standardPath = "/etc/trackme/trackme.toml"

    /// IP address with a port.
    public let listen: String
    /// Address of the server as browsers write it: `https://trackme.example`.
    public let origin: String
    /// Name of the clinic, the municipality or the club, as people read it.
    public let operatorName: String
    public let issuer: IssuerID
    /// Private JWK that signs commands.
    public let issuerKeyFile: CredentialFile
    /// 32 bytes as base64url, under which the identities of accounts are sealed.
    public let masterKeyFile: CredentialFile
    public let stateDirectory: String
    public let clientID: String
    /// Whether webhooks of third parties may lead to this machine: for tests alone.
    public let webhooksToLoopback: Bool
    /// Servers with TLS in front, which tell the addresses of their clients.
    public let trustedProxies: [IPNetwork]
    public let broker: BrokerAccess
    public let retention: Retention
    /// Nil if no call is handed on to an outside service.
    public let forwarding: Forwarding?
    public let groups: Groups
    /// File with the connection string of PostgreSQL; nil for SQLite in `stateDirectory`.
    public let databaseAddressFile: CredentialFile?
    /// Allowed, and yet doubtful.
    public let warnings: [SettingsProblem]

    /// Reads the file. Blocking I/O.
    ///
    /// - Throws: `unreadable`, else `syntax`, else `problems` with all that is wrong in it. Nothing wrong is replaced by a
    ///   default.
    public init(path: String) throws(SettingsError) {
        let bytes = try SettingsFile.bytes(path: path, of: Self.kind)
        let reader = try SectionReader(RootSection.section, reading: bytes, file: path)
        let problems = reader.problems
        let listen = reader.value(RootSection.listen)
        let origin = reader.value(RootSection.origin)
        let operatorName = reader.value(RootSection.operatorName)
        let issuer = reader.value(RootSection.issuer)
        let issuerKeyFile = reader.value(RootSection.issuerKeyFile)
        let masterKeyFile = reader.value(RootSection.masterKeyFile)
        let state = reader.value(RootSection.stateDirectory)
        let clientID = reader.value(RootSection.clientID)
        let webhooksToLoopback = reader.value(RootSection.webhooksToLoopback)
        let proxies = reader.value(RootSection.trustedProxies)
        let broker = RootSection.access.read(reader.child(RootSection.broker))
        let retention = Retention(reader.child(Retention.section))
        let forwarding = Forwarding(reader.child(Forwarding.section))
        let groups = Groups(reader.child(Groups.section), retention: retention)
        let databaseAddressFile = reader.child(RootSection.database).value(RootSection.databaseURLFile)
        if let listen, proxies == nil, !listen.hasPrefix("127."), !listen.hasPrefix("[::1]:") {
            reader.warn(
                "the server with TLS may be another machine, and counts as one client: all its browsers share 20 wrong "
                    + "passwords in 15 minutes. Write its address", RootSection.trustedProxies.name)
        }
        guard problems.errors.isEmpty, let listen, let origin, let operatorName, let issuer, let issuerKeyFile,
            let masterKeyFile, let state, let clientID, let webhooksToLoopback, let broker,
            let retention, let groups
        else { throw .problems(problems.errors.byLine) }
        (self.listen, self.origin, self.operatorName, self.issuer) = (listen, origin, operatorName, issuer)
        (self.issuerKeyFile, self.masterKeyFile, stateDirectory) = (issuerKeyFile, masterKeyFile, state)
        (self.clientID, self.broker, warnings) = (clientID, broker, problems.warnings.byLine)
        (self.webhooksToLoopback, self.retention) = (webhooksToLoopback, retention)
        (self.forwarding, self.groups) = (forwarding, groups)
        self.databaseAddressFile = databaseAddressFile
        trustedProxies = proxies ?? ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }
    }

    private static let kind = SettingsFile.Kind(
        sizeLimit: 1 << 16, whenTooLarge: "is larger than 64 KiB, settings are a few lines: check the path",
        whenAbsent: "check the path, or copy trackme.example.toml there", group: "trackme")
}

/// The file of the server as a whole.
enum RootSection {
    static let listen = Key(
        "listen", .listenAddress, .standard(.string("127.0.0.1:8780")),
        "Address with a port at which the pages are served, in clear text: the server that speaks TLS stands in front of "
            + "it.")
    static let origin = Key(
        "origin", .text(8...260), .required,
        "Address of the server as browsers write it, `https://trackme.example`. A request under another name is refused."
    )
    static let operatorName = Key(
        "operator", .text(1...60), .required,
        "Name of the clinic, the municipality or the club. The person at home reads it in a question.")
    static let issuer = Key<IssuerID>(
        "issuer", .name, .standard(.string("trackme")),
        "Issuer of the commands, as the gateways' settings name it.")
    static let issuerKeyFile = Key(
        "issuer_key_file", .credentialFile(of: "trackme"), .required,
        "Private key (JWK) that signs commands, readable by the server alone.")
    static let masterKeyFile = Key(
        "master_key_file", .credentialFile(of: "trackme"), .required,
        "Key under which the names of users are sealed: 32 bytes as base64url, readable by the server alone.")
    static let stateDirectory = Key(
        "state_directory", .directoryPath, .standard(.string("/var/lib/trackme")),
        "Where the database is kept.")
    static let clientID = Key(
        "client_id", .text(1...64), .standard(.string("trackme")),
        "Client ID of the lasting session at the broker. Each server needs one of its own.")

    static let webhooksToLoopback = Key(
        "webhooks_to_loopback", .truth, .standard(false),
        "Whether webhooks of third parties may lead to this machine, by plain HTTP too. For tests alone: with `true` a third "
            + "party reaches the services of this machine.")

    static let trustedProxies = Key<[IPNetwork]>(
        "trusted_proxies", .networks, .optional("this machine"),
        "Addresses of the servers with TLS in front, such as `10.0.0.7` or `10.0.0.0/24`. The address of a client is the last one "
            + "of `X-Forwarded-For` that is not among them. Every other peer is a client itself.")

    static let access = BrokerAccess.Keys(owner: "server", account: "trackme")
    static let broker = Section(
        ["broker"], isRequired: true, "The session with the broker of the gateways.", keys: access.all,
        refused: access.refused)

    static let databaseURLFile = Key(
        "url_file", .credentialFile(of: "trackme"), .optional("SQLite in `state_directory`"),
        "File with the connection string of a PostgreSQL database, readable by the server alone: "
            + "`host=… dbname=… user=… password=…`, or `postgresql://…`. A server on another machine needs "
            + "`sslmode=verify-full`.")

    static let database = Section(
        ["database"], "The database, where it is not SQLite on this machine.", keys: [databaseURLFile],
        refused: [
            "url":
                "it may hold a password: put it into a file that only the server can read and give its path as url_file",
            "password": "put it into the connection string, in the file that url_file names",
        ])

    static let section = Section(
        [], "The cloud half.",
        keys: [
            listen, origin, operatorName, issuer, issuerKeyFile, masterKeyFile, stateDirectory, clientID,
            webhooksToLoopback, trustedProxies,
        ],
        refused: ["password": "put it into a file that only the server can read: password_file of [broker]"],
        children: [
            broker, database, ServerSettings.Retention.section, ServerSettings.Forwarding.section,
            ServerSettings.Groups.section,
        ])
}

extension Form where Value == [IPNetwork] {
    /// Networks of servers.
    fileprivate static var networks: Form {
        Form("a list of at most 16 addresses or networks such as [\"10.0.0.7\", \"2001:db8::/64\"]") { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard nodes.count <= 16 else { return .refused("shorten the list") }
            var networks: [IPNetwork] = []
            for node in nodes {
                guard case .string(let text) = node.value, let network = IPNetwork(text) else {
                    return .refused(
                        "correct \(node.value): an IP address, or one with / and the number of bits, behind which all bits are 0"
                    )
                }
                networks.append(network)
            }
            return .accepted(networks)
        }
    }
}
