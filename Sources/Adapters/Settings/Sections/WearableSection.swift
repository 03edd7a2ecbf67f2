public import GatewayModel
import SOSLocal
import SettingsReading

/// `[[wearable]]`: a device, its wearer, and its use.
enum WearableSection {
    static let id = Key<DeviceID>("id", .name, .required, "The wearable's name in topics and messages.")
    static let address = Key(
        "address", .deviceAddress, .required, "Its Bluetooth address; each wearable has its own.")
    static let person = Key<PersonID>("person", .name, .required, "The `id` of the person who wears it.")
    static let users = Key<[UInt8: PersonID]>(
        "users", .users, .optional("its first user is `person`"),
        "Persons of the users of a cuff or a scale that several people share, by the numbers that it shows. A user without "
            + "an entry is nobody: the value raises no alarm, is not kept, and `wearable-user-unnamed` asks for the user. "
            + "A value without a user is of `person`.")
    static let heardBy = Key<GatewaySettings.Hearing>(
        "heard_by", .choice, .standard(.string(GatewaySettings.Hearing.connection.rawValue)),
        "Whether it is connected to, or only its adverts are listened to: BTHome buttons and sensors. Nothing "
            + "ever connects to one that is heard by advertising, and it gives no readings.")
    static let off = Key<Set<QuantityKind>>(
        "off", .choices(), .optional("none is off"),
        "Kinds of reading that are dropped as they arrive: neither judged nor kept nor sent.")
    static let sosFor = Key<Set<QuantityKind>>(
        "sos_for", .choices(), .optional("every wearable counts"),
        "Kinds of reading for which only this wearable of the person goes to the SOS rules. The same kind "
            + "from their others is kept and sent, and raises no alarm.")
    static let keyFile = Key(
        "key_file", .filePath(), .optional("its adverts are in the clear"),
        "A file with the BTHome key of its encrypted adverts, 32 hexadecimal digits and nothing else, readable by "
            + "the gateway alone. Only of one that is heard by advertising; adverts in the clear are then refused."
    )
    // From a sensor that sends once a second to a scale that is used once a day.
    static let silence = Key(
        "silence_seconds", .wholeSeconds(2...86_400), .optional("what suits its kind"),
        "After so long without a word from it, it counts as silent; one that is heard by advertising, as out "
            + "of reach.")
    static let sleeps = Key(
        "sleeps", .truth, .optional("what suits its kind"),
        "It speaks only when it is used, as cuffs and scales do: neither its silence nor its absence is a "
            + "condition then. Known of the standard kinds; not beside `silence_seconds`.")
    static let linkLossAlert = Key<AlertLevel>(
        "link_loss_alert", .choice, .optional("its own way"),
        "What it does by itself when it loses the gateway, where it has the Link Loss service.")
    static let alarmAlert = Key<AlertLevel>(
        "alarm_alert", .choice, .standard(.string("high")),
        "How strongly it buzzes or flashes while its person has an alarm, where it has the Immediate Alert "
            + "service.")

    static let section = Section(
        ["wearable"], repeats: true,
        "Which device is worn by whom, and what of it counts. `homegateway devices` writes the same sections "
            + "into `devices.toml` in the state directory; ids and addresses differ over both files.",
        keys: [
            id, address, person, users, heardBy, off, sosFor, keyFile, silence, sleeps, linkLossAlert,
            alarmAlert,
        ],
        refused: [
            "key": "a key is never written in the settings, which are copied and shown: put it into a file "
                + "that only the gateway can read and give its path as key_file"
        ],
        children: [SignalsSection.section],
        // A misspelt key may be its key file, without which a stranger could press its button.
        cost: .entry,
        costs: [
            sosFor.name: .key, silence.name: .key, sleeps.name: .key, linkLossAlert.name: .key,
            alarmAlert.name: .key,
        ])
}

/// The rules between the keys of one `[[wearable]]`, and between all of them.
extension WearableSection {
    /// One `[[wearable]]` as far as it could be read.
    private struct Entry {
        let reader: SectionReader
        let id: DeviceID?
        let address: DeviceAddress?
        let person: PersonID?
        let users: [UInt8: PersonID]
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
        let users = reader.value(users) ?? [:]
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
            refuseUsers(reader)
            warnOfNoMeaning(reader, signals)
            warnOfForgedCancels(reader, signals, hasKey: keyFile != nil)
        case nil: break
        }
        var wearable: GatewaySettings.Wearable?
        if let id, let address, let person, let heardBy, let alarmAlert {
            wearable = GatewaySettings.Wearable(
                id: id, address: address, person: person, heardBy: heardBy, off: off, sosFor: sosFor,
                signals: signals, keyFile: keyFile, silence: silence, sleeps: sleeps,
                linkLossAlert: linkLossAlert, alarmAlert: alarmAlert, users: users,
                place: GatewaySettings.Place(file: reader.problems.file, line: reader.position.line))
        }
        return Entry(
            reader: reader, id: id, address: address, person: person, users: users, sosFor: sosFor,
            wearable: wearable)
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

    private static func refuseUsers(_ reader: SectionReader) {
        guard reader.isWritten(users) else { return }
        reader.report(
            "saw it with heard_by = \"advertising\", by which no reading comes: remove one of the two",
            users.name)
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
            if let stranger = entry.users.values.filter({ !persons.contains($0) }).map(\.text).min() {
                entry.reader.report(
                    "saw \"\(stranger)\", expected the ids of [[person]]\(NearestName.hint(stranger, among: names)): "
                        + "correct it, or add the person", users.name)
            }
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

    /// An enrolled button that calls nobody is doubtful.
    private static func warnOfNoMeaning(_ reader: SectionReader, _ signals: GatewaySettings.Signals) {
        guard signals == .none else { return }
        reader.warn(
            "it is heard by advertising, and nothing it says calls for help: to have its button do so, add "
                + "[wearable.signals] with button = \"sos-button\"", heardBy.name)
    }

    private static func warnOfForgedCancels(
        _ reader: SectionReader, _ signals: GatewaySettings.Signals, hasKey: Bool
    ) {
        let forgeable = signals.meanings.first { $0.means.signal == nil }
        guard let (event, meaning) = forgeable, !hasKey else { return }
        let effect = meaning == .cancel ? "cancels an alarm" : "widens the limits"
        reader.warn(
            "its \(event) \(effect), and its adverts are in the clear: anyone in range can send them; use "
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

/// `[wearable.signals]`: which events of a wearable call for help, or take the call back.
enum SignalsSection {
    private static func key(_ name: String, _ event: String) -> Key<WearableSignal.Kind> {
        Key(name, .choice, .optional("nothing"), "What \(event) means.")
    }

    static let button = Key<ButtonMeaning>(
        "button", .choice, .optional("nothing"),
        "What a press of its button means, of any kind that has no meaning of its own. \"cancel\" ends what is open "
            + "of its wearer, \"exercise\" lets the limits of exercise hold for 45 minutes.")
    static let doublePress = Key<ButtonMeaning>(
        "double_press", .choice, .optional("`button`"),
        "What a double press means, where adverts tell of it.")
    static let longPress = Key<ButtonMeaning>(
        "long_press", .choice, .optional("`button`"),
        "What a long press or a hold means, where adverts tell of it.")
    static let vibration = key("vibration", "vibration that it reports")
    static let motion = key("motion", "motion that it reports")
    static let moving = key("moving", "that it begins to move")

    static let section = Section(
        ["wearable", "signals"],
        "Which events of a wearable call for help, cancel or begin exercise. A button on a door is none: nothing is assumed.",
        keys: [button, doublePress, longPress, vibration, motion, moving])

    static func read(_ reader: SectionReader) -> GatewaySettings.Signals {
        GatewaySettings.Signals(
            button: reader.value(button), doublePress: reader.value(doublePress),
            longPress: reader.value(longPress), vibration: reader.value(vibration),
            motion: reader.value(motion), moving: reader.value(moving))
    }
}

/// `[person.sos.silence]`: when a worn sensor that says nothing any more is an alarm.
enum SilenceSection {
    static let after = Key(
        "after_seconds", .wholeSeconds(60...86_400), .optional("no alarm"),
        "After so long; 600 outlasts a shower. Not counted after a sensor has said that it was taken off."
    )
    static let priority = Key<AlarmPriority>(
        "priority", .choice, .standard("low"), "What it asks for: low is a note in the house.")

    static let section = Section(
        ["person", "sos", "silence"],
        "When a worn sensor that says nothing any more is an alarm, besides being a condition of the box.",
        keys: [after, priority], cost: .grave(.person))

    /// The rule, or none where no time is written; nil where something is wrong.
    static func read(_ reader: SectionReader) -> SilenceRule?? {
        let after = reader.value(after)
        guard let priority = reader.value(priority), after != nil || !reader.isWritten(Self.after)
        else {
            return nil
        }
        return .some(after.map { SilenceRule(limit: $0, priority: priority) })
    }
}

extension GatewaySettings {
    /// How a wearable is heard: exactly one of the two.
    public enum Hearing: String, CaseIterable, Hashable, Sendable {
        /// bluetoothd connects to it, and it notifies.
        case connection
        /// Its adverts say all it has to say; nothing ever connects to it.
        case advertising
    }

    /// One device that a person wears or carries.
    public struct Wearable: Hashable, Sendable {
        public let id: DeviceID
        public let address: DeviceAddress
        public let person: PersonID
        public let heardBy: Hearing
        /// Kinds of reading that are dropped as they arrive. None of one that is heard by advertising, which
        /// gives no readings; nor does that one claim any.
        public let off: Set<QuantityKind>
        /// Kinds for which this wearable is the person's source for the SOS rules. At most one wearable of
        /// a person claims a kind, and none that it has switched off.
        public let sosFor: Set<QuantityKind>
        public let signals: Signals
        /// Absolute path of the key of its encrypted adverts; nil where they are in the clear, and of one that
        /// is connected to.
        public let keyFile: String?
        /// Time without a message after which it counts as silent; nil for the time of its kind.
        public let silence: Duration?
        /// It sends only when it is used; false for the rhythm of its kind. Never beside `silence`.
        public var sleeps = false
        /// Alert that it raises by itself when its link is lost; nil leaves it as it is.
        public var linkLossAlert: AlertLevel?
        /// Alert during an alarm of its person.
        public let alarmAlert: AlertLevel
        /// Persons of its users, by their numbers; empty where the settings name none.
        public var users: [UInt8: PersonID] = [:]
        /// Where it is written.
        public let place: Place
    }

    /// Meaning of each event of a wearable; nil where it means nothing.
    public struct Signals: Hashable, Sendable {
        /// Any press that has no meaning of its own below.
        public let button: ButtonMeaning?
        public let doublePress: ButtonMeaning?
        /// A long press, or a hold.
        public let longPress: ButtonMeaning?
        public let vibration: WearableSignal.Kind?
        public let motion: WearableSignal.Kind?
        public let moving: WearableSignal.Kind?

        public init(
            button: ButtonMeaning?, doublePress: ButtonMeaning? = nil, longPress: ButtonMeaning? = nil,
            vibration: WearableSignal.Kind?, motion: WearableSignal.Kind?, moving: WearableSignal.Kind?
        ) {
            self.button = button
            self.doublePress = doublePress
            self.longPress = longPress
            self.vibration = vibration
            self.motion = motion
            self.moving = moving
        }

        /// - Parameter meanings: each is one of `SignalEvent.meanings`; another means nothing.
        public init(_ meanings: [SignalEvent: ButtonMeaning]) {
            self.init(
                button: meanings[.button], doublePress: meanings[.doublePress],
                longPress: meanings[.longPress],
                vibration: meanings[.vibration]?.signal, motion: meanings[.motion]?.signal,
                moving: meanings[.moving]?.signal)
        }

        /// Those that mean something, by the names of their keys, in the order of the reference.
        public var meanings: [(event: String, means: ButtonMeaning)] {
            [
                ("button", button), ("double_press", doublePress), ("long_press", longPress),
                ("vibration", vibration.map(ButtonMeaning.init)), ("motion", motion.map(ButtonMeaning.init)),
                ("moving", moving.map(ButtonMeaning.init)),
            ].compactMap { event, meaning in meaning.map { (event, $0) } }
        }

        /// The events by which its wearer says that they are all right.
        public var cancels: [String] { meanings.filter { $0.means == .cancel }.map(\.event) }

        /// An event that means nothing.
        public static let none = Signals(button: nil, vibration: nil, motion: nil, moving: nil)
    }

    /// A line of a settings file.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        public let file: String
        /// From 1.
        public let line: Int

        public var description: String { "\(file):\(line)" }
    }
}
