/// Values of a profile that the person has set, in the place of those in the settings.
public struct OwnProfile: Hashable, Codable, Sendable {
    /// Author and time of a value.
    public struct Author: Hashable, Codable, Sendable {
        /// As they gave their name.
        public let by: String
        /// Milliseconds since 1970.
        private let at: Int64

        public init(by: String, at: WallTime) {
            (self.by, self.at) = (by, at.millisecondsSince1970)
        }

        public var time: WallTime { WallTime(millisecondsSince1970: at) }
    }

    public struct Value: Hashable, Codable, Sendable {
        /// Nil where the person does not tell it.
        public let text: String?
        public let author: Author
    }

    public struct Note: Hashable, Codable, Sendable {
        public let text: String
        public let author: Author
    }

    public struct Contact: Hashable, Codable, Sendable {
        let name, phone: String
        let relation: String?
        /// Nil in a row of an earlier version: none.
        let notices: Bool?
        public let author: Author

        init(_ contact: PersonProfile.Contact, by author: Author) {
            (name, phone, relation) = (contact.name, contact.phone, contact.relation)
            notices = contact.getsNotices
            self.author = author
        }

        public var contact: PersonProfile.Contact {
            PersonProfile.Contact(name: name, phone: phone, relation: relation, getsNotices: notices ?? false)
        }
    }

    /// By the name of the item.
    private var values: [String: Value] = [:]
    public private(set) var notes: [Note] = []
    public private(set) var contacts: [Contact] = []
    /// Notes of the settings that the person has removed.
    public private(set) var removedNotes: [Note] = []
    /// Contacts of the settings that the person has removed.
    public private(set) var removedContacts: [Contact] = []

    public init() {}

    public var isEmpty: Bool { self == OwnProfile() }

    /// Nil where the value of the settings holds.
    public subscript(item: ProfileItem) -> Value? { values[item.rawValue] }

    func keeps(note: String) -> Bool { !removedNotes.contains { $0.text == note } }
    func keeps(_ contact: PersonProfile.Contact) -> Bool {
        !removedContacts.contains { $0.phone == contact.phone }
    }

    /// Number of notes and of contacts of the settings that are left out.
    public func removed(from written: PersonProfile) -> (notes: Int, contacts: Int) {
        (
            written.medicalNotes.count { !keeps(note: $0) },
            written.contacts.count { !keeps($0) }
        )
    }

    // MARK: Changes

    /// Applies a change; where it throws, nothing has changed.
    ///
    /// - Parameter written: profile of the settings.
    public mutating func apply(
        _ change: ProfileChange, to written: PersonProfile, by author: Author
    ) throws(ProfileFlaw) {
        var next = self
        for item in change.reset { next.reset(item) }
        for item in change.cleared { next.values[item.rawValue] = Value(text: nil, author: author) }
        for (item, text) in change.values { next.values[item.rawValue] = Value(text: text, author: author) }
        for phone in change.removedContacts { try next.removeContact(phone, written, author) }
        for contact in change.addedContacts { try next.add(contact, written, author) }
        for note in change.removedNotes { try next.removeNote(note, written, author) }
        for note in change.addedNotes { try next.add(note: note, written, author) }
        self = next
    }

    private mutating func reset(_ item: ProfileItem) {
        switch item {
        case .notes: (notes, removedNotes) = ([], [])
        case .contacts: (contacts, removedContacts) = ([], [])
        default: values[item.rawValue] = nil
        }
    }

    private mutating func add(
        _ contact: PersonProfile.Contact, _ written: PersonProfile, _ author: Author
    ) throws(ProfileFlaw) {
        let known = written.with(self).contacts
        guard !known.contains(where: { $0.phone == contact.phone }) else {
            throw ProfileFlaw(
                .contacts, saw: contact.phone, expected: "a number that no contact has",
                "remove that contact first")
        }
        guard known.count < ProfileItem.most else {
            throw ProfileFlaw(
                .contacts, saw: "\(known.count + 1) contacts", expected: "at most \(ProfileItem.most)",
                "remove one first")
        }
        contacts.append(Contact(contact, by: author))
    }

    private mutating func removeContact(
        _ phone: String, _ written: PersonProfile, _ author: Author
    ) throws(ProfileFlaw) {
        let isOwn = contacts.contains { $0.phone == phone }
        guard let contact = written.with(self).contacts.first(where: { $0.phone == phone }) else {
            throw ProfileFlaw(
                .contacts, saw: phone, expected: "the number of a contact",
                "see: homegateway profile show")
        }
        if isOwn {
            contacts.removeAll { $0.phone == phone }
        } else {
            removedContacts.append(Contact(contact, by: author))
        }
    }

    private mutating func add(
        note: String, _ written: PersonProfile, _ author: Author
    ) throws(ProfileFlaw) {
        let known = written.with(self).medicalNotes
        guard !known.contains(note) else {
            throw ProfileFlaw(.notes, saw: note, expected: "a note that is new", "it is told already")
        }
        guard known.count < ProfileItem.most else {
            throw ProfileFlaw(
                .notes, saw: "\(known.count + 1) notes", expected: "at most \(ProfileItem.most)",
                "remove one first")
        }
        // A note of the settings that was removed comes back to its place.
        if written.medicalNotes.contains(note) {
            removedNotes.removeAll { $0.text == note }
        } else {
            notes.append(Note(text: note, author: author))
        }
    }

    private mutating func removeNote(
        _ note: String, _ written: PersonProfile, _ author: Author
    ) throws(ProfileFlaw) {
        let isOwn = notes.contains { $0.text == note }
        guard written.with(self).medicalNotes.contains(note) else {
            throw ProfileFlaw(
                .notes, saw: note, expected: "a note as it is written",
                "copy it from: homegateway profile show")
        }
        if isOwn {
            notes.removeAll { $0.text == note }
        } else {
            removedNotes.append(Note(text: note, author: author))
        }
    }
}

extension PersonProfile {
    /// The profile of the settings with the values that the person has set.
    public func with(_ own: OwnProfile) -> PersonProfile {
        func value<Value>(_ item: ProfileItem, _ written: Value?, _ parse: (String) -> Value?) -> Value? {
            guard let value = own[item] else { return written }
            return value.text.flatMap(parse)
        }
        return PersonProfile(
            id: id, name: value(.name, name) { $0 } ?? name, birth: value(.birthDate, birth) { BirthDate($0) },
            gender: value(.gender, gender) { Gender(rawValue: $0) }, height: value(.height, height) { Int($0) },
            phone: value(.telephone, phone) { $0 },
            fiscalCode: value(.fiscalCode, fiscalCode) { try? FiscalCode($0) },
            nationalID: value(.nationalID, nationalID) { $0 }, language: language,
            contacts: contacts.filter(own.keeps) + own.contacts.map(\.contact),
            medicalNotes: medicalNotes.filter { own.keeps(note: $0) } + own.notes.map(\.text), home: home)
    }

    /// The value of an item as text; nil where there is none. Notes and contacts are lists of their own.
    public func text(of item: ProfileItem) -> String? {
        switch item {
        case .name: name
        case .birthDate: birth?.description
        case .gender: gender?.rawValue
        case .height: height.map(String.init)
        case .telephone: phone
        case .fiscalCode: fiscalCode?.text
        case .nationalID: nationalID
        case .notes, .contacts: nil
        }
    }
}
