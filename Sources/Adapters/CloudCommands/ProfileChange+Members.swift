import GatewayModel

extension ProfileChange {
    /// Members of a `profile` command besides the person.
    ///
    /// A single item is a text, a number for the height, or null for nothing. At least one member is needed.
    init(_ members: inout Members) throws(CommandRefusal) {
        var values: [ProfileItem: String] = [:]
        var cleared: Set<ProfileItem> = []
        for item in ProfileItem.single {
            let name = item.member
            switch members.takeIfAny(name) {
            case nil: continue
            case .null?: cleared.insert(item)
            case .text(let text)?: values[item] = text
            case .whole(let number)? where item == .height: values[item] = String(number)
            default: throw members.wrong(name, expected: "a value, or null for none")
            }
        }
        let reset = try members.listIfAny("reset", Self.item) ?? []
        let added = try members.listIfAny("add_contacts", Self.contact) ?? []
        let removed = try members.listIfAny("remove_contacts", Self.text) ?? []
        let notes = try members.listIfAny("add_notes", Self.text) ?? []
        let removedNotes = try members.listIfAny("remove_notes", Self.text) ?? []
        // First, so that a member that is not known is named.
        try members.end()
        do throws(ProfileFlaw) {
            try self.init(
                values: values, cleared: cleared, reset: Set(reset), addedContacts: added,
                removedContacts: removed, addedNotes: notes, removedNotes: removedNotes)
        } catch {
            throw CommandRefusal(.wrongValue, error.textWithoutValue)
        }
        guard !isEmpty else { throw CommandRefusal(.wrongValue, "cmd: expected one change of the profile") }
    }

    private static func item(_ json: StrictJSON) throws(CommandRefusal) -> ProfileItem {
        guard case .text(let text) = json, let item = ProfileItem.allCases.first(where: { $0.member == text })
        else {
            throw CommandRefusal(
                .wrongValue,
                "reset: expected items out of \(ProfileItem.allCases.map(\.member).joined(separator: ", "))")
        }
        return item
    }

    private static func text(_ json: StrictJSON) throws(CommandRefusal) -> String {
        guard case .text(let text) = json else {
            throw CommandRefusal(.wrongValue, "cmd: expected a list of texts")
        }
        return text
    }

    private static func contact(_ json: StrictJSON) throws(CommandRefusal) -> PersonProfile.Contact {
        var members = try Members(json, of: "add_contacts")
        let contact = PersonProfile.Contact(
            name: try members.text("name", ProfileItem.nameLength), phone: try members.text("phone", 1...40),
            relation: try members.textIfAny("relation", ProfileItem.nameLength),
            getsNotices: try members.truthIfAny("notices") ?? false)
        try members.end()
        return contact
    }
}

extension ProfileItem {
    /// Name of the item as a member of JSON.
    fileprivate var member: String { rawValue.replacing("-", with: "_") }
}
