internal import GatewayModel

/// The rules between the keys of one `[[wearable]]`, and between all of them.
extension WearableSection {
    /// One `[[wearable]]` as far as it could be read.
    private struct Entry {
        let reader: SectionReader
        let id: DeviceID?
        let address: DeviceAddress?
        let person: PersonID?
        let sosFor: Set<QuantityKind>
        let wearable: GatewaySettings.Wearable?
    }

    /// - Parameter readers: of both files, the settings file first.
    static func read(_ readers: [SectionReader], persons: [PersonSection.Entry]) -> [GatewaySettings.Wearable] {
        let entries = readers.map(read)
        readers.reportRepeated(id, entries.map(\.id))
        readers.reportRepeated(address, entries.map(\.address))
        // Not while any person's id is itself wrong: that may be the one meant.
        let known = persons.compactMap(\.id)
        if known.count == persons.count { reportStrangers(entries, known) }
        reportRivals(entries)
        return entries.compactMap(\.wearable)
    }

    private static func read(_ reader: SectionReader) -> Entry {
        let id = reader.value(id)
        let address = reader.value(address)
        let person = reader.value(person)
        let off = reader.value(off) ?? []
        let sosFor = reader.value(sosFor) ?? []
        let keyFile = reader.value(keyFile)
        let silence = reader.value(silence)
        let sleeps = reader.value(sleeps) ?? false
        let linkLossAlert = reader.value(linkLossAlert)
        let alarmAlert = reader.value(alarmAlert)
        let signals = SignalsSection.read(reader.child(SignalsSection.section))
        reportClaimsOfWhatIsOff(reader, sosFor.intersection(off))
        if sleeps, silence != nil {
            reader.report(
                "saw true beside silence_seconds, expected one of the two: one that sleeps is never silent; "
                    + "remove sleeps where it is to be heard that often, else silence_seconds", Self.sleeps.name
            )
        }
        warnOfAdverts(reader, signals, keyFile)
        var wearable: GatewaySettings.Wearable?
        if let id, let address, let person, let alarmAlert {
            wearable = GatewaySettings.Wearable(
                id: id, address: address, person: person, off: off, sosFor: sosFor, signals: signals,
                keyFile: keyFile, silence: silence, sleeps: sleeps, linkLossAlert: linkLossAlert,
                alarmAlert: alarmAlert,
                place: GatewaySettings.Place(file: reader.problems.file, line: reader.position.line))
        }
        return Entry(
            reader: reader, id: id, address: address, person: person, sosFor: sosFor, wearable: wearable)
    }

    private static func reportClaimsOfWhatIsOff(_ reader: SectionReader, _ both: Set<QuantityKind>) {
        guard let kind = both.map(\.rawValue).min() else { return }
        reader.report(
            "saw \"\(kind)\", which off switches off, so that nothing would raise an alarm: "
                + "remove it from one of the two", sosFor.name)
    }

    private static func reportStrangers(_ entries: [Entry], _ known: [PersonID]) {
        let names = known.map(\.text)
        let persons = Set(known)
        for entry in entries {
            guard let wearer = entry.person, !persons.contains(wearer) else { continue }
            let hint = NearestName.hint(wearer.text, among: names)
            entry.reader.report(
                "saw \"\(wearer)\", expected the id of a [[person]]\(hint): correct it, or add the person",
                person.name)
        }
    }

    /// Two wearables of one person that are both to be the only source.
    private static func reportRivals(_ entries: [Entry]) {
        struct Claim: Hashable {
            let person: PersonID
            let kind: QuantityKind
        }
        var first: [Claim: SectionReader] = [:]
        for entry in entries {
            guard let wearer = entry.person else { continue }
            for kind in entry.sosFor.sorted(by: { $0.rawValue < $1.rawValue }) {
                let claim = Claim(person: wearer, kind: kind)
                guard let other = first[claim] else {
                    first[claim] = entry.reader
                    continue
                }
                entry.reader.report(
                    "saw \"\(kind.rawValue)\", which another wearable of \"\(wearer)\" claims at "
                        + "\(other.place(of: sosFor.name, for: entry.reader)), expected one source: "
                        + "remove it from one of the two", sosFor.name)
            }
        }
    }

    // MARK: Warnings

    /// What only advertising sensors send is not heard by this version. Said at each start and by `check`,
    /// so that nobody relies on it.
    private static func warnOfAdverts(
        _ reader: SectionReader, _ signals: GatewaySettings.Signals, _ keyFile: String?
    ) {
        let given = [signals.vibration, signals.motion, signals.moving].contains { $0 != nil }
        guard given || keyFile != nil else { return }
        reader.warn(
            "this version does not hear advertising sensors yet: vibration, motion, moving and key_file have "
                + "no effect; the button of a tag that is connected has", id.name)
    }

    static func warn(
        _ root: SectionReader, _ persons: [PersonSection.Entry], _ wearables: [GatewaySettings.Wearable]
    ) {
        guard !wearables.isEmpty else {
            root.problems.warn(
                "no wearable: nobody is watched; add a [[wearable]], or pair one: homegateway devices scan",
                key: section.title, at: .start)
            return
        }
        let watched = Set(wearables.map(\.person))
        for entry in persons {
            guard let id = entry.id, !watched.contains(id) else { continue }
            entry.reader.warn(
                "\"\(id)\" has no wearable and is not watched: add a [[wearable]] of theirs",
                PersonSection.id.name)
        }
    }
}
