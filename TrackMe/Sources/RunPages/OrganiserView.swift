import Accounts
import Contract
import GatewayModel
import HTML
import PageSecurity
import RunBeacon
import Runs
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
        func field(_ name: String, _ label: RunWords.Text, _ value: String, _ hint: RunWords.Text?, most: Int)
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
        _ name: String, _ label: RunWords.Text, _ value: String, _ hint: RunWords.Text?, most: Int
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

    private func tick(_ name: String, _ label: RunWords.Text) -> HTML {
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

    private func runnerFields(_ agrees: RunWords.Text, name: String) -> HTML {
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
                            text: words.say(.commandState(command.state, command.reason))))
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
