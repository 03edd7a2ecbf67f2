package import GatewayModel

/// Form of the profile's page as it was sent: one change, with the texts that were typed.
package struct ProfileEntry: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case item(ProfileItem)
        /// Back to the value of the settings.
        case reset(ProfileItem)
        case note, contact
        /// By its text, and by its phone number.
        case noteRemoval(String)
        case contactRemoval(String)
    }

    /// Names of the fields.
    enum Field: String { case change, value, name, phone, relation, notices }

    static let note = "note"
    static let reset = "reset"
    static let contact = "contact"
    static let noteRemoval = "remove-note"
    static let contactRemoval = "remove-contact"

    let subject: Subject
    private let typed: [String: String]

    /// Nil for a form that no page has.
    package init?(_ form: [String: String]) {
        let value = form[Field.value.rawValue] ?? ""
        switch form[Field.change.rawValue] {
        case Self.note: subject = .note
        case Self.reset:
            guard let item = Self.single(value) else { return nil }
            subject = .reset(item)
        case Self.contact: subject = .contact
        case Self.noteRemoval: subject = .noteRemoval(value)
        case Self.contactRemoval: subject = .contactRemoval(value)
        case let name?:
            guard let item = Self.single(name) else { return nil }
            subject = .item(item)
        case nil: return nil
        }
        typed = form
    }

    private static func single(_ name: String) -> ProfileItem? {
        ProfileItem(rawValue: name).flatMap { ProfileItem.single.contains($0) ? $0 : nil }
    }

    func text(_ field: Field) -> String { typed[field.rawValue] ?? "" }

    /// The text without spaces around it.
    private func trimmed(_ field: Field) -> String {
        let text = text(field)
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// The change for the gateway. An empty item is not told. Errors: a text of another form.
    package var change: ProfileChange {
        get throws(ProfileFlaw) {
            switch subject {
            case .item(let item):
                let text = trimmed(.value)
                return text.isEmpty
                    ? try ProfileChange(cleared: [item]) : try ProfileChange(values: [item: text])
            case .reset(let item): return try ProfileChange(reset: [item])
            case .note: return try ProfileChange(addedNotes: [trimmed(.value)])
            case .contact:
                let relation = trimmed(.relation)
                return try ProfileChange(addedContacts: [
                    PersonProfile.Contact(
                        name: trimmed(.name), phone: trimmed(.phone),
                        relation: relation.isEmpty ? nil : relation,
                        getsNotices: !text(.notices).isEmpty)
                ])
            case .noteRemoval(let note): return try ProfileChange(removedNotes: [note])
            case .contactRemoval(let phone): return try ProfileChange(removedContacts: [phone])
            }
        }
    }

    /// Field of a contact whose text has another form than it needs.
    var wrongField: Field? {
        guard subject == .contact else { return nil }
        return E164.parse(trimmed(.phone)) == nil ? .phone : trimmed(.name).isEmpty ? .name : nil
    }
}
