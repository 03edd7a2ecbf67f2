public import GatewayModel
import SettingsReading

/// `[[source]]`: a program of the house that hands over readings of one person.
enum SourceSection {
    static let id = Key<DeviceID>(
        "id", .name, .required,
        "The program's name, as `device` of its readings. It differs from the ids of all wearables.")
    static let person = Key<PersonID>(
        "person", .name, .required, "The `id` of the person of its values.")
    static let kinds = Key<Set<QuantityKind>>(
        "kinds", .choices(), .optional("every kind"),
        "Kinds of reading that it may hand over; others are refused.")
    static let sos = Key(
        "sos", .truth, .standard(false),
        "Whether its live values go to the SOS rules. A kind that a wearable claims by `sos_for` never does.")
    static let inbox = Key(
        "inbox", .directoryPath, .optional("`inbox/<id>` in the state directory"),
        "The directory of its files. It must belong to the gateway's user; see "
            + "[docs/integrator/sources.md](../integrator/sources.md).")
    static let socket = Key(
        "socket", .filePath(bytes: 107, content: .free), .optional("no socket"),
        "A Unix socket that takes its values line by line. The rights of its directory decide which programs may connect."
    )

    static let section = Section(
        ["source"], repeats: true,
        "A program of the house that hands over readings: files in an inbox, or lines at a socket.",
        keys: [id, person, kinds, sos, inbox, socket],
        // A misspelt key may be kinds or sos: more would be taken, or less judged, than somebody wanted.
        cost: .entry)

    private struct Entry {
        let reader: SectionReader
        let id: DeviceID?
        let person: PersonID?
        let inbox: String?
        let socket: String?
        let source: GatewaySettings.Source?
    }

    /// - Parameter gateway: nil where it could not be read.
    static func read(
        _ readers: [SectionReader], gateway: GatewaySettings.Gateway?, persons: [PersonSection.Entry],
        wearables: [GatewaySettings.Wearable]
    ) -> [GatewaySettings.Source] {
        let entries = readers.map { read($0, gateway?.stateDirectory) }
        readers.reportRepeated(id, entries.map(\.id))
        readers.reportRepeated(inbox, entries.map(\.inbox))
        readers.reportRepeated(socket, entries.map(\.socket))
        let devices = Set(wearables.map(\.id))
        for entry in entries {
            if let id = entry.id, devices.contains(id) {
                entry.reader.report(
                    "saw \"\(id)\", which is a wearable, expected an id of its own: readings could not be told apart; "
                        + "choose another", Self.id.name)
            }
            if let socket = entry.socket, socket == gateway?.controlSocket {
                entry.reader.report(
                    "saw the control socket, expected another file: a program must not have its rights",
                    Self.socket.name)
            }
        }
        // Not while any person's id is itself wrong: that may be the one meant.
        let known = persons.compactMap(\.id)
        if known.count == persons.count {
            for entry in entries {
                guard let person = entry.person, !known.contains(person) else { continue }
                let hint = NearestName.hint(person.text, among: known.map(\.text))
                entry.reader.report(
                    "saw \"\(person)\", expected the id of a [[person]]\(hint): correct it, or add the person",
                    Self.person.name)
            }
        }
        return entries.compactMap(\.source)
    }

    /// Whether one directory is the other or lies within it.
    private static func overlap(_ first: String, _ second: String) -> Bool {
        let (first, second) = (first.split(separator: "/"), second.split(separator: "/"))
        return first.starts(with: second) || second.starts(with: first)
    }

    private static func read(_ reader: SectionReader, _ stateDirectory: String?) -> Entry {
        let id = reader.value(id)
        let person = reader.value(person)
        let kinds = reader.value(kinds)
        let sos = reader.value(sos)
        let inbox = reader.value(inbox)
        let socket = reader.value(socket)
        if kinds?.isEmpty == true {
            reader.report(
                "saw [], expected at least one kind: name one, or leave kinds out for every kind",
                Self.kinds.name)
        }
        if let inbox, let stateDirectory, overlap(inbox, stateDirectory) {
            reader.report(
                "saw a directory that holds, or is held by, the state directory, expected one of its own: every file "
                    + "in it would be read and removed; leave inbox out, or name another", Self.inbox.name)
        }
        var source: GatewaySettings.Source?
        // A wrong list is reported, so these settings are not used.
        if let id, let person, let sos, let stateDirectory {
            source = GatewaySettings.Source(
                id: id, person: person, kinds: kinds ?? Set(QuantityKind.allCases), countsForSOS: sos,
                inbox: inbox ?? "\(stateDirectory)/inbox/\(id)", ownsInbox: inbox == nil, socket: socket)
        }
        return Entry(
            reader: reader, id: id, person: person, inbox: source?.inbox ?? inbox, socket: socket,
            source: source)
    }
}

extension GatewaySettings {
    /// A program of the house that hands over readings of one person.
    public struct Source: Hashable, Sendable {
        public let id: DeviceID
        public let person: PersonID
        public let kinds: Set<QuantityKind>
        /// Its live values go to the SOS rules.
        public let countsForSOS: Bool
        /// Absolute.
        public let inbox: String
        /// The gateway makes the directory of the inbox.
        public let ownsInbox: Bool
        /// Absolute; short enough for a socket address. Nil for none.
        public let socket: String?
    }
}
