internal import GatewayModel
import SettingsReading

/// `[[channel]]` with `type = "https"`: an ambulance service.
enum HTTPSChannelSection {
    static let url = Key(
        "url",
        Form<String>.text("an address such as \"https://calls.example/alarms\"") { text in
            guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
                return .refused("begin it with https://")
            }
            return text.utf8.count <= 2_000 ? .accepted(text) : .refused("shorten it")
        }, .required,
        "Where calls are sent, as the service gave it. `http://` is taken with 127.0.0.1 or [::1] only: for a test."
    )
    static let format = Key<GatewaySettings.HTTPS.CallFormat>(
        "format", .choice, .standard("cap"), "Common Alerting Protocol 1.2, or the same content as JSON.")
    static let test = Key<GatewaySettings.HTTPS.Trial>(
        "test", .choice, .standard("message"),
        "What a test of the way sends: a message with status Test, or, to a service that cannot disregard one, an "
            + "OPTIONS request.")
    static let addresses = Key(
        "addresses", .texts(1...200, count: 20), .optional("required with cap"),
        "To whom a call is addressed at the service.")
    static let tokenFile = Key(
        "token_file", .filePath(), .optional("none"),
        "A file with the token by which the service knows the gateway, and nothing else.")
    static let clientCertificateFile = Key(
        "client_certificate_file", .filePath(), .optional("none"),
        "A certificate (PEM) instead of a token. Together with `client_key_file`.")
    static let clientKeyFile = Key(
        "client_key_file", .filePath(), .optional("none"),
        "The private key of that certificate (PEM), readable by the gateway alone.")
    static let caFile = Key(
        "ca_file", .filePath(), .optional("those that the system trusts"),
        "The authorities (PEM) that may vouch for the service, and no others.")
    static let attemptLimit = Key(
        "timeout_seconds", .wholeSeconds(1...60), .standard(10), "Until the whole answer is there.")

    static let section = Section(
        ["channel"], repeats: true, variant: "type = \"https\"",
        "An ambulance service that is called over HTTPS; [docs/channels/https.md](../channels/https.md) is for the "
            + "service.",
        keys: [
            ChannelSection.id, ChannelSection.type, ChannelSection.name, url, format, test, addresses,
            tokenFile,
            clientCertificateFile, clientKeyFile, caFile, attemptLimit,
        ],
        refused: [
            "token": "a token is never written in the settings, which are copied and shown: put it into a file "
                + "that only the gateway can read and give its path as token_file"
        ],
        cost: .entry, costs: [ChannelSection.name.name: .key])

    static func read(_ reader: SectionReader) -> GatewaySettings.HTTPS? {
        let url = reader.value(url)
        let format = reader.value(format)
        let test = reader.value(test)
        let addresses = reader.value(addresses)
        let credential = credential(reader)
        let caFile = reader.value(caFile)
        let limit = reader.value(attemptLimit)
        if format == .cap, !reader.isWritten(Self.addresses) || addresses?.isEmpty == true {
            reader.report(
                "saw none, and CAP is addressed to somebody: add addresses = [\"...\"] as the service gave them, "
                    + "or write format = \"json\"", Self.addresses.name)
        }
        guard let url, let format, let test, let credential, let limit else { return nil }
        return GatewaySettings.HTTPS(
            url: url, format: format, trial: test, credential: credential, caFile: caFile,
            addresses: addresses ?? [], attemptLimit: limit)
    }

    private static func credential(_ reader: SectionReader) -> GatewaySettings.HTTPS.Credential? {
        let token = reader.value(tokenFile)
        let certificate = reader.value(clientCertificateFile)
        let key = reader.value(clientKeyFile)
        guard let hasCertificate = reader.areWritten(clientCertificateFile, and: clientKeyFile) else {
            return nil
        }
        if hasCertificate, reader.isWritten(tokenFile) {
            reader.report(
                "saw it together with a client certificate, expected one of the two: remove one", tokenFile.name
            )
            return nil
        }
        if reader.isWritten(tokenFile) { return token.map { .bearer(tokenFile: $0) } }
        guard hasCertificate else { return GatewaySettings.HTTPS.Credential.none }
        guard let certificate, let key else { return nil }
        return .certificate(
            GatewaySettings.HTTPS.ClientCertificate(certificateFile: certificate, keyFile: key))
    }
}
