import GatewayModel
import SOSLocal
import Settings
import SettingsReading
import SettingsSamples
import Testing

@Suite struct `The ways to help in the settings` {
    private static let https = """
        [[channel]]
        id = "ambulance"
        type = "https"
        url = "https://calls.example/alarms"
        addresses = ["118-milano"]
        """
    private static let scaip = """
        [[channel]]
        id = "centre"
        type = "scaip"
        server = "sip.centre.example"
        from = "sip:26317@centre.example"
        controller_id = "26317"
        """

    private static let sms = """
        [[channel]]
        id = "family"
        type = "sms"
        recipients = ["+39 333 1234567", "+393337654321"]
        """

    private static let telephone = """
        [[channel]]
        id = "daughter"
        type = "telephone"
        recipients = ["+393331234567", "+393337654321"]
        via = "sip"
        server = "fritz.box"
        from = "sip:621@fritz.box"
        """

    private static func sample(_ channels: String, called: String = "") -> SettingsSample {
        var sample = SettingsSample()
        if !called.isEmpty { sample.person += "\n[person.sos]\nchannels = \(called)" }
        sample.more = channels
        return sample
    }

    @Test func `are known by their ids to those who are called`() throws {
        let settings = try Self.sample(
            Self.https + "\n" + Self.scaip, called: #"["ambulance", "mqtt", "centre"]"#
        ).load()
        #expect(settings.channels.map(\.id.text) == ["ambulance", "centre"])
        #expect(settings.persons.first?.plan.ways.channels.map(\.text) == ["ambulance", "mqtt", "centre"])
        #expect(!settings.warnings.contains { $0.key == "channel.id" })
    }

    @Test func `leave to a person only those that the installer names`() throws {
        var sample = Self.sample(Self.sms, called: #"["mqtt"]"#)
        sample.person.replace("id = \"maria\"", with: "id = \"maria\"\nown_channels = [\"family\"]")
        let settings = try sample.load()
        let maria = try #require(settings.persons.first)
        #expect(maria.ownChannels.map(\.text) == ["family"])
        let author = OwnProfile.Author(by: "Anna", at: WallTime(millisecondsSince1970: 0))
        var choices = PersonChoices()
        for channel in ["family", "mqtt"].compactMap({ ChannelID($0) }) {
            choices[channel] = ChannelChoice(
                emergency: channel.text == "family", warnings: true, author: author)
        }
        let own = settings.with([maria.id: choices]).persons.first?.plan.ways
        #expect(own?.channels.map(\.text) == ["mqtt", "family"], "mqtt is not the person's to switch off")
        #expect(own?.carers.map(\.text) == ["family"])
    }

    @Test func `leave to a person none that does not exist`() {
        var sample = Self.sample(Self.sms)
        sample.person.replace("id = \"maria\"", with: "id = \"maria\"\nown_channels = [\"famly\"]")
        #expect(
            sample.complaints.contains {
                $0.contains("own_channels") && $0.contains("saw \"famly\", expected the id of a channel")
            })
    }

    @Test func `take a centre's ok for a machine's unless told that a person sends it`() throws {
        func isAcceptance(_ text: String) throws -> Bool? {
            guard case .scaip(let way)? = try Self.sample(text).load().channels.first?.way else { return nil }
            return way.isAnswerAcceptance
        }
        #expect(try isAcceptance(Self.scaip) == false)
        #expect(try isAcceptance(Self.scaip + "\nanswer_is_acceptance = true") == true)
    }

    @Test func `call the family over a SIP account or a modem`() throws {
        func way(_ text: String) throws -> GatewaySettings.Telephone? {
            guard case .telephone(let way)? = try Self.sample(text).load().channels.first?.way else {
                return nil
            }
            return way
        }
        let call = try way(Self.telephone)
        #expect(call?.recipients == ["+393331234567", "+393337654321"])
        #expect(call?.takesKeys == true && call?.ringLimit == .seconds(25))
        #expect(
            call?.way
                == .sip(
                    host: "fritz.box", port: nil, transport: .tls(caFile: nil), fromURI: "sip:621@fritz.box",
                    login: nil))
        let modem = Self.telephone.replacing("\"sip\"", with: "\"modemmanager\"")
            .replacing("server = \"fritz.box\"", with: "audio_device = \"plughw:2\"")
            .replacing("from = \"sip:621@fritz.box\"", with: "keys_accept = false")
        #expect(try way(modem)?.way == .modemManager(bus: .system, modem: nil, audio: "plughw:2"))
        #expect(try way(modem)?.takesKeys == false)
    }

    @Test(arguments: ["", "\nvia = \"modemmanager\""])
    func `text the family through ModemManager, whether the settings name it or not`(via: String) throws {
        let settings = try Self.sample(Self.sms + via, called: #"["family"]"#).load()
        guard case .sms(let sms)? = settings.channels.first?.way else {
            Issue.record("\(settings.channels)")
            return
        }
        #expect(sms.recipients == ["+393331234567", "+393337654321"])
        #expect(sms.bus == .system && sms.modem == nil)
        #expect(!settings.warnings.contains { $0.key.hasPrefix("channel") }, "\(settings.warnings)")
    }

    private static let removed =
        "this version sends texts through ModemManager alone; run apt install modemmanager, systemctl disable --now "
        + "gammu-smsd and systemctl enable --now ModemManager, then delete via and each key gammu_... from this section"

    /// As earlier versions took them. The house keeps its other channel, and knows that one is missing.
    @Test(arguments: [
        ("via = \"gammu\"", ["channel.via: saw \"gammu\", expected \"modemmanager\": "]),
        (
            ["outbox", "sent", "error", "inbox"].map { "gammu_\($0) = \"/var/spool/gammu/\($0)\"\n" }.joined()
                + "gammu_pid_file = \"/run/gammu-smsd.pid\"",
            ["outbox", "sent", "error", "inbox", "pid_file"].map {
                "channel.gammu_\($0): saw a key for gammu-smsd, expected none: "
            }
        ),
    ])
    func `that text through gammu-smsd are set aside, with the remedy`(lines: String, seen: [String]) throws {
        let sample = Self.sample(
            "\(Self.sms)\n\(lines)\n\(Self.https)", called: #"["family", "ambulance", "mqtt"]"#)
        let complaints = sample.complaints
        #expect(complaints.count == seen.count, "\(complaints)")
        for (complaint, words) in zip(complaints, seen) {
            #expect(complaint.hasSuffix(words + Self.removed), "\(complaint)")
        }
        let salvaged = SalvagedSettings(
            SettingsCopy(file: "gateway.toml", settings: Array(sample.text.utf8), devices: nil))
        let settings = try #require(salvaged.settings)
        #expect(settings.channels.map(\.id.text) == ["ambulance"])
        #expect(settings.persons.first?.plan.ways.channels.map(\.text) == ["family", "ambulance", "mqtt"])
        #expect(!salvaged.isGrave && salvaged.setAside.allSatisfy(\.concernsHelp))
        #expect(Set(salvaged.setAside.map(\.part)) == ["[[channel]] \"family\""], "\(salvaged.setAside)")
    }

    @Test func `refuse what belongs to another type`() {
        let found = Self.sample(Self.https + "\nserver = \"sip.centre.example\"").complaints
        #expect(
            found.count == 1 && found[0].contains("no such key in [[channel]] with type = \"https\""),
            "\(found)")
    }

    @Test(arguments: [
        (https.replacing("type = \"https\"", with: "type = \"fax\""), "expected one of \"https\", \"scaip\""),
        (https.replacing("addresses = [\"118-milano\"]", with: ""), "CAP is addressed to somebody"),
        (https.replacing("https://", with: "ftp://"), "begin it with https://"),
        (https + "\nclient_key_file = \"/k.pem\"", "add client_certificate_file"),
        (
            https + "\ntoken_file = \"/t\"\nclient_certificate_file = \"/c\"\nclient_key_file = \"/k\"",
            "expected one of the two"
        ),
        (https + "\ntoken = \"secret\"", "give its path as token_file"),
        (https.replacing("\"ambulance\"", with: "\"mqtt\""), "which is the broker's"),
        (https + "\n" + https, "again, expected another"),
        (scaip + "\ntransport = \"udp\"\nca_file = \"/ca.pem\"", "it protects nothing"),
        (scaip + "\nusername = \"26317\"", "add password_file"),
        (scaip.replacing("\"26317\"", with: "\"12a\""), "1 to 16 digits"),
        (sms.replacing("+393337654321", with: "0337654321"), "in number 2, write + and the country code"),
        (sms.replacing("+393337654321", with: "+393331234567"), "write number 2 once"),
        (
            sms.replacing("recipients = [\"+39 333 1234567\", \"+393337654321\"]", with: "recipients = []"),
            "at least one"
        ),
        (telephone + "\nmodem = \"ttyUSB2\"", "means nothing"),
        (telephone.replacing("server = \"fritz.box\"", with: ""), "where it is needed"),
        (telephone.replacing("\"sip:621@fritz.box\"", with: "\"sip:fritz.box\""), "expected a user at a host"),
        (telephone + "\nusername = \"621\"", "add password_file"),
        (telephone + "\npassword = \"secret\"", "give its path as password_file"),
        (telephone + "\ntransport = \"udp\"\nca_file = \"/ca.pem\"", "it protects nothing"),
        (telephone.replacing("+393337654321", with: "0337654321"), "in number 2, write + and the country code"),
        (sms + "\nvia = \"sip\"", "expected \"modemmanager\": leave via out"),
    ])
    func `stop the start where one is wrong`(text: String, words: String) {
        let found = Self.sample(text).complaints
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
        #expect(!found.joined().contains("secret"))
        #expect(!found.joined().contains("7654321"), "a number is personal")
    }

    @Test func `do not call a stranger who may be the one that is wrong itself`() {
        let wrong = Self.https.replacing("type = \"https\"", with: "type = \"fax\"")
        let found = Self.sample(wrong, called: #"["ambulance"]"#).complaints
        #expect(found.count == 1, "\(found)")
        let stranger = Self.sample(Self.https, called: #"["ambulanse"]"#).complaints
        #expect(stranger.count == 1 && stranger[0].contains("did you mean \"ambulance\""), "\(stranger)")
    }

    @Test func `warn of one that nobody calls`() throws {
        let warnings = try Self.sample(Self.https).load().warnings.filter { $0.key == "channel.id" }
        #expect(warnings.count == 1 && warnings[0].message.contains("never called"))
    }
}
