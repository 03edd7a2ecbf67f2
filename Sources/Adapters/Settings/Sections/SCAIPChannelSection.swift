internal import GatewayModel
import SettingsReading

/// `[[channel]]` with `type = "scaip"`: a care centre.
enum SCAIPChannelSection {
    enum Transport: String, CaseIterable, Sendable { case tls, tcp, udp }

    static let address = Form<String>.text("a SIP address such as \"sip:26317@centre.example\"") {
        text in
        guard text.hasPrefix("sip:"), text.utf8.count > 4 else { return .refused("begin it with sip:") }
        guard text.utf8.count < 256, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return .refused("use ASCII without blanks, 255 characters at most")
        }
        return .accepted(text)
    }

    static let server = Key(
        "server", .host, .required,
        "The centre's SIP server. With tls its certificate must be for exactly this name.")
    static let port = Key(
        "port", .wholeNumber(1...65535), .optional("5061 with tls, else 5060"), "The port it listens on.")
    static let transport = Key<Transport>(
        "transport", .choice, .standard("tls"), "Without tls a call is readable for all on its way.")
    static let from = Key(
        "from", address, .required, "The number under which the centre knows this box.")
    static let to = Key("to", address, .optional("`sip:` and the server"), "The centre's own address.")
    static let controllerID = Key(
        "controller_id",
        Form<String>.text("1 to 16 digits in quotes") { text in
            let isSound =
                (1...16).contains(text.utf8.count)
                && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isSound ? .accepted(text) : .refused("write the number that the centre gave")
        }, .required, "The number of the box in the centre's messages (`cid`).")
    static let username = Key(
        "username", .text(1...128), .optional("none"),
        "The box's name at the server, where it registers. Together with `password_file`.")
    static let passwordFile = Key(
        "password_file", .filePath(), .optional("none"), "A file that holds the password in its first line.")
    static let caFile = Key(
        "ca_file", .filePath(), .optional("those that the system trusts"),
        "The authority (PEM) that vouches for the server. Only with tls.")
    static let heartbeat = Key(
        "heartbeat_seconds", .wholeSeconds(10...86_400), .standard(3600),
        "So often the centre is told that the box lives; as the centre wants it.")
    static let callBack = Key(
        "callback", .text(1...128, isPersonal: true), .optional("nobody can be called back"),
        "How the centre speaks to the house: \"+39...\", \"gsm:+39...\" or \"sip:...\".")
    static let answerIsAcceptance = Key(
        "answer_is_acceptance", .truth, .standard(false),
        "Whether the centre's ok (status 0) to a call means that a person looks after it, which ends the alarm. "
            + "Write `true` only where the centre confirmed that no machine sends it: a machine's ok is no person."
    )

    static let section = Section(
        ["channel"], repeats: true, variant: "type = \"scaip\"",
        "A care centre (alarm receiving centre) that takes SCAIP, SS 91100.",
        keys: [
            ChannelSection.id, ChannelSection.type, ChannelSection.name, server, port, transport, from, to,
            controllerID, username,
            passwordFile, caFile, heartbeat, callBack, answerIsAcceptance,
        ],
        refused: [
            "password": "a password is never written in the settings, which are copied and shown: put it "
                + "into a file that only the gateway can read and give its path as password_file"
        ],
        cost: .entry, costs: [ChannelSection.name.name: .key])

    static func read(_ reader: SectionReader) -> GatewaySettings.SCAIP? {
        let host = reader.value(server)
        let port = reader.value(port)
        let transport = transport(reader)
        let from = reader.value(from)
        let to = reader.value(to)
        let controller = reader.value(controllerID)
        let login = login(reader)
        let heartbeat = reader.value(heartbeat)
        let callBack = reader.value(callBack)
        let isAcceptance = reader.value(answerIsAcceptance)
        guard let host, let transport, let from, let controller, let heartbeat, let isAcceptance else {
            return nil
        }
        return GatewaySettings.SCAIP(
            host: host, port: port, transport: transport, fromURI: from, centreURI: to,
            controllerID: controller, login: login, heartbeatInterval: heartbeat, callBack: callBack,
            isAnswerAcceptance: isAcceptance)
    }

    private static func transport(_ reader: SectionReader) -> GatewaySettings.SCAIP.Transport? {
        let authority = reader.value(caFile)
        guard let transport = reader.value(transport) else { return nil }
        if transport == .tls { return .tls(caFile: authority) }
        if reader.isWritten(caFile) {
            reader.report("saw it without tls, where it protects nothing: remove it", caFile.name)
        }
        return transport == .tcp ? .tcp : .udp
    }

    private static func login(_ reader: SectionReader) -> GatewaySettings.SCAIP.Login? {
        let username = reader.value(username)
        let passwordFile = reader.value(passwordFile)
        _ = reader.areWritten(Self.username, and: Self.passwordFile)
        guard let username, let passwordFile else { return nil }
        return GatewaySettings.SCAIP.Login(username: username, passwordFile: passwordFile)
    }
}
