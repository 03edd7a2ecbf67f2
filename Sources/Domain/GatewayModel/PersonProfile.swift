/// Facts about a person that helpers need and that the person chose to tell them.
public struct PersonProfile: Hashable, Sendable {
    public let id: PersonID
    /// As people call them; personal, never logged.
    public let name: String
    public let birth: BirthDate?
    public let gender: Gender?
    /// Centimetres.
    public let height: Int?
    /// The person's own phone, E.164.
    public let phone: String?
    public let fiscalCode: FiscalCode?
    /// Number of the person in the register of another country, in a form of its own.
    public let nationalID: String?
    public let language: Language
    /// In the order in which they are to be called.
    public let contacts: [Contact]
    /// Medical notes that the person wants helpers to have; nothing else of their history leaves.
    public let medicalNotes: [String]
    /// Where the person lives, as an ambulance needs it.
    public let home: InstalledPlace

    public init(
        id: PersonID, name: String, birth: BirthDate? = nil, gender: Gender? = nil, height: Int? = nil,
        phone: String? = nil, fiscalCode: FiscalCode? = nil, nationalID: String? = nil,
        language: Language = .english, contacts: [Contact] = [], medicalNotes: [String] = [],
        home: InstalledPlace
    ) {
        self.id = id
        self.name = name
        self.birth = birth
        self.gender = gender
        self.height = height
        self.phone = phone
        self.fiscalCode = fiscalCode
        self.nationalID = nationalID
        self.language = language
        self.contacts = contacts
        self.medicalNotes = medicalNotes
        self.home = home
    }

    public init(
        id: PersonID, name: String, birthYear: Int?, language: Language = .english, contacts: [Contact] = [],
        medicalNotes: [String] = [], home: InstalledPlace
    ) {
        self.init(
            id: id, name: name, birth: birthYear.map { BirthDate(year: $0) }, language: language,
            contacts: contacts, medicalNotes: medicalNotes, home: home)
    }

    public var birthYear: Int? { birth?.year }

    /// Language of the announcements in the house and of the messages to the family.
    public enum Language: String, CaseIterable, Hashable, Sendable {
        case english = "en"
        case italian = "it"

        /// The first language of a browser's list (RFC 9110, `Accept-Language`) that the pages have; else English.
        public init(accepted header: String?) {
            for range in (header ?? "").prefix(200).lowercased().split(separator: ",") {
                let tag = range.drop { $0 == " " }
                for language in Self.allCases where tag.hasPrefix(language.rawValue) {
                    self = language
                    return
                }
            }
            self = .english
        }
    }

    /// Administrative gender, by the words of HL7 FHIR.
    public enum Gender: String, CaseIterable, Hashable, Sendable {
        case female, male, other
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
