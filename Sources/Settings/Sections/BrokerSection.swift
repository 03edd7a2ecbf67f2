/// `[broker]`: the session with the TrackMe broker. Its keys; see `BrokerSection+Read` for their rules.
enum BrokerSection {
    static let host = Key("host", .host, .required, "The TrackMe broker.")
    static let port = Key(
        "port", .wholeNumber(1...65535), .optional("8883 with tls, 1883 without"),
        "The port the broker listens on.")
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
        "client_key_file", .filePath(), .optional("none"),
        "The private key of that certificate (PEM), readable by the gateway alone.")
    static let username = Key(
        "username", .text(1...128), .optional("none"), "The gateway's name at the broker.")
    static let passwordFile = Key(
        "password_file", .filePath(), .optional("none"),
        "A file that holds the password and nothing else. Only with `username`.")
    // Below 5 s pings crowd a slow link; above 300 s a dead broker goes unnoticed too long.
    static let keepAlive = Key(
        "keep_alive_seconds", .wholeSeconds(5...300), .standard(30),
        "After so long without a packet the session is probed; after twice as long it is lost.")

    static let section = Section(
        ["broker"], isRequired: true, "The session with the TrackMe broker.",
        keys: [
            host, port, tls, caFile, clientCertificateFile, clientKeyFile, username, passwordFile, keepAlive,
        ],
        refused: [
            "password": "a password is never written in the settings, which are copied and shown: put it "
                + "into a file that only the gateway can read and give its path as password_file"
        ])
}
