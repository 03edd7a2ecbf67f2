internal import GatewayModel
import SettingsReading

/// `[[channel]]` with `type = "telephone"`: calls to the family.
enum TelephoneChannelSection {
    enum Way: String, CaseIterable, Sendable { case sip, modemmanager }

    static let recipients = Key(
        "recipients", .phones(1...10), .required,
        "Numbers with the country code. They are called one after the other in this order, until one of them accepts."
    )
    static let via = Key<Way>(
        "via", .choice, .required, "How the calls leave: over a SIP account, or a modem of ModemManager.")
    static let server = Key(
        "server", .host, .optional("none"),
        "With sip: the provider's SIP server, or the router. With tls its certificate must be for exactly this name."
    )
    static let port = Key(
        "port", .wholeNumber(1...65535), .optional("5061 with tls, else 5060"),
        "With sip: the port it listens on.")
    static let transport = Key<SCAIPChannelSection.Transport>(
        "transport", .choice, .standard("tls"),
        "With sip: without tls the signalling is readable for all on its way. The voice itself is never encrypted."
    )
    static let from = Key(
        "from", SCAIPChannelSection.address, .optional("none"),
        "With sip: the account's own address, `sip:user@provider.example`.")
    static let username = Key(
        "username", .text(1...128), .optional("none"),
        "With sip: the account's name for its password. Together with `password_file`.")
    static let passwordFile = Key(
        "password_file", .filePath(), .optional("none"),
        "With sip: a file that holds the password in its first line.")
    static let caFile = Key(
        "ca_file", .filePath(), .optional("those that the system trusts"),
        "With sip: the authority (PEM) that vouches for the server. Only with tls.")
    static let modem = Key(
        "modem", .text(1...200), .optional("the only one"),
        "With modemmanager, where there are several: the IMEI, the port or the device, as `mmcli -m any` shows them."
    )
    static let bus = Key(
        "bus", Form.bus, .standard("system"),
        "With modemmanager: where it is reached; an address is for test rigs.")
    static let audio = Key(
        "audio_device", .text(1...200), .optional("the port that ModemManager names"),
        "With modemmanager: the ALSA device of the modem's sound, as `aplay -L` shows it.")
    static let ring = Key(
        "ring_seconds", .wholeSeconds(5...120), .standard(25),
        "How long a telephone rings before the next one is called. A voicemail that answers accepts nothing.")
    static let repeatInterval = Key(
        "repeat_seconds", .wholeSeconds(5...3600), .standard(60),
        "Between two rounds over the recipients, until the call is accepted or the alarm is over.")
    static let attemptLimit = Key(
        "timeout_seconds", .wholeSeconds(2...30), .standard(10),
        "Until the server or the modem shows that it works on a call.")
    static let keys = Key(
        "keys_accept", .truth, .standard(true),
        "A called person accepts with the key 1. Without it a call only tells.")

    static let section = Section(
        ["channel"], repeats: true, variant: "type = \"telephone\"",
        "Telephone calls to the family, in the house's voice; "
            + "[docs/channels/telephone.md](../channels/telephone.md) is for the installer. The recipients are called "
            + "in turn until one of them presses 1, or a person accepts or ends the alarm in another way.",
        keys: [
            ChannelSection.id, ChannelSection.type, ChannelSection.name, recipients, via, server, port,
            transport, from, username,
            passwordFile, caFile, modem, bus, audio, ring, repeatInterval, attemptLimit, keys,
        ],
        refused: [
            "password": "a password is never written in the settings, which are copied and shown: put it "
                + "into a file that only the gateway can read and give its path as password_file"
        ],
        cost: .entry, costs: [recipients.name: .elements, ChannelSection.name.name: .key])

    static func read(_ reader: SectionReader) -> GatewaySettings.Telephone? {
        let recipients = reader.value(recipients)
        let way = way(reader)
        let ring = reader.value(ring)
        let repeatInterval = reader.value(repeatInterval)
        let limit = reader.value(attemptLimit)
        let keys = reader.value(keys)
        guard let recipients, let way, let ring, let repeatInterval, let limit, let keys else { return nil }
        return GatewaySettings.Telephone(
            recipients: recipients, way: way, ringLimit: ring, repeatInterval: repeatInterval,
            attemptLimit: limit,
            takesKeys: keys)
    }

    private static func way(_ reader: SectionReader) -> GatewaySettings.Telephone.Way? {
        let sip = sip(reader)
        let (modem, bus, audio) = (reader.value(modem), reader.value(bus), reader.value(audio))
        guard let via = reader.value(via) else { return nil }
        let others: [any DeclaredKey] =
            via == .sip
            ? [Self.modem, Self.bus, Self.audio]
            : [server, port, transport, from, username, passwordFile, caFile]
        for key in others where reader.isWritten(key) {
            reader.report(
                "saw it with via = \"\(via)\", where it means nothing: remove it, or change via", key.name)
        }
        switch via {
        case .modemmanager: return bus.map { .modemManager(bus: $0, modem: modem, audio: audio) }
        case .sip:
            for key in [server as any DeclaredKey, from] where !reader.isWritten(key) {
                reader.report("saw nothing with via = \"sip\", where it is needed: write it", key.name)
            }
            return sip
        }
    }

    private static func sip(_ reader: SectionReader) -> GatewaySettings.Telephone.Way? {
        let (host, port) = (reader.value(server), reader.value(port))
        let (from, authority) = (reader.value(from), reader.value(caFile))
        let (username, passwordFile) = (reader.value(username), reader.value(passwordFile))
        let areBoth = reader.areWritten(Self.username, and: Self.passwordFile)
        guard let transport = reader.value(transport) else { return nil }
        if transport != .tls, reader.isWritten(caFile) {
            reader.report("saw it without tls, where it protects nothing: remove it", caFile.name)
        }
        if let from, !from.contains("@") {
            reader.report(
                "saw \"\(from)\", expected a user at a host: sip:user@provider.example", self.from.name)
            return nil
        }
        guard let host, let from else { return nil }
        let login: GatewaySettings.SCAIP.Login?
        if let username, let passwordFile {
            login = GatewaySettings.SCAIP.Login(username: username, passwordFile: passwordFile)
        } else {
            // One that is written and wrong weakens nothing quietly.
            guard areBoth == false else { return nil }
            login = nil
        }
        let kept: GatewaySettings.SCAIP.Transport =
            switch transport {
            case .tls: .tls(caFile: authority)
            case .tcp: .tcp
            case .udp: .udp
            }
        return .sip(host: host, port: port, transport: kept, fromURI: from, login: login)
    }
}

extension GatewaySettings {
    /// Telephone calls to the family. Paths are absolute.
    public struct Telephone: Hashable, Sendable {
        /// E.164, each once, in the order of the calls.
        public let recipients: [String]
        public let way: Way
        public let ringLimit: Duration
        /// Between two rounds over the recipients.
        public let repeatInterval: Duration
        /// Until the route shows that it works on a call.
        public let attemptLimit: Duration
        /// Whether a recipient accepts a call by a key.
        public let takesKeys: Bool

        public enum Way: Hashable, Sendable {
            /// - Parameter port: nil for the registered one.
            case sip(host: String, port: Int?, transport: SCAIP.Transport, fromURI: String, login: SCAIP.Login?)
            /// - Parameters:
            ///   - modem: nil for the only modem.
            ///   - audio: ALSA device; nil for the port that ModemManager names.
            case modemManager(bus: Bluetooth.Bus, modem: String?, audio: String?)
        }
    }
}
