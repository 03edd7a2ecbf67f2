public import SettingsReading

/// Settings of the console, the process with the pages: a file of its own, which its account alone needs to read.
public struct ConsoleSettings: Hashable, Sendable {
    public static let standardPath = "/etc/homegateway/console.toml"

    /// Certificate of the owner of the box, with its private key.
    public struct Certificate: Hashable, Sendable {
        public let file, keyFile: String
    }

    /// Each an IP address with a port; port 0 is any free one.
    public let listen: [String]
    /// Names of the box in the house, beside IP addresses and `localhost`.
    public let names: [String]
    /// Whether it is served in clear text where others than the box itself reach it.
    public let isEncrypted: Bool
    /// Nil for the console's own.
    public let certificate: Certificate?
    public let gatewaySocket: String
    public let stateDirectory: String
    /// Whether visitors without a session see the pages of races.
    public let racePages: Bool
    /// Loopback address with a port for the metrics; nil for none.
    public let metrics: String?
    /// Allowed, and yet doubtful.
    public let warnings: [SettingsProblem]

    /// Whether only programs of the box reach it.
    public var isLocal: Bool { listen.allSatisfy(Self.isLoopback) }

    /// Whether the pages are served by TLS: always where others than the box itself reach them, unless `tls` is false.
    public var usesTLS: Bool { certificate != nil || isEncrypted && !isLocal }

    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address.hasPrefix("[::1]:")
    }

    /// Reads the file. Without one at the usual place the defaults hold. Blocking I/O.
    ///
    /// - Throws: `unreadable`, else `syntax`, else `problems` with all that is wrong in it. Nothing wrong is replaced by a
    ///   default.
    public init(path: String) throws(SettingsError) {
        let bytes =
            path == Self.standardPath
            ? try SettingsFile.bytesIfPresent(path: path, of: Self.kind) ?? []
            : try SettingsFile.bytes(path: path, of: Self.kind)
        let reader = try SectionReader(ConsoleSection.section, reading: bytes, file: path)
        let problems = reader.problems
        let listen = reader.value(ConsoleSection.listen)
        let names = reader.value(ConsoleSection.names)
        let tls = reader.value(ConsoleSection.tls)
        let certificate = ConsoleSection.certificate(reader)
        let socket = reader.value(ConsoleSection.gatewaySocket)
        let state = reader.value(ConsoleSection.stateDirectory)
        let racePages = reader.value(ConsoleSection.racePages)
        let metrics = reader.value(ConsoleSection.metrics)
        if let metrics, let listen, listen.contains(metrics), !metrics.hasSuffix(":0") {
            reader.report(
                "saw it in listen too, expected a port of its own: write another port",
                ConsoleSection.metrics.name)
        }
        if let listen, tls == false, !listen.allSatisfy(Self.isLoopback) {
            reader.warn(
                "anybody in the network can read the pages and act as a paired device: write tls = true, or listen at "
                    + "127.0.0.1 alone", ConsoleSection.tls.name)
        }
        guard problems.errors.isEmpty, let listen, let tls, let socket, let state else {
            throw .problems(problems.errors.byLine)
        }
        (self.listen, self.names, isEncrypted, self.certificate) = (listen, names ?? [], tls, certificate)
        (gatewaySocket, stateDirectory, self.racePages) = (socket, state, racePages ?? false)
        self.metrics = metrics
        warnings = problems.warnings.byLine
    }

    private static let kind = SettingsFile.Kind(
        sizeLimit: 1 << 16, whenTooLarge: "is larger than 64 KiB, settings are a few lines: check the path",
        whenAbsent: "check the path, or copy console.example.toml there", group: "homegateway-console")
}
/// The file of the console as a whole.
enum ConsoleSection {
    static let listen = Key(
        "listen", .listenAddresses, .standard(.array([TOMLNode(value: "127.0.0.1:8765", position: .start)])),
        "Addresses with ports at which the pages are served. 127.0.0.1 is the box alone; 0.0.0.0 is every network that it "
            + "is in.")
    static let names = Key(
        "names", .texts(1...253, count: 8), .optional("none"),
        "Names of the box in the house, such as `homegateway.local`. A request under another name is refused.")
    static let tls = Key(
        "tls", .truth, .standard(true),
        "Whether the pages are encrypted where others than the box itself reach them. `false` must be written out."
    )
    static let certificateFile = Key(
        "certificate_file", .filePath(), .optional("one that the console makes for itself"),
        "A certificate (PEM) with its chain, together with `key_file`.")
    static let keyFile = Key(
        "key_file", .filePath(), .optional("none"), "The private key of that certificate (PEM).")
    static let gatewaySocket = Key(
        "gateway_socket", .filePath(bytes: 107, content: .free), .standard("/run/homegateway/console.sock"),
        "The gateway's socket for the console (`console_socket` of its settings).")
    static let stateDirectory = Key(
        "state_directory", .directoryPath, .standard("/var/lib/homegateway-console"),
        "Where the paired devices and the console's own certificate are kept.")
    static let racePages = Key(
        "race_pages", .truth, .standard(false),
        "Whether every visitor of the pages sees the races, without pairing: lists, maps and times, and nothing of the "
            + "household.")

    static let metrics = Key(
        "metrics", .loopbackAddress, .optional("no metrics"),
        "Loopback address with a port of its own for metrics, in the format of Prometheus: see "
            + "[docs/installer/metrics.md](metrics.md). Every program of this box can read them; they name nobody."
    )

    static let section = Section(
        [], "The pages of the house.",
        keys: [
            listen, names, tls, certificateFile, keyFile, gatewaySocket, stateDirectory, racePages, metrics,
        ],
        refused: [
            "password": "nobody signs in with a password: pair a device with 'homegateway-console pair'",
            "port": "write the port behind each address of listen",
        ])

    static func certificate(_ reader: SectionReader) -> ConsoleSettings.Certificate? {
        let file = reader.value(certificateFile)
        let key = reader.value(keyFile)
        guard reader.areWritten(certificateFile, and: keyFile) == true, let file, let key else { return nil }
        return ConsoleSettings.Certificate(file: file, keyFile: key)
    }
}
