internal import GatewayModel

/// `[broker]`: the session with the TrackMe broker. Its keys; see `BrokerSection+Read` for their rules.
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
    // Below 5 s pings crowd a slow link; above 300 s a dead broker goes unnoticed too long.
    static let keepAlive = Key(
        "keep_alive_seconds", .wholeSeconds(5...300), .standard(30),
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
    static let gathering = Key(
        "gather_milliseconds", .wholeNumber(0...10_000), .standard(1_000),
        "Readings of a person that arrive within it leave in one message; 0 sends each by itself. Alarms, and readings "
            + "near a limit or during an alarm, do not wait; see [docs/contract](../contract/README.md#gathered-readings)."
    )

    static let unsignedAcceptances = Key(
        "unsigned_acceptances", .truth, .standard(false),
        "Whether an acceptance without a signature counts. `true` lets everybody who may publish at the broker end "
            + "the calling for help; see [docs/integrator/commands.md](../integrator/commands.md#an-acceptance)."
    )

    static let section = Section(
        ["broker"], isRequired: true, "The session with the TrackMe broker.",
        keys: [
            host, hosts, port, tls, caFile, clientCertificateFile, clientKeyFile, username, usernameFile,
            passwordFile, keepAlive, sessionExpiry, readings, gathering,
            unsignedAcceptances,
        ],
        refused: [
            "password": "a password is never written in the settings, which are copied and shown: put it "
                + "into a file that only the gateway can read and give its path as password_file"
        ],
        // Without it nothing leaves; by a part of it the session might lose its protection.
        cost: .grave(.entry),
        costs: [
            hosts.name: .elements, keepAlive.name: .key, sessionExpiry.name: .key, readings.name: .key,
            gathering.name: .key,
        ])
}
