import GatewayModel

/// Change of a profile as JSON at the control socket.
struct ProfileRecord: Codable, Hashable, Sendable {
    struct Contact: Codable, Hashable, Sendable {
        let name, phone: String
        let relation: String?
        /// Nil for no.
        let notices: Bool?
    }

    /// By the name of the item.
    var set: [String: String]?
    /// Names of items.
    var clear, reset: [String]?
    var addContacts: [Contact]?
    var removeContacts, addNotes, removeNotes: [String]?

    init() {}

    init(_ change: ProfileChange) {
        set = change.values.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
        (clear, reset) = (change.cleared.map(\.rawValue).sorted(), change.reset.map(\.rawValue).sorted())
        addContacts = change.addedContacts.map {
            Contact(name: $0.name, phone: $0.phone, relation: $0.relation, notices: $0.getsNotices ? true : nil)
        }
        removeContacts = change.removedContacts
        (addNotes, removeNotes) = (change.addedNotes, change.removedNotes)
    }

    var change: ProfileChange {
        get throws(ControlError) {
            var values: [ProfileItem: String] = [:]
            for (name, text) in set ?? [:] { values[try Self.item(name)] = text }
            let cleared = try (clear ?? []).map { name throws(ControlError) in try Self.item(name) }
            let reset = try (reset ?? []).map { name throws(ControlError) in try Self.item(name) }
            do throws(ProfileFlaw) {
                return try ProfileChange(
                    values: values, cleared: Set(cleared), reset: Set(reset),
                    addedContacts: (addContacts ?? []).map {
                        PersonProfile.Contact(
                            name: $0.name, phone: $0.phone, relation: $0.relation,
                            getsNotices: $0.notices ?? false)
                    },
                    removedContacts: removeContacts ?? [], addedNotes: addNotes ?? [],
                    removedNotes: removeNotes ?? [])
            } catch {
                throw ControlError(error.text)
            }
        }
    }

    private static func item(_ name: String) throws(ControlError) -> ProfileItem {
        try ControlField.profileItem.value(name) { ProfileItem(rawValue: $0) }
    }
}
