public import GatewayModel
public import SettingsReading

extension ServerSettings {
    /// `[forwarding]` of `trackme.toml`: the outside service that gets the calls of the desk.
    public struct Forwarding: Hashable, Sendable {
        public let url: String
        public let addresses: [String]
        public let tokenFile: CredentialFile
        public let caFile: String?
        /// Nil for the issuer of the server.
        public let sender: String?
        /// Time that dispatchers have to take a call before it is handed on.
        public let wait: Duration
        public let includesDrills: Bool
        public let language: PersonProfile.Language

        private static let url = Key(
            "url",
            Form<String>.text("an address such as \"https://calls.example/alarms\"") { text in
                guard text.hasPrefix("https://") else { return .refused("begin it with https://") }
                return text.utf8.count <= 2_000 ? .accepted(text) : .refused("shorten it")
            }, .required, "Where calls are sent, as the service gave it.")
        private static let addresses = Key(
            "addresses",
            Form<[String]>("a list of 1 to 20 texts of 1 to 200 characters") { value in
                let verdict = Form<[String]>.texts(1...200, count: 20).judge(value)
                guard case .accepted(let texts) = verdict, texts.isEmpty else { return verdict }
                return .refused("write at least one, as the service gave it")
            }, .required, "Recipients of a call at the service.")
        private static let tokenFile = Key(
            "token_file", .credentialFile(of: "trackme"), .required,
            "File with the token by which the service knows the server, readable by the server alone.")
        private static let caFile = Key(
            "ca_file", .filePath(), .optional("those that the system trusts"),
            "The authorities (PEM) that may vouch for the service, and no others.")
        private static let sender = Key(
            "sender", .text(1...200), .optional("`issuer`"),
            "Name by which the service knows the server: the `sender` of CAP, without space, comma, `<` and `&`."
        )
        private static let after = Key(
            "after_seconds", .wholeSeconds(0...600), .standard(0),
            "Time that dispatchers have to take a call before it is handed on. With 0 every call is handed on at once."
        )
        private static let drills = Key(
            "drills", .truth, .standard(false),
            "Whether rehearsals are handed on as well, with the status `Exercise`.")
        private static let language = Key<PersonProfile.Language>(
            "language", .choice, .standard("en"), "Language of the texts for people.")

        static let section = Section(
            ["forwarding"],
            "The outside service that gets the calls of the desk. Without it no call is handed on.",
            keys: [url, addresses, tokenFile, caFile, sender, after, drills, language],
            refused: [
                "token":
                    "a token is never written in the settings: put it into a file that only the server can read and give its "
                    + "path as token_file"
            ])

        /// Nil if the section is not written, and for mistakes, which are reported.
        init?(_ reader: SectionReader) {
            guard reader.table != nil else { return nil }
            let (url, addresses) = (reader.value(Self.url), reader.value(Self.addresses))
            let (tokenFile, caFile) = (reader.value(Self.tokenFile), reader.value(Self.caFile))
            let (sender, wait) = (reader.value(Self.sender), reader.value(Self.after))
            let (drills, language) = (reader.value(Self.drills), reader.value(Self.language))
            guard let url, let addresses, let tokenFile, let wait, let drills, let language else { return nil }
            (self.url, self.addresses, self.tokenFile, self.caFile) = (url, addresses, tokenFile, caFile)
            (self.sender, self.wait, includesDrills, self.language) = (sender, wait, drills, language)
        }
    }
}
