import ContractReading
import GatewayModel
import HTML
import SOSLocal
import WebPages

/// HTML of the desk for one dispatcher, from values alone.
struct DeskView {
    let words: Words
    let viewer: Dispatcher
    let formToken: String
    let now: WallTime
    /// Dispatchers with an open page.
    let present: Int
    var arrival = CallArrival(isBrokerThere: nil, isDatabaseThere: true, newest: nil)

    static let root: HTML.Place = "/desk"
    static let board: HTML.Place = "/desk/board"
    static let live: HTML.Place = "/desk/live"

    static func place(of id: CallID) -> HTML.Place {
        ("/desk/calls" as HTML.Place).appending(id.gateway.text).appending(id.alarm.description)
    }

    static func place(of house: GatewayID) -> HTML.Place {
        ("/desk/houses" as HTML.Place).appending(house.text)
    }

    // MARK: Frame

    /// - Parameters:
    ///   - part: the part that a change replaces, and its place.
    ///   - rest: forms, which a change leaves alone.
    ///   - notice: answer to an act, which a change leaves alone as well.
    func page(
        title: String, part: HTML, at place: HTML.Place, rest: HTML? = nil, notice: HTML = .none
    ) -> Page {
        let header = HTML(
            .nav, .set(.ariaLabel, words.say(.desk)),
            content: HTML(.a, .href(Self.root), text: words.say(.desk)),
            HTML(
                .button, .set(.id, "sound"), .set(.type, "button"), .set(.class, "plain"),
                text: words.say(.soundOn)),
            form(
                "/sign-out", kind: "out",
                HTML(.button, .set(.type, "submit"), .set(.class, "plain"), text: words.say(.signOut))))
        let lost = HTML(
            .p, .set(.id, "lost"), .set(.class, "warn hidden"), .set(.role, "alert"), text: words.say(.lost))
        let (text, isFault) = words.arrival(arrival, at: now)
        let arriving = HTML(
            .p, .set(.id, "arrival"), isFault ? .set(.class, "warn") : nil,
            isFault ? .set(.role, "alert") : nil, text: text)
        let live = HTML(
            .section, .set(.dataLive, Self.live.text), .set(.dataPage, place.text), content: part)
        return Page(
            lang: words.language.rawValue, title: title, kind: .family,
            // Without script the board is asked for again; a page with forms is not, since somebody may be typing.
            refreshSeconds: rest == nil ? 5 : nil,
            style: DeskFiles.style.place, script: PageFiles.livePart.place, header: header,
            main: HTML(.h1, text: title) + lost + arriving + notice + live + (rest ?? .none))
    }

    func form(_ place: HTML.Place, kind: String = "act", _ content: HTML) -> HTML {
        HTML(
            .form, .set(.method, "post"), .action(place), .set(.class, kind),
            content: HTML(void: .input, .set(.type, "hidden"), .set(.name, "token"), .set(.value, formToken)),
            content)
    }

    // MARK: Board

    /// - Parameters:
    ///   - forwardings: of the calls that are handed on to the outside service.
    ///   - times: nil where they are not known.
    func board(
        _ list: CallList, ended: [EmergencyCall], forwardings: [CallID: CallForwarding] = [:],
        times: TakingTimes? = nil
    ) -> HTML {
        func row(_ call: EmergencyCall) -> HTML { self.row(call, forwardings[call.id]) }
        let calls =
            list.shown.isEmpty
            ? HTML(.p, text: words.say(.noCalls))
            : HTML(
                .ul, .set(.class, "calls"), content: HTML(list.shown.map(row)), HTML(list.folds.map(foldRow)))
        let past =
            ended.isEmpty
            ? HTML.none
            : HTML(.h2, text: words.say(.ended))
                + HTML(.ul, .set(.class, "calls"), content: HTML(ended.map(row)))
        let figure = times.map { HTML(.p, text: words.say(.takingTimes($0))) } ?? .none
        return ring(list.ringing) + HTML(.p, text: words.say(.present(present)))
            + HTML(.h2, text: words.say(.open)) + calls + figure + past
    }

    /// The page rings while it has this element.
    private func ring(_ count: Int) -> HTML {
        guard count > 0 else { return .none }
        return HTML(.p, .set(.id, "ring"), .set(.class, "warn"), text: words.say(.ringing(count)))
    }

    private func foldRow(_ fold: CallList.Fold) -> HTML {
        HTML(
            .li, .set(.class, "call"), content: age(since: fold.since),
            HTML(
                .div,
                content: HTML(.h3, text: words.say(.folded(fold.calls.count, house: fold.house.text))),
                HTML(.p, text: words.say(.foldedAge))),
            HTML(.a, .href(Self.place(of: fold.house)), .set(.class, "go"), text: words.say(.showFold)))
    }

    /// Rows of a page: the number of the rest is told.
    private static let mostRows = 200

    /// Calls of one house that the board folds.
    func fold(_ fold: CallList.Fold) -> HTML {
        let rows = fold.calls.prefix(Self.mostRows).map { row($0, nil) }
        return HTML(.p, text: words.say(.folded(fold.calls.count, house: fold.house.text)))
            + HTML(.ul, .set(.class, "calls"), content: HTML(rows))
    }

    /// Form that closes those that nobody has taken, together.
    func closing(of fold: CallList.Fold) -> HTML {
        let back = HTML(.p, content: HTML(.a, .href(Self.root), text: words.say(.back)))
        guard !fold.untaken.isEmpty else { return back }
        return HTML(.h2, text: words.say(.closeTogether(fold.untaken.count)))
            + HTML(.p, text: words.say(.closeTogetherHint))
            + form(
                Self.place(of: fold.house).adding("/close"),
                HTML(
                    void: .input, .set(.type, "hidden"), .set(.name, "until"),
                    .set(.value, Int(now.millisecondsSince1970)))
                    + outcomes(.falseAlarm) + note("closing-note")
                    + HTML(
                        .p,
                        content: HTML(
                            .button, .set(.type, "submit"), text: words.say(.closeTogether(fold.untaken.count)))
                    ))
            + back
    }

    private func row(_ call: EmergencyCall, _ forwarding: CallForwarding?) -> HTML {
        let cause = cause(of: call)
        return HTML(
            .li, .set(.class, classes(of: call)),
            content: age(of: call),
            HTML(
                .div,
                content: HTML(.h3, text: "\(call.newest?.profile?.name ?? call.person.text): \(cause)"),
                call.isDrill ? HTML(.p, content: badge(words.say(.drill))) : .none,
                standing(of: call), standing(of: forwarding),
                HTML(.p, text: call.newest?.profile?.address ?? "\(call.id.gateway)")),
            HTML(.a, .href(Self.place(of: call.id)), .set(.class, "go"), text: words.say(.show)))
    }

    private func classes(of call: EmergencyCall) -> String {
        let state =
            switch (call.work, call.house) {
            case (.closed, _): "closed"
            case (_, .over): "over"
            case (.taken, _): "taken"
            case (.waiting, .pending): "pending"
            case (.waiting, .confirmed): "confirmed"
            }
        return "call \(state)\(call.isDrill ? " drill" : "")"
    }

    private func badge(_ text: String) -> HTML { HTML(.span, .set(.class, "badge"), text: text) }

    private func seconds(_ time: WallTime) -> Int {
        Int(max(0, now.millisecondsSince1970 - time.millisecondsSince1970) / 1_000)
    }

    /// The script counts it on.
    private func age(of call: EmergencyCall) -> HTML { age(since: call.since) }

    private func age(since time: WallTime) -> HTML {
        let seconds = seconds(time)
        let text =
            seconds < 3_600
            ? "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
            : "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
        return HTML(
            .p, .set(.class, "age"), .set(.dataLeft, seconds), .set(.ariaLabel, words.say(.age)), text: text)
    }

    private func state(of call: EmergencyCall) -> String {
        switch call.house {
        case .pending: words.say(.pending)
        case .confirmed:
            words.say(call.isPossible ? .possible : .confirmed)
                + (call.rounds > 1 ? ", \(words.say(.round(call.rounds)))" : "")
        case .over(let state, let ending): words.say(.overBy(state, ending?.by))
        }
    }

    private func work(of call: EmergencyCall) -> String {
        switch call.work {
        case .waiting: call.isOver ? "" : words.say(.waiting)
        case .taken(let holder, _): holder == viewer ? words.say(.yours) : words.say(.takenBy(holder.name))
        case .closed(let closing): words.say(.closedBy(closing.by.name, closing.outcome))
        }
    }

    /// State in the house and at the desk; of a closed call the outcome alone.
    private func standing(of call: EmergencyCall) -> HTML {
        if case .closed = call.work { return HTML(.p, content: badge(work(of: call))) }
        let untouched =
            call.isUntouched(at: now)
            ? HTML(.p, .set(.class, "warn"), text: words.say(.untouched(call.holder?.name ?? ""))) : .none
        return HTML(.p, content: badge(state(of: call)), HTML(" " + work(of: call))) + untouched
    }

    private func standing(of forwarding: CallForwarding?) -> HTML {
        guard let standing = forwarding?.standing, standing != .none else { return .none }
        var (minutes, isFailing) = (0, false)
        if case .failing(let failure) = standing { (minutes, isFailing) = (seconds(failure.since) / 60, true) }
        return HTML(
            .p, isFailing ? .set(.class, "warn") : nil,
            text: words.say(.forwarding(standing, minutes: minutes)))
    }

    private func cause(of call: EmergencyCall) -> String {
        guard let cause = call.newest?.cause else { return words.say(.unknown) }
        return words.rule(cause.rule)
    }

    // MARK: One call

    func title(of call: EmergencyCall) -> String {
        "\(call.newest?.profile?.name ?? call.person.text): \(cause(of: call))"
    }

    /// - Parameters:
    ///   - others: all open calls.
    ///   - isHolderAway: the holder has had no page of the desk in view for a while.
    func call(
        _ call: EmergencyCall, log: [LoggedEntry], others: [EmergencyCall], isDelivered: Bool?,
        forwarding: CallForwarding? = nil, isHolderAway: Bool = false
    ) -> HTML {
        let partial =
            call.newest?.isPartial == true ? HTML(.p, .set(.class, "warn"), text: words.say(.partial)) : .none
        let head = HTML(
            .div, .set(.class, classes(of: call)),
            content: age(of: call),
            HTML(
                .div,
                content: call.isDrill ? HTML(.p, content: badge(words.say(.drill))) : .none,
                standing(of: call), standing(of: forwarding),
                delivery(call, isDelivered), absence(of: call, isHolderAway), acts(on: call)))
        let parts = HTML(
            .div, .set(.class, "parts"),
            content: HTML(.div, content: causeLines(call), identity(call)),
            HTML(.div, content: place(of: call, others: others)),
            HTML(
                .div, content: HTML(.h2, text: words.say(.trend)),
                TrendLines(values: call.newest?.trend ?? [], words: words).html, logLines(log)))
        return ring(others.count { $0.rings(at: now) }) + partial + head + parts
    }

    /// Answer to an act that led to this page, with its time: it stays there while the call changes.
    func warning(_ refusal: DeskRefusal) -> HTML {
        HTML(
            .p, .set(.class, "warn"), .set(.role, "alert"),
            text: "\(Self.clock(now)): \(words.say(.refused(refusal)))")
    }

    private func absence(of call: EmergencyCall, _ isHolderAway: Bool) -> HTML {
        guard isHolderAway, let holder = call.holder, holder != viewer else { return .none }
        return HTML(.p, .set(.class, "warn"), text: words.say(.holderAway(holder.name)))
    }

    private func delivery(_ call: EmergencyCall, _ isDelivered: Bool?) -> HTML {
        guard call.holder != nil, !call.isOver, let isDelivered else { return .none }
        return HTML(.p, text: words.say(isDelivered ? .acceptanceSent : .acceptanceWaits))
    }

    /// Buttons that follow the state of the call.
    private func acts(on call: EmergencyCall) -> HTML {
        let place = Self.place(of: call.id)
        func button(_ text: Text, _ kind: String) -> HTML {
            HTML(.button, .set(.type, "submit"), .set(.class, kind), text: words.say(text))
        }
        switch call.work {
        case .waiting where !call.isOver: return form(place.adding("/take"), button(.take, "take"))
        case .taken(viewer, _):
            return (call.isOver ? HTML(.p, text: words.say(.mustClose)) : .none)
                + (call.isOver ? .none : form(place.adding("/keep-on"), button(.keepOn, "plain")))
                + form(place.adding("/release"), button(.release, "plain"))
        case .waiting, .taken, .closed: return .none
        }
    }

    /// Forms that a change of the call must not replace, since somebody may be typing.
    func forms(for call: EmergencyCall) -> HTML {
        let place = Self.place(of: call.id)
        let closing = HTML(
            .div,
            content: HTML(.h2, text: words.say(.close)),
            form(
                place.adding("/close"),
                outcomes(call.isDrill ? .rehearsed : .helpSent) + note("closing-note")
                    + HTML(.p, content: HTML(.button, .set(.type, "submit"), text: words.say(.close)))))
        let adding = HTML(
            .div,
            content: HTML(.h2, text: words.say(.addNote)),
            form(
                place.adding("/note"),
                note("note")
                    + HTML(
                        .p,
                        content: HTML(
                            .button, .set(.type, "submit"), .set(.class, "plain"), text: words.say(.addNote)))))
        var parts = [adding]
        if case .closed = call.work {} else { parts.insert(closing, at: 0) }
        if let holder = call.holder, holder != viewer { parts.insert(takingOver(holder, place), at: 0) }
        return HTML(.div, .set(.class, "parts"), content: HTML(parts))
            + HTML(.p, content: HTML(.a, .href(Self.root), text: words.say(.back)))
    }

    private func takingOver(_ holder: Dispatcher, _ place: HTML.Place) -> HTML {
        HTML(
            .div,
            content: HTML(.h2, text: words.say(.takeOver)),
            HTML(.p, text: words.say(.takeOverHint(holder.name))),
            form(
                place.adding("/take-over"),
                input("reason", named: "reason", .reason)
                    + HTML(.p, content: HTML(.button, .set(.type, "submit"), text: words.say(.takeOver)))))
    }

    private func note(_ id: String) -> HTML { input(id, named: "note", .note) }

    private func input(_ id: String, named name: String, _ label: Text) -> HTML {
        HTML(.label, .set(.for, id), text: words.say(label))
            + HTML(
                void: .input, .set(.id, id), .set(.name, name), .set(.type, "text"),
                .set(.autocomplete, "off"), .set(.maxlength, EmergencyCall.longestNote))
    }

    private func outcomes(_ selected: EmergencyCall.Outcome) -> HTML {
        let options = EmergencyCall.Outcome.allCases.map { outcome in
            HTML(
                .option, .set(.value, outcome.rawValue), outcome == selected ? .flag(.selected) : nil,
                text: words.say(.outcomes(outcome)))
        }
        return HTML(.label, .set(.for, "outcome"), text: words.say(.outcome))
            + HTML(.select, .set(.id, "outcome"), .set(.name, "outcome"), content: HTML(options))
    }

    private func causeLines(_ call: EmergencyCall) -> HTML {
        guard let cause = call.newest?.cause else { return .none }
        var lines = [HTML(.h2, text: "\(words.say(.cause)): \(words.rule(cause.rule))")]
        if let value = cause.value {
            var text = "\(words.say(.value)): \(words.figure(value, cause.unit, kind: cause.kind))"
            if let limit = cause.limit { text += " (\(words.say(.limit)) \(words.figure(limit, "")))" }
            if let newest = cause.newest {
                text += ", \(words.say(.newest)) \(words.figure(newest, cause.unit, kind: cause.kind))"
            }
            lines.append(HTML(.p, text: text))
        }
        if call.isPossible {
            lines.append(HTML(.p, .set(.class, "warn"), text: words.doubt(cause.doubts ?? [])))
        }
        lines.append(HTML(.p, text: "\(words.say(.house)): \(call.id.gateway), \(call.person)"))
        return HTML(lines)
    }

    private func identity(_ call: EmergencyCall) -> HTML {
        guard let profile = call.newest?.profile else {
            return HTML(.p, .set(.class, "warn"), text: words.say(.identityMissing))
        }
        var lines: [HTML] = [HTML(.h2, text: words.say(.person))]
        let about = [profile.birthYear.map { words.say(.born($0)) }, profile.gender].compactMap { $0 }
        lines.append(
            HTML(.p, text: ([profile.name ?? words.say(.unknown)] + about).joined(separator: ", ")))
        if let address = profile.address { lines.append(HTML(.p, text: "\(words.say(.address)): \(address)")) }
        if let phone = profile.phone { lines.append(HTML(.p, text: "\(words.say(.phone)): \(phone)")) }
        if !profile.medicalNotes.isEmpty {
            lines.append(HTML(.h3, text: words.say(.notes)))
            lines.append(HTML(.ul, content: HTML(profile.medicalNotes.prefix(50).map { HTML(.li, text: $0) })))
        }
        if !profile.contacts.isEmpty {
            lines.append(HTML(.h3, text: words.say(.contacts)))
            lines.append(
                HTML(
                    .ol,
                    content: HTML(
                        profile.contacts.prefix(20).map { contact in
                            HTML(
                                .li,
                                text: [contact.name, contact.relation ?? "", contact.phone].filter {
                                    !$0.isEmpty
                                }.joined(separator: ", "))
                        })))
        }
        return HTML(lines)
    }

    private func place(of call: EmergencyCall, others: [EmergencyCall]) -> HTML {
        let heading = HTML(.h2, text: words.say(.place))
        guard let location = call.newest?.location else {
            return heading + HTML(.p, .set(.class, "warn"), text: words.say(.noPlace))
        }
        var details = [words.say(.placeOf(source: location.source, of: location.of))]
        if let age = location.ageSeconds { details.append(words.say(.ageOfPlace(Int(min(max(age, 0), 1e9))))) }
        if let error = location.errorMetres {
            details.append(words.say(.accuracy(Int(min(max(error, 0), 1e9)))))
        }
        var lines = [HTML(.p, text: details.joined(separator: ", "))]
        if let address = location.address { lines.append(HTML(.p, text: address)) }
        if let latitude = location.latitude, let longitude = location.longitude {
            lines.append(
                HTML(
                    .p,
                    text: "\(words.say(.coordinates)): \(Self.degrees(latitude)), \(Self.degrees(longitude))"))
        }
        let map = CallMap(
            location, others: others.filter { $0.id != call.id }.compactMap { $0.newest?.location })
        return heading + HTML(lines) + (map?.svg(words) ?? .none)
    }

    /// Five digits after the point: one metre.
    private static func degrees(_ value: Double) -> String {
        let whole = Int((value * 100_000).rounded())
        let digits = String(whole.magnitude % 100_000)
        return "\(whole < 0 ? "-" : "")\(whole.magnitude / 100_000)."
            + String(repeating: "0", count: 5 - digits.count) + digits
    }

    private func logLines(_ log: [LoggedEntry]) -> HTML {
        HTML(.h2, text: words.say(.log))
            + HTML(
                .ul, .set(.class, "log"),
                content: HTML(
                    log.suffix(100).map { line in
                        HTML(.li, text: "\(Self.clock(line.at)): \(words.say(.entry(line.entry)))")
                    }))
    }

    /// Time of the day in UTC: dispatchers of several places compare logs.
    private static func clock(_ time: WallTime) -> String {
        let second = Int((time.millisecondsSince1970 / 1_000) % 86_400)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        return "\(two(second / 3_600)):\(two(second % 3_600 / 60)):\(two(second % 60))Z"
    }
}

extension Text {
    static let show = Text(en: "Show the call", it: "Mostra la chiamata")
    static let ended = Text(en: "Ended calls", it: "Chiamate concluse")
    static let noCalls = Text(en: "No call is open.", it: "Nessuna chiamata aperta.")
    static let signOut = Text(en: "Sign out", it: "Esci")
    static let lost = Text(
        en: "This page has lost the server. Calls may be missing here. Reload it, or use another device.",
        it:
            "Questa pagina ha perso il server. Possono mancare chiamate. Ricaricala, o usa un altro dispositivo."
    )
    static let soundOn = Text(en: "The sound is off: turn it on", it: "Il suono è spento: attivalo")
    static let drill = Text(en: "REHEARSAL: send nobody", it: "ESERCITAZIONE: non inviare nessuno")
    static let partial = Text(
        en: "A part of the message could not be read. The call is valid.",
        it: "Una parte del messaggio non è leggibile. La chiamata è valida.")
    static let cause = Text(en: "Cause", it: "Causa")
    static func round(_ number: Int) -> Text {
        Text(en: "round \(number)", it: "ripetizione \(number)")
    }
    static let pending = Text(en: "The person can still cancel", it: "La persona può ancora annullare")
    static let confirmed = Text(en: "Help is needed", it: "Serve aiuto")
    static let possible = Text(
        en: "Possible, not certain: the values are doubtful",
        it: "Possibile, non certa: i valori sono dubbi")
    static let waiting = Text(en: "Nobody has taken it", it: "Nessuno l'ha presa")
    static func overBy(_ state: EmergencyMessage.State, _ by: String?) -> Text {
        Text(
            en:
                "\(state == .cancelled ? "Cancelled by the house" : state == .resolved ? "Resolved in the house" : state == .accepted ? "Accepted elsewhere" : "The rehearsal ran out")\(by.map { ": \($0)" } ?? "")",
            it:
                "\(state == .cancelled ? "Annullata dalla casa" : state == .resolved ? "Risolta in casa" : state == .accepted ? "Presa da altri" : "Esercitazione scaduta")\(by.map { ": \($0)" } ?? "")"
        )
    }
    static func takenBy(_ name: String) -> Text {
        Text(en: "Taken by \(name)", it: "Presa da \(name)")
    }
    static let yours = Text(en: "You have this call", it: "Questa chiamata è tua")
    static func closedBy(_ name: String, _ outcome: EmergencyCall.Outcome) -> Text {
        Text(
            en: "Closed by \(name): \(Text.outcomes(outcome).en)",
            it: "Chiusa da \(name): \(Text.outcomes(outcome).it)")
    }
    static let mustClose = Text(
        en: "Close it below when your work is done.",
        it: "Chiudila qui sotto quando hai finito.")
    static let addNote = Text(en: "Add the note", it: "Aggiungi la nota")
    static let address = Text(en: "Address", it: "Indirizzo")
    static let phone = Text(en: "Telephone", it: "Telefono")
    static func born(_ year: Int) -> Text {
        Text(en: "born \(year)", it: "anno di nascita \(year)")
    }
    static let notes = Text(en: "Notes for helpers", it: "Note per i soccorritori")
    static let contacts = Text(en: "Contacts, in this order", it: "Contatti, in quest'ordine")
    static let unknown = Text(en: "not known", it: "non noto")
    static let trend = Text(en: "Last minutes", it: "Ultimi minuti")
    static let identityMissing = Text(
        en: "The house has sent no identity for this call.",
        it: "La casa non ha inviato l'identità per questa chiamata.")
    static func placeOf(source: String, of: String?) -> Text {
        Text(
            en: source == "installed"
                ? "Installed address of the box"
                : "\(source == "fix" ? "Current" : "Last known") position of \(of == "wearable" ? "the person's own device" : "the box")",
            it: source == "installed"
                ? "Indirizzo di installazione della centralina"
                : "\(source == "fix" ? "Posizione attuale" : "Ultima posizione nota") \(of == "wearable" ? "del dispositivo della persona" : "della centralina")"
        )
    }
    static func accuracy(_ metres: Int) -> Text {
        Text(en: "within \(metres) m", it: "entro \(metres) m")
    }
    static func ageOfPlace(_ seconds: Int) -> Text {
        Text(
            en: seconds < 120 ? "\(seconds) s old" : "\(seconds / 60) min old",
            it: seconds < 120 ? "di \(seconds) s fa" : "di \(seconds / 60) min fa")
    }
    static let coordinates = Text(en: "Coordinates", it: "Coordinate")
    static let noPlace = Text(
        en: "The house has sent no place for this call.",
        it: "La casa non ha inviato un luogo per questa chiamata.")
    static let limit = Text(en: "limit", it: "limite")
    static let newest = Text(en: "newest", it: "ultimo")
    static func ringing(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "1 call waits for somebody" : "\(count) calls wait for somebody",
            it: count == 1 ? "1 chiamata attende qualcuno" : "\(count) chiamate attendono qualcuno")
    }
    static func folded(_ count: Int, house: String) -> Text {
        Text(
            en: count == 1
                ? "1 more open call of the house \(house)" : "\(count) more open calls of the house \(house)",
            it: count == 1
                ? "1 altra chiamata aperta della casa \(house)"
                : "Altre \(count) chiamate aperte della casa \(house)")
    }
    static let foldedAge = Text(
        en: "The age is that of the oldest.", it: "Il tempo è quello della più vecchia.")
    static let showFold = Text(en: "Show them", it: "Mostrale")
    static func closeTogether(_ count: Int) -> Text {
        Text(
            en: count == 1 ? "Close 1 call" : "Close \(count) calls together",
            it: count == 1 ? "Chiudi 1 chiamata" : "Chiudi insieme \(count) chiamate")
    }
    static let closeTogetherHint = Text(
        en:
            "Closes those above that nobody has taken. The house is told nothing: if it goes on calling, a call opens again.",
        it:
            "Chiude quelle qui sopra che nessuno ha preso. La casa non viene avvisata: se continua a chiamare, la chiamata si riapre."
    )
    static func untouched(_ name: String) -> Text {
        Text(
            en: "\(name) has done nothing for it for 5 minutes. Ask, or take it over.",
            it: "\(name) non fa nulla per questa chiamata da 5 minuti. Chiedi, o subentra.")
    }
    static func holderAway(_ name: String) -> Text {
        Text(
            en: "\(name) is not at the desk: no page of theirs is in view.",
            it: "\(name) non è in centrale: nessuna sua pagina è in vista.")
    }
    static let reason = Text(en: "Reason", it: "Motivo")
    static func takeOverHint(_ name: String) -> Text {
        Text(
            en: "Possible while \(name) is not at the desk, or has done nothing for the call for 5 minutes.",
            it: "Possibile quando \(name) non è in centrale, o non fa nulla per la chiamata da 5 minuti.")
    }
    static let acceptanceSent = Text(
        en: "The broker has the acceptance; the house stops calling.",
        it: "Il broker ha l'accettazione; la casa smette di chiamare.")
    static let acceptanceWaits = Text(
        en: "The acceptance is on its way to the house.",
        it: "L'accettazione sta andando alla casa.")
    static let back = Text(en: "All calls", it: "Tutte le chiamate")
}
