/// Item of a profile that the person can set, by its name in commands.
public enum ProfileItem: String, CaseIterable, Hashable, Codable, Sendable {
    case name
    case birthDate = "birth-date"
    case gender, height, telephone
    case fiscalCode = "fiscal-code"
    case nationalID = "national-id"
    case notes, contacts

    /// Items of one value; notes and contacts are added and removed one by one.
    public static let single = allCases.filter { $0 != .notes && $0 != .contacts }

    /// Centimetres.
    public static let heights = 30...250
    public static let nameLength = 1...100
    public static let nationalIDLength = 1...40
    public static let noteLength = 1...200
    /// Notes of one person, and contacts of one person.
    public static let most = 20

    /// Form of the value, in words for an error message.
    var expected: String {
        switch self {
        case .name: "a plain text of 1 to 100 characters"
        case .birthDate: BirthDate.form
        case .gender: PersonProfile.Gender.allCases.map(\.rawValue).joined(separator: ", ")
        case .height: "whole centimetres, \(Self.heights.lowerBound) to \(Self.heights.upperBound)"
        case .telephone: E164.form
        case .fiscalCode: FiscalCode.form
        case .nationalID: "a plain text of 1 to 40 characters"
        case .notes: "a plain text of 1 to 200 characters"
        case .contacts: "a name, a phone number and perhaps a relation"
        }
    }

    /// Returns the value in its one form, in which it is kept.
    func canonical(_ text: String) throws(ProfileFlaw) -> String {
        switch self {
        case .name: try plain(text, Self.nameLength)
        case .birthDate: try require(BirthDate(text), text, "write year, month and day").description
        case .gender: try require(PersonProfile.Gender(rawValue: text), text, "write one of these").rawValue
        case .height:
            String(
                try require(
                    Int(text).flatMap { Self.heights.contains($0) ? $0 : nil }, text,
                    "write the number alone, without a unit"))
        case .telephone: try require(E164.parse(text), text, E164.remedy)
        case .fiscalCode: try fiscalCode(text)
        case .nationalID: try plain(text, Self.nationalIDLength)
        case .notes: try plain(text, Self.noteLength)
        case .contacts: throw ProfileFlaw(self, saw: text, expected: expected, "use add_contacts")
        }
    }

    private func fiscalCode(_ text: String) throws(ProfileFlaw) -> String {
        do throws(FiscalCode.Flaw) {
            return try FiscalCode(text).text
        } catch {
            switch error {
            case .form:
                throw ProfileFlaw(
                    self, saw: text, expected: expected,
                    "copy it from the health card; for a number of another country use \(Self.nationalID.rawValue)"
                )
            case .checkCharacter:
                throw ProfileFlaw(
                    self, saw: text, expected: "a last character that fits the others",
                    "compare it with the health card: a character is mistyped")
            }
        }
    }

    func plain(_ text: String, _ length: ClosedRange<Int>) throws(ProfileFlaw) -> String {
        guard PlainText.holds(text, length) else {
            throw ProfileFlaw(self, saw: text, expected: expected, "shorten it, and leave out line breaks")
        }
        return text
    }

    private func require<Value>(
        _ value: Value?, _ text: String, _ remedy: String
    ) throws(ProfileFlaw) -> Value {
        guard let value else { throw ProfileFlaw(self, saw: text, expected: expected, remedy) }
        return value
    }
}

/// Fault of a change of a profile, for its author.
public struct ProfileFlaw: Error, Hashable, Sendable {
    public let item: ProfileItem
    private let seen, expected, remedy: String

    public init(_ item: ProfileItem, saw seen: String, expected: String, _ remedy: String) {
        (self.item, self.seen, self.expected, self.remedy) = (item, seen, expected, remedy)
    }

    /// With the value that was seen: for the person at the box.
    public var text: String {
        "\(item.rawValue): saw '\(PlainText.shown(seen))', expected \(expected): \(remedy)"
    }

    /// Without personal data: for a receipt.
    public var textWithoutValue: String {
        "\(item.rawValue): saw a text of \(seen.count) characters, expected \(expected): \(remedy)"
    }
}

/// Change of a person's profile, checked item by item.
public struct ProfileChange: Hashable, Sendable {
    /// Texts in the form in which they are kept.
    public let values: [ProfileItem: String]
    /// Items that the person does not tell, although the settings have a value.
    public let cleared: Set<ProfileItem>
    /// Items that go back to the settings.
    public let reset: Set<ProfileItem>
    public let addedContacts: [PersonProfile.Contact]
    /// Phone numbers.
    public let removedContacts: [String]
    public let addedNotes: [String]
    public let removedNotes: [String]

    public init(
        values: [ProfileItem: String] = [:], cleared: Set<ProfileItem> = [], reset: Set<ProfileItem> = [],
        addedContacts: [PersonProfile.Contact] = [], removedContacts: [String] = [],
        addedNotes: [String] = [], removedNotes: [String] = []
    ) throws(ProfileFlaw) {
        var checked: [ProfileItem: String] = [:]
        for item in ProfileItem.single {
            if let text = values[item] { checked[item] = try item.canonical(text) }
        }
        if let list = values.keys.first(where: { !ProfileItem.single.contains($0) }) {
            throw ProfileFlaw(
                list, saw: values[list] ?? "", expected: "no single value",
                "add and remove \(list.rawValue) one by one")
        }
        if let item = cleared.first(where: { $0 == .name || !ProfileItem.single.contains($0) }) {
            throw ProfileFlaw(
                item, saw: "nothing", expected: "a value",
                item == .name ? "set another name, or reset it" : "remove \(item.rawValue) one by one")
        }
        if let item = Set(checked.keys).intersection(cleared.union(reset)).first
            ?? cleared.intersection(reset).first
        {
            throw ProfileFlaw(
                item, saw: "two changes", expected: "one change of an item", "leave out one of them")
        }
        self.values = checked
        (self.cleared, self.reset) = (cleared, reset)
        self.addedContacts = try addedContacts.map { contact throws(ProfileFlaw) in try Self.checked(contact) }
        self.removedContacts = try removedContacts.map { phone throws(ProfileFlaw) in try Self.phone(phone) }
        self.addedNotes = try addedNotes.map { note throws(ProfileFlaw) in
            try ProfileItem.notes.canonical(note)
        }
        self.removedNotes = removedNotes
    }

    public var isEmpty: Bool { items.isEmpty }

    /// Items that it names, in the order of a profile.
    public var items: [ProfileItem] {
        ProfileItem.allCases.filter { item in
            values[item] != nil || cleared.contains(item) || reset.contains(item)
                || item == .contacts && !(addedContacts.isEmpty && removedContacts.isEmpty)
                || item == .notes && !(addedNotes.isEmpty && removedNotes.isEmpty)
        }
    }

    private static func checked(_ contact: PersonProfile.Contact) throws(ProfileFlaw) -> PersonProfile.Contact {
        PersonProfile.Contact(
            name: try ProfileItem.contacts.plain(contact.name, ProfileItem.nameLength),
            phone: try phone(contact.phone),
            relation: try contact.relation.map { text throws(ProfileFlaw) in
                try ProfileItem.contacts.plain(text, ProfileItem.nameLength)
            }, getsNotices: contact.getsNotices)
    }

    private static func phone(_ text: String) throws(ProfileFlaw) -> String {
        guard let phone = E164.parse(text) else {
            throw ProfileFlaw(.contacts, saw: text, expected: E164.form, E164.remedy)
        }
        return phone
    }
}
