internal import GatewayModel

/// `[[person.contact]]`: family or neighbours, for whoever helps.
enum ContactSection {
    static let name = Key("name", .text(1...100, isPersonal: true), .required, "As the person calls them.")
    static let phone = Key("phone", .phone, .required, "With the country code.")
    static let relation = Key(
        "relation", .text(1...100, isPersonal: true), .optional("none"), "Daughter; neighbour with a key.")

    static let section = Section(
        ["person", "contact"], repeats: true,
        "Family or neighbours, in the order in which they are to be called. Helpers are told of them.",
        keys: [name, phone, relation], cost: .entry, costs: [relation.name: .key])

    /// Those that are complete.
    static func read(_ readers: [SectionReader]) -> [PersonProfile.Contact] {
        let phones = readers.map { $0.value(phone) }
        readers.reportRepeated(phone, phones, isPersonal: true)
        return zip(readers, phones).compactMap { reader, phone in
            let name = reader.value(name)
            let relation = reader.value(relation)
            guard let name, let phone else { return nil }
            return PersonProfile.Contact(name: name, phone: phone, relation: relation)
        }
    }
}
