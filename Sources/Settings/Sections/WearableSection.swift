internal import GatewayModel

/// `[[wearable]]`: which device is worn by whom.
enum WearableSection {
    static let id = Key<DeviceID>("id", .name, .required, "The wearable's name in topics and messages.")
    static let address = Key(
        "address", .deviceAddress, .required, "Its Bluetooth address; each wearable has its own.")
    static let person = Key<PersonID>("person", .name, .required, "The `id` of the person who wears it.")

    static let section = Section(
        ["wearable"], repeats: true, "Which device is worn by whom.", keys: [id, address, person])

    static func read(_ root: SectionReader, persons: [PersonSection.Entry]) -> [GatewaySettings.Wearable] {
        let readers = root.children(section)
        let ids = readers.map { $0.value(id) }
        let addresses = readers.map { $0.value(address) }
        let wearers = readers.map { $0.value(person) }
        readers.reportRepeated(id, ids)
        readers.reportRepeated(address, addresses)
        // Not while any person's id is itself wrong: that may be the one meant.
        let known = persons.compactMap(\.id)
        if known.count == persons.count { reportStrangers(zip(readers, wearers), known) }
        warn(root, persons, wearers.compactMap(\.self))
        return zip(ids, zip(addresses, wearers)).compactMap { id, rest in
            guard let id, let address = rest.0, let person = rest.1 else { return nil }
            return GatewaySettings.Wearable(id: id, address: address, person: person)
        }
    }

    private static func reportStrangers(
        _ wearers: some Sequence<(SectionReader, PersonID?)>, _ known: [PersonID]
    ) {
        let names = known.map(\.text)
        let persons = Set(known)
        for case (let reader, let wearer?) in wearers where !persons.contains(wearer) {
            let hint = NearestName.hint(wearer.text, among: names)
            reader.report(
                "saw \"\(wearer)\", expected the id of a [[person]]\(hint): correct it, or add the person",
                person.name)
        }
    }

    private static func warn(_ root: SectionReader, _ persons: [PersonSection.Entry], _ wearers: [PersonID]) {
        guard !wearers.isEmpty else {
            root.problems.warn(
                "no wearable: nobody is watched; add a [[wearable]]", key: section.title, at: .start)
            return
        }
        let watched = Set(wearers)
        for entry in persons {
            guard let id = entry.id, !watched.contains(id) else { continue }
            entry.reader.warn(
                "\"\(id)\" has no wearable and is not watched: add a [[wearable]] of theirs",
                PersonSection.id.name)
        }
    }
}
