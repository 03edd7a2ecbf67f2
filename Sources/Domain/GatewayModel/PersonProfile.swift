/// Facts about a person that helpers need and that the person chose to tell them.
public struct PersonProfile: Hashable, Sendable {
    public let id: PersonID
    /// As people call them; personal, never logged.
    public let name: String
    public let birthYear: Int?
    public let language: Language
    /// In the order in which they are to be called.
    public let contacts: [Contact]
    /// Medical notes that the person wants helpers to have; nothing else of their history leaves.
    public let medicalNotes: [String]
    /// Where the person lives, as an ambulance needs it.
    public let home: InstalledPlace

    public init(
        id: PersonID, name: String, birthYear: Int? = nil, language: Language = .english,
        contacts: [Contact] = [], medicalNotes: [String] = [], home: InstalledPlace
    ) {
        self.id = id
        self.name = name
        self.birthYear = birthYear
        self.language = language
        self.contacts = contacts
        self.medicalNotes = medicalNotes
        self.home = home
    }

    /// Language of the announcements in the house and of the messages to the family.
    public enum Language: String, CaseIterable, Hashable, Sendable {
        case english = "en"
        case italian = "it"
    }

    /// Someone of the family or the neighbours.
    public struct Contact: Hashable, Sendable {
        public let name: String
        /// E.164, `+39…`.
        public let phone: String
        /// `daughter`, `neighbour with a key`; free text.
        public let relation: String?
        /// Whether they get a text about news that is no emergency.
        public let getsNotices: Bool

        public init(name: String, phone: String, relation: String? = nil, getsNotices: Bool = false) {
            self.name = name
            self.phone = phone
            self.relation = relation
            self.getsNotices = getsNotices
        }
    }
}
