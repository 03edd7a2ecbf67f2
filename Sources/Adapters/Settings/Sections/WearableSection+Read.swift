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
        let heardBy = reader.value(heardBy)
        let off = reader.value(off) ?? []
        let sosFor = reader.value(sosFor) ?? []
        let keyFile = reader.value(keyFile)
        let silence = reader.value(silence)
        let sleeps = reader.value(sleeps) ?? false
        let linkLossAlert = reader.value(linkLossAlert)
        let alarmAlert = reader.value(alarmAlert)
        let signalsReader = reader.child(SignalsSection.section)
        let signals = SignalsSection.read(signalsReader)
        reportClaimsOfWhatIsOff(reader, sosFor.intersection(off))
        reportSilenceOfWhatSleeps(reader, sleeps, silence)
        switch heardBy {
        case .connection?: refuseWhatOnlyAdvertsTell(reader, signalsReader, signals)
        case .advertising?:
            refuseReadings(reader, off: off, sosFor: sosFor)
            warnOfNoMeaning(reader, signals)
            warnOfForgedCancels(reader, signals, hasKey: keyFile != nil)
        case nil: break
        }
        var wearable: GatewaySettings.Wearable?
        if let id, let address, let person, let heardBy, let alarmAlert {
            wearable = GatewaySettings.Wearable(
                id: id, address: address, person: person, heardBy: heardBy, off: off, sosFor: sosFor,
                signals: signals, keyFile: keyFile, silence: silence, sleeps: sleeps,
                linkLossAlert: linkLossAlert, alarmAlert: alarmAlert,
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

    /// Somebody relies on them, and nothing would come of it.
    private static func refuseWhatOnlyAdvertsTell(
        _ reader: SectionReader, _ signalsReader: SectionReader, _ signals: GatewaySettings.Signals
    ) {
        let advice = "write heard_by = \"advertising\" if it is not connected to, else remove it"
        for (event, _) in signals.meanings where event != SignalsSection.button.name {
            signalsReader.report(
                "saw it on a wearable that is connected to, and only adverts tell of it: \(advice)", event)
        }
        guard reader.isWritten(keyFile) else { return }
        reader.report(
            "saw it on a wearable that is connected to, where it protects nothing: \(advice)", keyFile.name)
    }

    private static func refuseReadings(
        _ reader: SectionReader, off: Set<QuantityKind>, sosFor: Set<QuantityKind>
    ) {
        for (key, kinds) in [(Self.off, off), (Self.sosFor, sosFor)] where !kinds.isEmpty {
            reader.report(
                "saw it with heard_by = \"advertising\", by which no reading comes: remove one of the two",
                key.name)
        }
    }

    private static func reportSilenceOfWhatSleeps(
        _ reader: SectionReader, _ isSleeping: Bool, _ silence: Duration?
    ) {
        guard isSleeping, silence != nil else { return }
        reader.report(
            "saw true beside silence_seconds, expected one of the two: one that sleeps is never silent; "
                + "remove sleeps where it is to be heard that often, else silence_seconds", sleeps.name)
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

    /// An enrolled button that calls nobody is likely not what was meant.
    private static func warnOfNoMeaning(_ reader: SectionReader, _ signals: GatewaySettings.Signals) {
        guard signals == .none else { return }
        reader.warn(
            "it is heard by advertising, and nothing it says calls for help: to have its button do so, add "
                + "[wearable.signals] with button = \"sos-button\"", heardBy.name)
    }

    private static func warnOfForgedCancels(
        _ reader: SectionReader, _ signals: GatewaySettings.Signals, hasKey: Bool
    ) {
        guard let event = signals.cancels.first, !hasKey else { return }
        reader.warn(
            "its \(event) cancels an alarm, and its adverts are in the clear: anyone in range can send them; use "
                + "one that encrypts, and give its key_file", keyFile.name)
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
