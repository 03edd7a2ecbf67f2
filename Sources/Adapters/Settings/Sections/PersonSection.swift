public import GatewayModel
public import SOSLocal
import SettingsReading

/// `[[person]]`: a person of the house with their agreements.
enum PersonSection {
    static let id = Key<PersonID>(
        "id", .name, .required, "The person's name in topics: no real name where topics are seen by others.")
    static let name = Key(
        "name", .text(1...100, isPersonal: true), .required, "The person's name as people say it.")
    static let birthYear = Key(
        "birth_year", .wholeNumber(1900...2100), .optional("not told"), "For whoever helps.")
    static let language = Key<PersonProfile.Language>(
        "language", .choice, .standard("en"), "What the house speaks, and messages to carers are written in.")
    static let medicalNotes = Key(
        "medical_notes", .texts(1...200, count: 20), .optional("none"),
        "What the person wants helpers to know: illnesses, medicines, allergies. Nothing else is told.")
    static let dataPolicy = Key<GatewaySettings.Acceptance>(
        "data_policy", .choice, .standard("not-accepted"),
        "Whether the person accepted the data policy. Until then nothing of them is sent.")
    static let automatedSOS = Key<GatewaySettings.Acceptance>(
        "automated_sos", .choice, .standard("not-accepted"),
        "Whether help is called for them on its own. Needs the data policy accepted.")
    static let decidedBy = Key(
        "decided_by", .texts(1...100, count: 20), .optional("whoever is let in at the box"),
        "Who decides about consent for the person, besides the person: names as they give them (`--by`), also those "
            + "that signed commands give. An empty list: nobody else.")

    static let homeDashboard = Key<GatewaySettings.Acceptance>(
        "home_dashboard", .choice, .standard("not-accepted"),
        "Whether their readings are shown on the home's own dashboard (`[home_assistant]`). Needs nothing else accepted."
    )

    static let callsNobody = Key(
        "calls_nobody", .truth, .standard(false),
        "Says that it is meant that nobody is called for them, and alarms sound in the house only. Without it "
            + "`homegateway check` fails while the person has not accepted AutomatedSOS. Contradicts `automated_sos = "
            + "\"accepted\"`.")

    static let cannotCancel = Key(
        "cannot_cancel", .truth, .standard(false),
        "Says that it is meant that nothing within their reach cancels an alarm of theirs, for a person who could not do "
            + "so. Without it `homegateway check` fails in such a house.")

    static let ownChannels = Key(
        "own_channels", .channels(least: 0), .optional("none"),
        "Channels that the person may switch on and off for themselves (`homegateway channels`), for emergencies and "
            + "for warnings. All others stay as `[person.sos]` has them.")

    static let screenPIN = Key(
        "screen_pin", .pin, .optional("none, and the room's screen takes no answer about data"),
        "The digits by which the person answers requests for data at the room's screen. Each member of the group "
            + "`homegateway` can read them here.")

    static let carriesBox = Key(
        "carries_box", .truth, .standard(false),
        "Says that the box is always where the person is, as in a vehicle: the position of its receiver is theirs. A "
            + "position of their own wearable goes first.")

    static let section = Section(
        ["person"], repeats: true, isRequired: true, "Who is watched, and what they have agreed to.",
        keys: [
            id, name, birthYear, language, medicalNotes, dataPolicy, automatedSOS, homeDashboard, decidedBy,
            callsNobody, cannotCancel, ownChannels, screenPIN, carriesBox,
        ],
        children: [ContactSection.section, SampleIntervalSection.section, SOSSection.section],
        // A misspelt key may be an acceptance without which nobody is called.
        cost: .grave(.key),
        costs: [
            id.name: .grave(.entry), name.name: .grave(.entry), birthYear.name: .key, language.name: .key,
            medicalNotes.name: .elements, homeDashboard.name: .key, callsNobody.name: .key,
            ownChannels.name: .key,
            screenPIN.name: .key, carriesBox.name: .key,
        ],
        // The deciders are not known: nobody but the person.
        substitutes: [decidedBy.name: .array([])])

    /// One `[[person]]` as far as it could be read: the id also where something else is wrong, so that a
    /// wearable of theirs is not said to belong to nobody.
    struct Entry {
        let reader: SectionReader
        let id: PersonID?
        let person: GatewaySettings.Person?
    }

    /// - Parameters:
    ///   - home: where they live; nil where it could not be read, and then nobody is complete.
    ///   - channels: those there are; nil where that is not known.
    static func read(
        _ readers: [SectionReader], home: InstalledPlace?, channels: [ChannelID]?
    ) -> [Entry] {
        let entries = readers.map { read($0, home: home, channels) }
        readers.reportRepeated(id, entries.map(\.id))
        return entries
    }

    private static func read(
        _ reader: SectionReader, home: InstalledPlace?, _ channels: [ChannelID]?
    ) -> Entry {
        let id = reader.value(id)
        let name = reader.value(name)
        let policy = reader.value(dataPolicy)
        let automated = reader.value(automatedSOS)
        let dashboard = reader.value(homeDashboard)
        let deciders = reader.isWritten(decidedBy) ? reader.value(decidedBy) : nil
        let cannotCancel = reader.value(cannotCancel)
        let callsNobody = reader.value(callsNobody)
        let screenPIN = reader.value(screenPIN)
        let carriesBox = reader.value(carriesBox)
        let intervals = SampleIntervalSection.read(reader.child(SampleIntervalSection.section))
        let profile = profile(reader, id, name, home)
        let own = SOSSection.list(reader, ownChannels, channels, standard: [])
        let sos = reader.child(SOSSection.section)
        let plan = SOSSection.read(sos, person: id, channels: channels, own: own?.count ?? 0)
        let decidesOnWindow = sos.isWritten(SOSSection.abortWindow) || sos.isWritten(SOSSection.earlyNotice)
        if automated == .accepted && policy == .notAccepted {
            reader.report(
                "saw \"accepted\" while data_policy is not accepted, and AutomatedSOS sends personal data: "
                    + "accept the data policy first, or write \"not-accepted\"", automatedSOS.name)
        }
        if automated == .accepted && callsNobody == true {
            reader.report(
                "saw true while automated_sos is \"accepted\", by which help is called: remove it, or write automated_sos = "
                    + "\"not-accepted\"", Self.callsNobody.name)
        }
        guard let id, let name, let policy, let automated, let cannotCancel, let callsNobody, let dashboard,
            let plan,
            let profile, let own, let carriesBox, let intervals
        else {
            return Entry(reader: reader, id: id, person: nil)
        }
        let person = GatewaySettings.Person(
            id: id, name: name, dataPolicy: policy, automatedSOS: automated, homeDashboard: dashboard,
            decidedBy: deciders, ownChannels: own, screenPIN: screenPIN,
            profile: profile, plan: plan, decidesOnWindow: decidesOnWindow, callsNobody: callsNobody,
            cannotCancel: cannotCancel, carriesBox: carriesBox,
            sampleIntervals: intervals)
        return Entry(reader: reader, id: id, person: person)
    }

    private static func profile(
        _ reader: SectionReader, _ id: PersonID?, _ name: String?, _ home: InstalledPlace?
    ) -> PersonProfile? {
        let birthYear = reader.value(birthYear)
        let language = reader.value(language)
        let notes = reader.value(medicalNotes)
        let contacts = ContactSection.read(reader.children(ContactSection.section))
        guard let id, let name, let language, let home else { return nil }
        return PersonProfile(
            id: id, name: name, birthYear: birthYear, language: language, contacts: contacts,
            medicalNotes: notes ?? [], home: home)
    }
}

/// `[[person.contact]]`: family or neighbours, for the helpers.
enum ContactSection {
    static let name = Key("name", .text(1...100, isPersonal: true), .required, "As the person calls them.")
    static let phone = Key("phone", .phone, .required, "With the country code.")
    static let relation = Key(
        "relation", .text(1...100, isPersonal: true), .optional("none"), "Daughter; neighbour with a key.")

    static let notices = Key(
        "notices", .truth, .standard(false),
        "Whether they get a text when nobody watches over the person, a battery is low or a test has failed, and when it "
            + "is over. Needs a channel of `type = \"sms\"`.")

    static let section = Section(
        ["person", "contact"], repeats: true,
        "Family or neighbours, in the order in which they are to be called. Helpers are told of them.",
        keys: [name, phone, relation, notices], cost: .entry,
        costs: [relation.name: .key, notices.name: .key])

    /// Those that are complete.
    static func read(_ readers: [SectionReader]) -> [PersonProfile.Contact] {
        let phones = readers.map { $0.value(phone) }
        readers.reportRepeated(phone, phones, isPersonal: true)
        return zip(readers, phones).compactMap { reader, phone in
            let name = reader.value(name)
            let relation = reader.value(relation)
            let getsNotices = reader.value(notices)
            guard let name, let phone, let getsNotices else { return nil }
            return PersonProfile.Contact(
                name: name, phone: phone, relation: relation, getsNotices: getsNotices)
        }
    }
}

extension GatewaySettings {
    public struct Person: Hashable, Sendable {
        public let id: PersonID
        /// As the installer wrote it, by which deciders are known; personal, never logged. The name to show is that of
        /// `profile`.
        public let name: String
        public let dataPolicy: Acceptance
        /// Accepted only together with `dataPolicy`.
        public let automatedSOS: Acceptance
        /// On the home's own dashboard.
        public let homeDashboard: Acceptance
        /// Deciders about consent besides the person; nil for anybody that is let in at the box.
        public let decidedBy: [String]?
        /// Channels that the person may switch on and off.
        public let ownChannels: [ChannelID]
        /// Digits by which the person decides at the room's screen, never logged; nil for no decision there.
        public let screenPIN: String?
        /// Facts for helpers; its home is `GatewaySettings.installed`.
        public internal(set) var profile: PersonProfile
        /// Keeps the promise (T2) on every rule.
        public internal(set) var plan: SOSPlan
        /// The settings name the window of an emergency or the early notice; otherwise both follow the wearables.
        public let decidesOnWindow: Bool
        /// Declared: it is meant that nobody is called for them.
        public let callsNobody: Bool
        /// Declared: it is meant that nothing within their reach cancels an alarm of theirs.
        public let cannotCancel: Bool
        /// The position of the box's receiver is the person's.
        public let carriesBox: Bool
        /// Shortest time between two readings of a kind that are sent to the broker; every reading of other kinds is sent.
        public let sampleIntervals: [QuantityKind: Duration]
    }

    /// These settings with the values that persons have set themselves.
    public func with(_ choices: [PersonID: PersonChoices]) -> GatewaySettings {
        guard !choices.isEmpty else { return self }
        var settings = self
        for index in settings.persons.indices {
            guard let own = choices[settings.persons[index].id] else { continue }
            settings.persons[index] = settings.persons[index].with(own)
        }
        return settings
    }

    /// A person's agreement, as the installer wrote it down.
    public enum Acceptance: String, CaseIterable, Hashable, Sendable {
        case accepted = "accepted"
        case notAccepted = "not-accepted"
    }
}

extension GatewaySettings.Person {
    /// The same with another plan.
    public func with(_ plan: SOSPlan) -> GatewaySettings.Person {
        var person = self
        person.plan = plan
        return person
    }

    /// The same with the values that the person has set. Channels count only as far as they are the person's to switch.
    public func with(_ choices: PersonChoices) -> GatewaySettings.Person {
        var person = self
        person.profile = profile.with(choices.profile)
        person.plan = plan.with(plan.ways.with(choices, among: ownChannels))
        return person
    }
}
