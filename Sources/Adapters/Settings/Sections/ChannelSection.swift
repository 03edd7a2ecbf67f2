public import GatewayModel
import SOSLocal
public import SettingsReading

/// `[[channel]]`: a way to call for help. The keys of every type; each type has a declaration of its own.
enum ChannelSection {
    enum Kind: String, CaseIterable, Sendable { case https, scaip, sms, telephone }

    static let id = Key<ChannelID>(
        "id", .name, .required,
        "Its name in `channels` and `carers` of `[person.sos]`. \"mqtt\" is the broker's, which needs no section."
    )
    static let type = Key<Kind>("type", .choice, .required, "Its protocol.")

    static let name = Key(
        "name", .text(1...64),
        .optional("\"the help desk\" for https and scaip, \"your carers\" for sms and telephone"),
        "Its recipient as voice and screens name it in a sentence: \"Anna\", \"the desk in Milan\". Written in the language of "
            + "the person.")

    static let variants: [(kind: Kind, section: Section)] = [
        (.https, HTTPSChannelSection.section), (.scaip, SCAIPChannelSection.section),
        (.sms, SMSChannelSection.section), (.telephone, TelephoneChannelSection.section),
    ]

    /// All channels as they were read.
    struct Found {
        let channels: [GatewaySettings.Channel]
        /// By which they may be named, the built-in one first; nil while any of them is itself wrong: it may be
        /// the one meant.
        let known: [ChannelID]?
    }

    static func read(_ root: SectionReader) -> Found {
        let readers = root.children(variants, by: type)
        let entries = readers.map { read($0.kind, $0.reader) }
        readers.map(\.reader).reportRepeated(id, entries.map(\.id))
        for (reader, entry) in zip(readers.map(\.reader), entries) {
            guard let id = entry.id, SOSSection.builtInChannels.contains(id) else { continue }
            reader.report(
                "saw \"\(id)\", which is the broker's: give the channel a name of its own", self.id.name)
        }
        let ids = entries.compactMap(\.id)
        let isEachKnown = ids.count == root.count(of: HTTPSChannelSection.section)
        return Found(
            channels: entries.compactMap(\.channel),
            known: isEachKnown ? SOSSection.builtInChannels + ids : nil)
    }

    private static func read(
        _ kind: Kind, _ reader: SectionReader
    ) -> (id: ChannelID?, channel: GatewaySettings.Channel?) {
        let id = reader.value(id)
        let way: GatewaySettings.Channel.Way? =
            switch kind {
            case .https: HTTPSChannelSection.read(reader).map { .https($0) }
            case .scaip: SCAIPChannelSection.read(reader).map { .scaip($0) }
            case .sms: SMSChannelSection.read(reader).map { .sms($0) }
            case .telephone: TelephoneChannelSection.read(reader).map { .telephone($0) }
            }
        guard let id, let way else { return (id, nil) }
        let place = GatewaySettings.Place(file: reader.problems.file, line: reader.position.line)
        let name = reader.value(name)
        return (id, GatewaySettings.Channel(id: id, name: name, way: way, place: place))
    }

    /// A channel outside all plans calls nobody: that is doubtful. So is a contact who cannot get their texts.
    static func warn(
        _ root: SectionReader, _ channels: [GatewaySettings.Channel], _ persons: [PersonSection.Entry]
    ) {
        let complete = persons.compactMap(\.person)
        let used = Set(complete.flatMap { $0.plan.ways.channels + $0.plan.ways.carers })
        let areContactsTold = complete.contains { $0.profile.contacts.contains(where: \.getsNotices) }
        for channel in channels where !used.contains(channel.id) && !(areContactsTold && channel.sendsTexts) {
            root.problems.warn(
                "\"\(channel.id)\" is in nobody's channels or carers, so that it is never called: add it to those "
                    + "in [person.sos], or remove the section", key: "channel.id",
                at: TOMLPosition(line: channel.place.line, column: 1))
        }
        guard areContactsTold, !channels.contains(where: \.sendsTexts),
            let reader = persons.first(where: {
                $0.person?.profile.contacts.contains(where: \.getsNotices) ?? false
            })?.reader
        else { return }
        root.problems.warn(
            "a contact has notices = true, and no channel sends texts, so that they get none: add a [[channel]] with "
                + "type = \"sms\"", key: ContactSection.section.full(ContactSection.notices.name),
            at: reader.position)
    }
}

extension GatewaySettings {
    /// One way to call for help, besides the broker: it is called for a person with the channel in `channels`
    /// or `carers`.
    public struct Channel: Hashable, Sendable {
        public let id: ChannelID
        /// Name of the recipient for people; nil where the settings give none.
        public let name: String?
        public let way: Way
        /// Where it is written.
        public let place: Place

        public enum Way: Hashable, Sendable {
            case https(HTTPS)
            case scaip(SCAIP)
            case sms(SMS)
            case telephone(Telephone)
        }
    }

    /// An ambulance service, called over HTTPS. Paths are absolute; whether the files exist and fit is asked when
    /// the channel is made.
    public struct HTTPS: Hashable, Sendable {
        public let url: String
        public let format: CallFormat
        public let trial: Trial
        public let credential: Credential
        /// Nil for the authorities that the system trusts.
        public let caFile: String?
        /// At least one where the format is CAP.
        public let addresses: [String]
        /// Until the whole answer is there.
        public let attemptLimit: Duration

        public enum CallFormat: String, CaseIterable, Hashable, Sendable { case cap, json }

        /// Message that a test of the way sends.
        public enum Trial: String, CaseIterable, Hashable, Sendable { case message, options }

        public enum Credential: Hashable, Sendable {
            case none
            case bearer(tokenFile: String)
            case certificate(ClientCertificate)
        }

        public struct ClientCertificate: Hashable, Sendable {
            public let certificateFile: String
            public let keyFile: String
        }
    }

    /// A care centre that takes SCAIP, called over SIP.
    public struct SCAIP: Hashable, Sendable {
        public let host: String
        /// Nil for the registered one.
        public let port: Int?
        public let transport: Transport
        public let fromURI: String
        /// Nil for the host alone.
        public let centreURI: String?
        public let controllerID: String
        public let login: Login?
        public let heartbeatInterval: Duration
        /// Nil where the house cannot be called back.
        public let callBack: String?
        public let isAnswerAcceptance: Bool

        public enum Transport: Hashable, Sendable {
            case udp, tcp
            /// Nil for the authorities that the system trusts.
            case tls(caFile: String?)
        }

        /// At the centre's server.
        public struct Login: Hashable, Sendable {
            public let username: String
            public let passwordFile: String
        }
    }

    /// Texts to the family. Paths are absolute.
    public struct SMS: Hashable, Sendable {
        /// E.164, each once.
        public let recipients: [String]
        /// Of ModemManager.
        public let bus: Bluetooth.Bus
        /// Nil for the only one.
        public let modem: String?
        /// For one text.
        public let attemptLimit: Duration
        /// Between two texts to somebody that say the same.
        public let repeatInterval: Duration
        /// Recipient of a test's text; nil where none is sent.
        public let testRecipient: String?
        /// Whether a recipient accepts a call by a text with its code.
        public let takesReplies: Bool
    }
}

extension GatewaySettings.Channel {
    /// Whether it sends texts to phones.
    public var sendsTexts: Bool { if case .sms = way { true } else { false } }

    /// Whether it is the same, wherever it is written.
    public func isSame(as other: GatewaySettings.Channel) -> Bool {
        id == other.id && way == other.way
    }

    /// A mistake with a file that it names, at its line.
    public func problem(_ message: String) -> SettingsProblem {
        SettingsProblem(
            file: place.file, line: place.line, column: nil, key: "channel",
            message: "\"\(id)\" cannot be used. \(message)")
    }
}
