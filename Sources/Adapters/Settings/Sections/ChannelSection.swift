internal import GatewayModel
internal import SOSLocal

/// `[[channel]]`: a way to call for help. What every type of them has; each type has a declaration of its own.
enum ChannelSection {
    enum Kind: String, CaseIterable, Sendable { case https, scaip, sms }

    static let id = Key<ChannelID>(
        "id", .name, .required,
        "Its name in `channels` and `carers` of `[person.sos]`. \"mqtt\" is the broker's, which needs no section."
    )
    static let type = Key<Kind>("type", .choice, .required, "What it speaks.")

    static let variants: [(kind: Kind, section: Section)] = [
        (.https, HTTPSChannelSection.section), (.scaip, SCAIPChannelSection.section),
        (.sms, SMSChannelSection.section),
    ]

    /// What was read of all of them.
    struct Found {
        let channels: [GatewaySettings.Channel]
        /// By which they may be named, the built-in one first; nil while any of them is itself wrong: it may be
        /// the one meant.
        let known: [ChannelID]?
    }

    static func read(_ root: SectionReader) -> Found {
        let readers = root.children(variants, by: type)
        let entries = readers.map { read($0.kind, $0.reader) }
        readers.map(\.reader).reportRepeated(id, entries.map(\.id))
        for (reader, entry) in zip(readers.map(\.reader), entries) {
            guard let id = entry.id, SOSSection.builtInChannels.contains(id) else { continue }
            reader.report(
                "saw \"\(id)\", which is the broker's: give the channel a name of its own", self.id.name)
        }
        let ids = entries.compactMap(\.id)
        let isEachKnown = ids.count == root.count(of: HTTPSChannelSection.section)
        return Found(
            channels: entries.compactMap(\.channel),
            known: isEachKnown ? SOSSection.builtInChannels + ids : nil)
    }

    private static func read(
        _ kind: Kind, _ reader: SectionReader
    ) -> (id: ChannelID?, channel: GatewaySettings.Channel?) {
        let id = reader.value(id)
        let way: GatewaySettings.Channel.Way? =
            switch kind {
            case .https: HTTPSChannelSection.read(reader).map { .https($0) }
            case .scaip: SCAIPChannelSection.read(reader).map { .scaip($0) }
            case .sms: SMSChannelSection.read(reader).map { .sms($0) }
            }
        guard let id, let way else { return (id, nil) }
        let place = GatewaySettings.Place(file: reader.problems.file, line: reader.position.line)
        return (id, GatewaySettings.Channel(id: id, way: way, place: place))
    }

    /// One that nobody's plan names calls nobody: likely not what was meant.
    static func warn(
        _ root: SectionReader, _ channels: [GatewaySettings.Channel], _ persons: [PersonSection.Entry]
    ) {
        let used = Set(persons.compactMap(\.person).flatMap { $0.plan.ways.channels + $0.plan.ways.carers })
        for channel in channels where !used.contains(channel.id) {
            root.problems.warn(
                "\"\(channel.id)\" is in nobody's channels or carers, so that it is never called: add it to those "
                    + "in [person.sos], or remove the section", key: "channel.id",
                at: TOMLPosition(line: channel.place.line, column: 1))
        }
    }
}
