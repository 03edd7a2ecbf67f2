import Accounts
import Contract
import GatewayModel
import HTML
import PageSecurity
import RunBeacon
import Store
import WebPages

/// Forms of a definition as they were entered.
struct RunEntry {
    var id, title, description, waves, end, checkpoints, course, most: String

    init(_ form: FormFields) {
        func field(_ name: String) -> String { form[name] ?? "" }
        (id, title, description) = (field("id"), field("title"), field("description"))
        (waves, end, checkpoints) = (field("waves"), field("end"), field("checkpoints"))
        (course, most) = (field("course"), field("most"))
    }

    init(_ definition: RunDefinition) {
        let outline = definition.outline
        (id, title, description) = (definition.id.text, outline.title, definition.description)
        waves = RunText.text(of: outline.waves, time: \.rfc3339)
        (end, checkpoints) = (outline.end.rfc3339, RunText.text(of: outline.checkpoints))
        if case .line(let line)? = outline.course { course = line.text } else { course = "" }
        most = "\(definition.most)"
    }
}

/// Pages of organisers and runners.
extension RunView {
    func newPage(_ entry: RunEntry, refusal: String?) -> Page {
        layout.page(
            title: words.say(.organise),
            main: warning(refusal)
                + layout.form(
                    "/my-runs/new", content: fields(entry, isNew: true) + layout.button(words.say(.create)))
                + link(Self.mine, .back))
    }

    private func fields(_ entry: RunEntry, isNew: Bool) -> HTML {
        func field(_ name: String, _ label: Text, _ value: String, _ hint: Text?, most: Int)
            -> HTML
        {
            optional(name, label, value, hint, most: most)
        }
        return (isNew ? field("id", .id, entry.id, .idHint, most: 32) : .none)
            + field("title", .title, entry.title, nil, most: 100)
            + field("description", .description, entry.description, nil, most: 500)
            + field("waves", .waves, entry.waves, .wavesHint, most: 1_000)
            + field("end", .end, entry.end, .endHint, most: 40)
            + field("checkpoints", .checkpoints, entry.checkpoints, .checkpointsHint, most: 4_000)
            + field("course", .course, entry.course, isNew ? .courseHint : .keepsCourse, most: 200_000)
            + field("most", .most, entry.most, nil, most: 4)
    }

    private func optional(
        _ name: String, _ label: Text, _ value: String, _ hint: Text?, most: Int
    ) -> HTML {
        HTML(
            .div, .set(.class, "field"),
            content: HTML(.label, .set(.for, name), text: words.say(label)),
            hint.map { HTML(.p, .set(.id, "\(name)-hint"), .set(.class, "hint"), text: words.say($0)) }
                ?? .none,
            HTML(
                void: .input, .set(.id, name), .set(.name, name), .set(.type, "text"),
                .set(.autocomplete, "off"), .set(.maxlength, most),
                value.isEmpty ? nil : .set(.value, value),
                hint == nil ? nil : .set(.ariaDescribedby, "\(name)-hint")))
    }

    private func tick(_ name: String, _ label: Text) -> HTML {
        HTML(
            .div, .set(.class, "tick"),
            content: HTML(
                void: .input, .set(.id, name), .set(.name, name), .set(.type, "checkbox"), .set(.value, "yes")),
            HTML(.label, .set(.for, name), text: words.say(label)))
    }

    private func hidden(_ name: String, _ value: String) -> HTML {
        HTML(void: .input, .set(.type, "hidden"), .set(.name, name), .set(.value, value))
    }

    /// Facts of a run for its organisers.
    struct Managed {
        let run: OrganisedRun
        let role: RunRole
        let organisers: [(user: String, role: RunRole)]
        let boxes: [GatewayID]
        let participants: [RunParticipant]
        let commands: [RunCommandRecord]
    }

    func managePage(_ managed: Managed, refusal: String?) -> Page {
        let (run, place) = (managed.run, Self.mine(managed.run.id))
        let isOpen = [.idle, .underway].contains(run.state(at: now))
        let isOwner = managed.role == .organiser
        var main = warning(refusal) + HTML(.p, text: words.say(.state(run.state(at: now))))
        main = main + link(Self.place(of: run.id), .standings)
        if isOpen {
            main =
                main
                + layout.form(
                    place,
                    content: hidden("version", "\(run.version)")
                        + fields(RunEntry(run.definition), isNew: false)
                        + layout.button(words.say(.change)))
        }
        main = main + HTML(.h2, text: words.say(.boxes)) + boxes(managed, place, isOpen)
        main = main + HTML(.h2, text: words.say(.participants)) + participants(managed, place, isOpen)
        main = main + HTML(.h2, text: words.say(.organisers)) + organisers(managed, place, isOwner && isOpen)
        main = main + HTML(.h2, text: words.say(.commands)) + commands(managed.commands)
        if isOpen && isOwner { main = main + link(place.adding("/cancel"), .cancel) }
        return layout.page(title: run.definition.outline.title, main: main + link(Self.mine, .back))
    }

    private func boxes(_ managed: Managed, _ place: HTML.Place, _ isOpen: Bool) -> HTML {
        let named = Set(managed.run.definition.outline.checkpoints.compactMap(\.box))
        let missing = named.subtracting(managed.boxes).map(\.text).sorted()
        return
            (managed.boxes.isEmpty
            ? HTML(.p, text: words.say(.noBoxes))
            : HTML(.ul, content: HTML(managed.boxes.map { HTML(.li, content: box($0, place, isOpen)) })))
            + HTML(missing.map { HTML(.p, .set(.class, "warn"), text: words.say(.notAdded($0))) })
            + (isOpen
                ? layout.form(
                    place.adding("/boxes"),
                    content: optional("code", .box, "", .boxHint, most: 2_000)
                        + layout.button(words.say(.add)))
                : .none)
    }

    private func box(_ box: GatewayID, _ place: HTML.Place, _ isOpen: Bool) -> HTML {
        let remove = place.adding("/boxes").appending(box.text).adding("/remove")
        return HTML(.p, text: box.text)
            + (isOpen ? link(remove, .takeOut(box.text)) : .none)
    }

    func takeOutPage(_ run: OrganisedRun, _ box: GatewayID) -> Page {
        let place = Self.mine(run.id)
        return layout.page(
            title: words.say(.takeOut(box.text)),
            main: HTML(.p, text: run.definition.outline.title) + HTML(.p, text: words.say(.takeOutExplained))
                + layout.form(
                    place.adding("/boxes").appending(box.text).adding("/remove"),
                    content: tick("discard", .discard) + layout.button(words.say(.takeOut(box.text))))
                + link(place, .back))
    }

    private func participants(_ managed: Managed, _ place: HTML.Place, _ isOpen: Bool) -> HTML {
        let rows = managed.participants.prefix(200).map { participant in
            let entrant = participant.entrant
            let text = ["\(entrant.bib)", entrant.name, entrant.category, entrant.wave?.text]
                .compactMap(\.self).joined(separator: ", ")
            return HTML(
                .li,
                content: HTML(.p, text: text),
                HTML(
                    .p, .set(.class, "hint"),
                    text: (entrant.tags.map(\.description) + (entrant.carries.map { [$0.text] } ?? []))
                        .joined(separator: ", ")),
                isOpen
                    ? layout.form(
                        place.adding("/participants/leave"),
                        content: hidden("bib", "\(entrant.bib)")
                            + layout.button(words.say(.remove) + " \(entrant.bib)", kind: "plain")) : .none)
        }
        let list =
            rows.isEmpty
            ? HTML(.p, text: words.say(.nobody)) : HTML(.ul, .set(.class, "entries"), content: HTML(rows))
        return HTML(
            .p,
            text: words.say(.runners(managed.participants.count, of: managed.run.definition.most))) + list
            + (isOpen
                ? layout.form(
                    place.adding("/participants"),
                    content: runnerFields(.runnerAgrees, name: "") + layout.button(words.say(.enrol)))
                : .none)
    }

    private func runnerFields(_ agrees: Text, name: String) -> HTML {
        optional("bib", .bib, "", nil, most: 5) + optional("name", .name, name, nil, most: 100)
            + optional("category", .category, "", nil, most: 40)
            + optional("wave", .wave, "", .waveHint, most: 32)
            + optional("tag", .tag, "", .tagHint, most: 80)
            + optional("carries", .carries, "", .carriesHint, most: 32) + tick("shows", agrees)
    }

    private func organisers(_ managed: Managed, _ place: HTML.Place, _ mayChange: Bool) -> HTML {
        let rows = managed.organisers.map { user, role in
            HTML(
                .li, content: HTML(.p, text: user),
                mayChange && role == .coOrganiser
                    ? layout.form(
                        place.adding("/organisers/remove"),
                        content: hidden("user", user)
                            + layout.button(words.say(.remove) + " \(user)", kind: "plain"))
                    : .none)
        }
        return HTML(.ul, .set(.class, "entries"), content: HTML(rows))
            + (mayChange
                ? layout.form(
                    place.adding("/organisers"),
                    content: optional("user", .coOrganiser, "", nil, most: 40)
                        + layout.button(words.say(.add)))
                : .none)
    }

    private func commands(_ commands: [RunCommandRecord]) -> HTML {
        guard !commands.isEmpty else { return HTML(.p, text: words.say(.noCommands)) }
        return HTML(
            .ul, .set(.class, "entries"),
            content: HTML(
                commands.map { command in
                    HTML(
                        .li,
                        content: HTML(.p, text: "\(command.type), \(command.gateway)"),
                        HTML(
                            .p,
                            .set(
                                .class, command.state == .done || command.state == .sent ? "hint" : "warn"),
                            text: words.say(.boxCommand(command.state, command.reason))))
                }))
    }

    func cancelPage(_ run: OrganisedRun) -> Page {
        let place = Self.mine(run.id)
        return layout.page(
            title: words.say(.cancel),
            main: HTML(.p, text: run.definition.outline.title) + HTML(.p, text: words.say(.cancelQuestion))
                + layout.form(place.adding("/cancel"), content: layout.button(words.say(.yesCancel)))
                + link(place, .back))
    }

    /// - Parameter bib: of the account in this run.
    /// Own enrolment of an account.
    struct OwnEnrolment {
        let bib: Bib
        /// Persons to whom the account is linked.
        let persons: [HousePerson]
        let sharing: RunSharing?
    }

    func joinPage(_ run: OrganisedRun, own: OwnEnrolment?, name: String, refusal: String?) -> Page {
        let place = Self.place(of: run.id)
        let form =
            own.map { own in
                HTML(.p, text: words.say(.bib) + " \(own.bib)")
                    + HTML(.h2, text: words.say(.vitals)) + sharing(own, of: run)
                    + HTML(.h2, text: words.say(.leave)) + HTML(.p, text: words.say(.leaveExplained))
                    + layout.form(
                        place.adding("/leave"), content: layout.button(words.say(.leave), kind: "plain"))
            }
            ?? (HTML(.p, text: words.say(.joinExplained))
                + layout.form(
                    place.adding("/join"),
                    content: runnerFields(.showName, name: name) + layout.button(words.say(.join))))
        return layout.page(
            title: run.definition.outline.title, main: warning(refusal) + form + link(place, .back))
    }

    private func sharing(_ own: OwnEnrolment, of run: OrganisedRun) -> HTML {
        let place = Self.place(of: run.id)
        let state = own.sharing.map { HTML(.p, text: words.say(.sharing($0.state, $0.reason))) } ?? .none
        guard [.idle, .underway].contains(run.state(at: now)) else { return state }
        if own.sharing?.state.isOpen == true {
            return state
                + layout.form(
                    place.adding("/unshare"),
                    content: layout.button(
                        words.say(own.sharing?.state == .asked ? .endQuestion : .endSharing)))
        }
        guard !own.persons.isEmpty else {
            return state + HTML(.p, text: words.say(.vitalsExplained))
                + HTML(.p, .set(.class, "hint"), text: words.say(.noLink))
        }
        let forms = own.persons.map { person in
            layout.form(
                place.adding("/share"),
                content: HTML(
                    void: .input, .set(.type, "hidden"), .set(.name, "person"),
                    .set(.value, "\(person.gateway) \(person.person)"))
                    + layout.button(words.say(.share("\(person.person)"))))
        }
        return state + HTML(.p, text: words.say(.vitalsExplained)) + HTML(forms)
    }
}

extension Text {
    static let leaveExplained = Text(
        en: "Your times and places disappear from this server at once. This cannot be undone.",
        it: "I tuoi tempi e le tue posizioni spariscono subito da questo server. Non si può annullare.")
    static let back = Text(en: "Back", it: "Indietro")
    static let vitalsExplained = Text(
        en:
            "Spectators can see your heart rate and the energy that you use, if the person who wears the sensors agrees at home. The house sends them until the end of the run or until somebody takes the yes back, at home or here.",
        it:
            "Gli spettatori possono vedere il tuo battito e l'energia che consumi, se la persona che porta i sensori acconsente a casa. La casa li invia fino alla fine della gara o finché qualcuno ritira il sì, a casa o qui."
    )
    static let noLink = Text(
        en: "First link your account to a person on the page Links, so that it acts for the person.",
        it: "Prima collega il tuo account a una persona, nella pagina Collegamenti, perché agisca per lei.")
    static let endQuestion = Text(en: "Take the question back", it: "Ritira la domanda")
    static let idHint = Text(
        en: "1 to 32 of a-z, 0-9 and -. It cannot be changed later.",
        it: "Da 1 a 32 caratteri tra a-z, 0-9 e -. Non si può cambiare dopo.")
    static let wavesHint = Text(
        en:
            "2026-05-10T09:00:00+02:00, or for several waves: fast 2026-05-10T09:00:00+02:00; late 2026-05-10T09:10:00+02:00",
        it:
            "2026-05-10T09:00:00+02:00, o per più gruppi: veloci 2026-05-10T09:00:00+02:00; altri 2026-05-10T09:10:00+02:00"
    )
    static let endHint = Text(
        en: "Nobody is tracked from here on. Form: 2026-05-10T12:00:00+02:00",
        it: "Da qui nessuno è più seguito. Forma: 2026-05-10T12:00:00+02:00")
    static let checkpointsHint = Text(
        en:
            "Name, metres from the start, box: start 0 house-11; bridge 2500,7500 house-12; finish 10000 house-13 finish",
        it:
            "Nome, metri dalla partenza, centralina: start 0 house-11; ponte 2500,7500 house-12; arrivo 10000 house-13 finish"
    )
    static let courseHint = Text(
        en: "Paste the text of a GPX file, or an encoded polyline.",
        it: "Incolla il testo di un file GPX, o una polyline codificata.")
    static let keepsCourse = Text(
        en: "Paste a GPX file or an encoded polyline to replace the course. Leave it as it is to keep it.",
        it:
            "Incolla un file GPX o una polyline codificata per sostituire il percorso. Lascia com'è per tenerlo."
    )
    static let cancelQuestion = Text(
        en: "Nobody is tracked any more, permanently. The boxes get a command.",
        it: "Nessuno è più seguito, per sempre. Le centraline ricevono un comando.")
    static let yesCancel = Text(en: "Yes, cancel it", it: "Sì, annullala")
    static let coOrganiser = Text(en: "User name of a co-organiser", it: "Nome utente di un co-organizzatore")
    static let add = Text(en: "Add", it: "Aggiungi")
    static let noBoxes = Text(en: "No box has been added yet.", it: "Nessuna centralina aggiunta.")
    static let boxHint = Text(
        en: "On the box: homegateway contract claim. The code is good for an hour.",
        it: "Sulla centralina: homegateway contract claim. Il codice vale un'ora.")
    static func takeOut(_ box: String) -> Text {
        Text(en: "Take \(box) out of the run", it: "Togli \(box) dalla gara")
    }
    static let takeOutExplained = Text(
        en:
            "The run ends at this box, permanently: it gets a signed command, and cannot be added to this run again. The server takes no further messages about the run from it. Its times until now stay.",
        it:
            "La gara finisce su questa centralina, per sempre: riceve un comando firmato, e non si può aggiungere di nuovo a questa gara. Il server non prende più messaggi sulla gara da lei. I suoi tempi fino a ora restano."
    )
    static func notAdded(_ box: String) -> Text {
        Text(
            en: "\(box) stands at a checkpoint and is not added yet.",
            it: "\(box) sta a un punto di controllo e non è ancora aggiunta.")
    }
    static let waveHint = Text(
        en: "Leave it empty in a run of one wave.",
        it: "Lascialo vuoto in una gara con un solo gruppo.")
    static let tagHint = Text(
        en: "The address on the tag, such as C0:FF:EE:00:00:01, or ibeacon:UUID/MAJOR/MINOR",
        it: "L'indirizzo sul tag, per esempio C0:FF:EE:00:00:01, o ibeacon:UUID/MAJOR/MINOR")
    static let carriesHint = Text(en: "Instead of a tag, or beside it.", it: "Al posto del tag, o insieme.")
    static let showName = Text(
        en: "Spectators may see my name",
        it: "Gli spettatori possono vedere il mio nome")
    static let runnerAgrees = Text(
        en: "The runner has agreed that spectators see the name",
        it: "L'atleta è d'accordo che gli spettatori vedano il nome")
    static let noCommands = Text(en: "None yet.", it: "Ancora nessuno.")
    static let joinExplained = Text(
        en:
            "From the start to the end of the run its boxes track you, and spectators see your bib, your times and your place on the course. You can leave at any time: then everything about you disappears from this server.",
        it:
            "Dalla partenza alla fine della gara le sue centraline ti seguono, e gli spettatori vedono il tuo pettorale, i tuoi tempi e la tua posizione sul percorso. Puoi lasciare la gara in ogni momento: allora tutto ciò che ti riguarda sparisce da questo server."
    )
}
