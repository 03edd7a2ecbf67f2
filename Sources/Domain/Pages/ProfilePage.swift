package import ControlContract
import GatewayModel
package import HTML
import SOSLocal

extension PageModule {
    static let profile = PageModule(
        [
            HousePage(
                Pages.Route.profile,
                entry: .init([.person, .family]) { $0.words.say(.profile) }
            ) { visit in
                guard let reader = HistoryReader(visit) else { return .missing }
                return .page(
                    visit.pages.profile(try reader.profile(), limits: try reader.limits()))
            }
        ], acts: [.changeProfile])
}

extension Pages.Route {
    package static let profile: HTML.Place = "/profile"
}

extension PageAct {
    /// Fields: those of `ProfileEntry`. A change that is refused comes back with its form.
    static let changeProfile = PageAct(
        "/act/profile", for: Verb.ChangeProfile.rights.roles, then: Pages.Route.profile
    ) { visit, form in
        guard let reader = HistoryReader(visit), let entry = ProfileEntry(form.fields) else {
            return .expired
        }
        guard let reason = try refusal(of: entry, reader.person, form.caller, visit) else {
            return .redirect(Pages.Route.profile)
        }
        return .page(
            visit.pages.profile(
                try reader.profile(), limits: try reader.limits(), refused: Pages.RefusedEntry(entry, reason)),
            status: 409)
    }

    /// The reason of a refusal; nil for a change that is done.
    private static func refusal(
        of entry: ProfileEntry, _ person: PersonID, _ caller: String, _ visit: PageVisit
    ) throws -> Pages.Refusal? {
        let change: ProfileChange
        do throws(ProfileFlaw) {
            change = try entry.change
        } catch {
            return Pages.Refusal(.wrongText, lines: [error.text])
        }
        let reply = try visit.gateway.ask(try Verb.ChangeProfile(person: person.text, change, by: caller))
        return reply.isDone ? nil : Pages.Refusal(reply)
    }
}

/// The profile of the person with its authors, the limits, and forms that change it.
extension Pages {

    /// Answer of the gateway: a document, or its refusal.
    package enum Answer<Document: Sendable>: Sendable {
        case shown(Document)
        case refused(Refusal)
    }

    /// A change that the gateway refused.
    package struct RefusedEntry: Sendable {
        let entry: ProfileEntry
        let reason: Refusal

        package init(_ entry: ProfileEntry, _ reason: Refusal) { (self.entry, self.reason) = (entry, reason) }
    }

    /// Nil for a session without a person.
    ///
    /// - Parameter refused: the change that was sent last; its form keeps the texts that were typed.
    package func profile(
        _ profile: Answer<ProfileDocument>, limits: Answer<[LimitRow]>, refused: RefusedEntry? = nil
    ) -> Page? {
        guard let person = subject else { return nil }
        let title = words.say(.profileOf(person.name))
        let sections =
            switch profile {
            case .shown(let document):
                items(document, refused) + notes(document, refused) + contacts(document, refused)
            case .refused(let reason): refusal(reason)
            }
        let limits =
            switch limits {
            case .shown(let rows): limitTable(rows)
            case .refused(let reason): refusal(reason)
            }
        return family(
            title,
            HTML(.h1, text: title) + sections
                + HTML(.section, content: HTML(.h2, text: words.say(.limits)), limits))
    }

    private func refusal(_ reason: Refusal) -> HTML {
        HTML(.p, text: words.say(.profileNotShown)) + reason.content(in: viewer.language)
    }

    private func author(_ by: String?, _ at: Int64?) -> String {
        guard let by, let at else { return words.say(.fromSettings) }
        return words.say(.writtenBy(by, CivilDate(at).text(viewer.language)))
    }

    // MARK: Items

    private func items(_ document: ProfileDocument, _ refused: RefusedEntry?) -> HTML {
        let weight = house.readings.first {
            $0.person == viewer.person && $0.kind == QuantityKind.bodyWeight.rawValue
        }
        let forms = ProfileItem.single.map { item in
            self.form(of: item, document.items.first { $0.item == item.rawValue }, refused)
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.items)),
            weight.map {
                HTML(
                    .p,
                    text: words.say(.weight) + ": " + words.figure($0.value) + " " + words.unit($0.kind) + ", "
                        + words.age($0.ageMs))
            } ?? .none, HTML(forms))
    }

    private func form(
        of item: ProfileItem, _ known: ProfileDocument.Item?, _ refused: RefusedEntry?
    ) -> HTML {
        let reset = reset(item, known, refused)
        let refused = refused.flatMap { $0.entry.subject == .item(item) ? $0 : nil }
        let value = refused?.entry.text(.value) ?? known?.value ?? ""
        let source = known.map { ($0.value ?? words.say(.notTold)) + ", " + author($0.by, $0.at) }
        let title = DataKind.profile(item).title.in(viewer.language)
        let input =
            item == .gender
            ? choice(of: value, refused != nil)
            : field(item.rawValue, .value, value, isWrong: refused != nil, most: item.fieldLength)
        return HTML(
            .div, .set(.class, "entry"),
            content: form(.changeProfile).button(
                words.say(.save), kind: "plain", fields: [(ProfileEntry.Field.change.rawValue, item.rawValue)],
                inputs: labelled(title, item.rawValue, input, help: words.say(.help(item)), reason(refused)),
                label: words.say(.save) + ": " + title),
            source.map { HTML(.p, .set(.class, "source"), text: $0) } ?? .none, reset)
    }

    /// Takes an item back to the value of the settings, where somebody has changed it.
    private func reset(
        _ item: ProfileItem, _ known: ProfileDocument.Item?, _ refused: RefusedEntry?
    ) -> HTML {
        guard known?.by != nil else { return .none }
        let isRefused = refused?.entry.subject == .reset(item)
        return form(.changeProfile).button(
            words.say(.backToSettings), kind: "plain",
            fields: [
                (ProfileEntry.Field.change.rawValue, ProfileEntry.reset),
                (ProfileEntry.Field.value.rawValue, item.rawValue),
            ], inputs: reason(isRefused ? refused : nil),
            label: words.say(.backToSettings) + ": " + DataKind.profile(item).title.in(viewer.language))
    }

    private func choice(of value: String, _ isWrong: Bool) -> HTML {
        let options = PersonProfile.Gender.allCases.map { gender in
            HTML(
                .option, .set(.value, gender.rawValue), value == gender.rawValue ? .flag(.selected) : nil,
                text: words.say(.gender(gender)))
        }
        return HTML(
            .select, .set(.id, ProfileItem.gender.rawValue), .set(.name, ProfileEntry.Field.value.rawValue),
            .set(.ariaDescribedby, ProfileItem.gender.rawValue + "-help"),
            isWrong ? .set(.ariaInvalid, "true") : nil,
            content: HTML(.option, .set(.value, ""), text: ""), HTML(options))
    }

    private func field(
        _ id: String, _ name: ProfileEntry.Field, _ value: String, isWrong: Bool, most: Int,
        type: StaticString = "text"
    ) -> HTML {
        HTML(
            void: .input, .set(.id, id), .set(.type, type.description), .set(.name, name.rawValue),
            .set(.value, value), .set(.maxlength, most), .set(.autocomplete, "off"),
            .set(.ariaDescribedby, id + "-help"), isWrong ? .set(.ariaInvalid, "true") : nil)
    }

    /// A field with its label, the sentence on its form, and the reason why it was refused.
    private func labelled(_ title: String, _ id: String, _ field: HTML, help: String, _ reason: HTML) -> HTML {
        HTML(.label, .set(.for, id), text: title) + field
            + HTML(.div, .set(.id, id + "-help"), content: HTML(.p, .set(.class, "hint"), text: help), reason)
    }

    private func reason(_ refused: RefusedEntry?) -> HTML {
        guard let refused else { return .none }
        return HTML(
            .div, .set(.class, "warn"), .set(.role, "alert"),
            content: HTML(.p, text: words.say(.notSaved)), refused.reason.content(in: viewer.language))
    }

    // MARK: Notes and contacts

    private func notes(_ document: ProfileDocument, _ refused: RefusedEntry?) -> HTML {
        let notes = document.items.filter { $0.item == ProfileEntry.note }.compactMap { note in
            note.value.map { ($0, author(note.by, note.at)) }
        }
        let rows = notes.map { text, author in
            HTML(
                .li,
                content: HTML(.p, text: text), HTML(.p, .set(.class, "source"), text: author),
                removal(ProfileEntry.noteRemoval, of: text, named: text, refused))
        }
        let isNew = refused?.entry.subject == .note
        let input = field(
            "note", .value, isNew ? refused?.entry.text(.value) ?? "" : "", isWrong: isNew,
            most: ProfileItem.notes.fieldLength)
        return HTML(
            .section, content: HTML(.h2, text: words.say(.notes)),
            list(rows, orElse: .noNotes, removed: document.removedNotes),
            form(.changeProfile).button(
                words.say(.add), kind: "plain",
                fields: [(ProfileEntry.Field.change.rawValue, ProfileEntry.note)],
                inputs: labelled(
                    words.say(.newNote), "note", input, help: words.say(.help(.notes)),
                    reason(isNew ? refused : nil)),
                label: words.say(.add) + ": " + words.say(.newNote)))
    }

    private func contacts(_ document: ProfileDocument, _ refused: RefusedEntry?) -> HTML {
        let rows = document.contacts.map { contact in
            let line = [contact.phone, contact.relation, contact.getsNotices ? words.say(.getsNotices) : nil]
                .compactMap(\.self).joined(separator: ", ")
            return HTML(
                .li,
                content: HTML(.h3, text: contact.name), HTML(.p, text: line),
                HTML(.p, .set(.class, "source"), text: author(contact.by, contact.at)),
                removal(ProfileEntry.contactRemoval, of: contact.phone, named: contact.name, refused))
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.contacts)),
            list(rows, orElse: .noContacts, removed: document.removedContacts), newContact(refused))
    }

    private func newContact(_ refused: RefusedEntry?) -> HTML {
        let refused = refused.flatMap { $0.entry.subject == .contact ? $0 : nil }
        let wrong = refused.map { $0.entry.wrongField ?? .name }
        let fields: [(ProfileEntry.Field, Text, Text)] = [
            (.name, .contactName, .nameHelp), (.phone, .contactPhone, .phoneHelp),
            (.relation, .contactRelation, .relationHelp),
        ]
        let inputs = fields.map { name, title, help in
            let id = "contact-" + name.rawValue
            let input = field(
                id, name, refused?.entry.text(name) ?? "", isWrong: wrong == name,
                most: ProfileItem.nameLength.upperBound, type: name == .phone ? "tel" : "text")
            return labelled(
                words.say(title), id, input, help: words.say(help), reason(wrong == name ? refused : nil))
        }
        let isTicked = !(refused?.entry.text(.notices) ?? "").isEmpty
        let notices = HTML(
            .label, .set(.class, "tick"),
            content: HTML(
                void: .input, .set(.type, "checkbox"), .set(.name, ProfileEntry.Field.notices.rawValue),
                .set(.value, "yes"), isTicked ? .flag(.checked) : nil),
            HTML(.span, text: words.say(.contactNotices)))
        return HTML(.h3, text: words.say(.newContact))
            + form(.changeProfile).button(
                words.say(.add), kind: "plain",
                fields: [(ProfileEntry.Field.change.rawValue, ProfileEntry.contact)],
                inputs: HTML(inputs) + notices, label: words.say(.add) + ": " + words.say(.newContact))
    }

    private func removal(
        _ change: String, of value: String, named name: String, _ refused: RefusedEntry?
    ) -> HTML {
        let subject = ProfileEntry([
            ProfileEntry.Field.change.rawValue: change, ProfileEntry.Field.value.rawValue: value,
        ])?.subject
        let isRefused = refused?.entry.subject == subject
        return form(.changeProfile).button(
            words.say(.remove), kind: "plain",
            fields: [
                (ProfileEntry.Field.change.rawValue, change), (ProfileEntry.Field.value.rawValue, value),
            ], inputs: reason(isRefused ? refused : nil), label: words.say(.removeOf(name)))
    }

    private func list(_ rows: [HTML], orElse nothing: Text, removed: Int) -> HTML {
        (rows.isEmpty
            ? HTML(.p, text: words.say(nothing)) : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
            + (removed > 0 ? HTML(.p, text: words.say(.removedBySelf(removed))) : .none)
    }

    // MARK: Limits

    private func limitTable(_ rows: [LimitRow]) -> HTML {
        guard !rows.isEmpty else { return HTML(.p, text: words.say(.noLimits)) }
        let lines = rows.map { row in
            HTML(
                .tr, content: HTML(.th, .set(.scope, "row"), text: words.title(row.kind)),
                HTML(.td, text: LimitSlot(rawValue: row.limit).map { words.say(.slot($0)) } ?? row.limit),
                HTML(.td, text: words.figure(row.value) + " " + words.unit(row.kind)))
        }
        return HTML(
            .table, content: HTML(.caption, text: words.say(.limitHelp)),
            HTML(.tbody, content: HTML(lines)))
    }
}

extension ProfileItem {
    /// Characters that a field takes: room for an error that the gateway explains.
    fileprivate var fieldLength: Int {
        switch self {
        case .name: Self.nameLength.upperBound
        case .notes: Self.noteLength.upperBound
        case .birthDate, .gender, .height, .telephone, .fiscalCode, .nationalID, .contacts:
            Self.nationalIDLength.upperBound
        }
    }
}

extension Text {
    static func profileOf(_ name: String) -> Text {
        Text(en: "Profile of \(name)", it: "Profilo di \(name)")
    }
    static let save = Text(en: "Save", it: "Salva")
    static let remove = Text(en: "Remove", it: "Togli")
    static let notTold = Text(en: "not told", it: "non indicato")
    static let fromSettings = Text(
        en: "from the settings of the box", it: "dalle impostazioni della centralina")
    static let backToSettings = Text(
        en: "Back to the settings of the box",
        it: "Torna alle impostazioni della centralina")
    static func writtenBy(_ name: String, _ date: String) -> Text {
        Text(en: "written by \(name), \(date)", it: "scritto da \(name), \(date)")
    }
    static func gender(_ gender: PersonProfile.Gender) -> Text {
        switch gender {
        case .female: Text(en: "female", it: "femmina")
        case .male: Text(en: "male", it: "maschio")
        case .other: Text(en: "other", it: "altro")
        }
    }
    static let notSaved = Text(en: "This was not saved.", it: "Non è stato salvato.")
    static let notes = Text(en: "Notes for helpers", it: "Note per chi aiuta")
    static let noNotes = Text(en: "No note.", it: "Nessuna nota.")
    static let newNote = Text(en: "New note", it: "Nuova nota")
    static let noContacts = Text(en: "No contact.", it: "Nessun contatto.")
    static let newContact = Text(en: "New contact", it: "Nuovo contatto")
    static let contactName = Text(en: "Name", it: "Nome")
    static let contactPhone = Text(en: "Phone", it: "Telefono")
    static let contactRelation = Text(en: "Relation", it: "Relazione")
    static let contactNotices = Text(
        en: "Send texts about batteries and other news",
        it: "Manda messaggi sulle batterie e altre novità")
    static let getsNotices = Text(
        en: "gets texts about batteries and other news",
        it: "riceve messaggi sulle batterie e altre novità")
    static let nameHelp = Text(en: "1 to 100 characters.", it: "Da 1 a 100 caratteri.")
    static let phoneHelp = Text(
        en: "With + and the country code: +390212345678.",
        it: "Con + e il prefisso del paese: +390212345678.")
    static let relationHelp = Text(
        en: "Daughter, neighbour with a key. It may be empty.",
        it: "Figlia, vicino con la chiave. Può essere vuoto.")
    static func removedBySelf(_ count: Int) -> Text {
        Text(
            en: "Removed from those in the settings: \(count).",
            it: "Tolti da quelli delle impostazioni: \(count).")
    }
    static let limitHelp = Text(
        en: "At rest. An alarm or a warning begins beyond these values.",
        it: "A riposo. Oltre questi valori comincia un allarme o un avviso.")
    static let noLimits = Text(en: "No limit is in force.", it: "Nessun limite è in vigore.")
    static let profileNotShown = Text(
        en: "The box does not show this here.", it: "La centralina non lo mostra qui.")
    static let weight = Text(en: "Weight", it: "Peso")
    static func removeOf(_ name: String) -> Text {
        Text(en: "Remove \(name)", it: "Togli \(name)")
    }
}
