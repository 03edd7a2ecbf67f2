import ControlContract
import GatewayModel
import HTML

extension PageAct {
    /// Fields: those of `RaceEntry`.
    static let correctRace = PageAct("/act/correct-race", .correctRace, for: Verb.CorrectRace.rights.roles)
}

/// Pages of an organiser: the boxes with the tags that were not heard, and the corrections.
extension RacePages {
    // MARK: Boxes

    func boxes() -> HTML {
        live(
            HTML(.h1, text: words.say(.boxes)), stateLine,
            race.box.map { thisBox($0) + unheard($0) + overdue($0) }
                ?? HTML(.p, text: words.say(.notUnderwayHere)),
            otherBoxes)
    }

    private func thisBox(_ box: RaceDocument.Box) -> HTML {
        let isDisputed = !box.disputing.isEmpty
        let clock =
            box.clockBoundMs.map { words.say(.clockRight(box.clock, words.bound($0))) }
            ?? words.say(.clockUnset)
        let heard =
            box.lastHeardAgeMs.map { words.say(.reads(box.readsPerMinute, seconds: Int($0 / 1_000))) }
            ?? words.say(.noneHeard)
        let here = race.points.first(where: \.isHere)?.checkpoint
        let radios = box.radios.map { radio in
            HTML(
                .tr, content: HTML(.th, .set(.scope, "row"), text: radio.name),
                HTML(.td, text: words.say(radio.canHear ? (radio.isQuiet ? .quiet : .hears) : .deaf)),
                HTML(.td, text: "\(radio.readsPerMinute)"),
                HTML(.td, text: radio.lastAgeMs.map { "\($0 / 1_000) s" } ?? "–"))
        }
        return HTML(
            .section,
            content: HTML(
                .h2, text: words.say(.thisBox(box.gateway)) + (here.map { ", " + $0 } ?? "")),
            HTML(.p, text: heard), HTML(.p, box.clockBoundMs == nil ? .set(.class, "warn") : nil, text: clock),
            isDisputed
                ? HTML(
                    .p, .set(.class, "warn"),
                    text: words.say(.disputed(box.disputing.joined(separator: ", ")))) : .none,
            radios.isEmpty
                ? .none
                : table(
                    words.say(.radios), [.radio, .stateColumn, .readsColumn, .lastColumn], radios,
                    kind: "results"))
    }

    private func unheard(_ box: RaceDocument.Box) -> HTML {
        let more = box.notHeard - box.notHeardBibs.count
        return HTML(
            .section,
            content: HTML(.h2, text: words.say(.notHeardTags(box.notHeard, of: box.notHeard + box.heard))),
            box.notHeardBibs.isEmpty
                ? HTML(.p, text: words.say(.allHeard))
                : HTML(
                    .ul, .set(.class, "bibs"),
                    content: HTML(box.notHeardBibs.prefix(200).map { HTML(.li, text: called($0)) })),
            more > 0 ? HTML(.p, text: words.say(.andMore(more))) : .none)
    }

    private func overdue(_ box: RaceDocument.Box) -> HTML {
        guard !box.overdue.isEmpty else { return .none }
        let rows = box.overdue.prefix(50).map { late in
            HTML(
                .li,
                text: words.say(
                    .overdueAt(
                        called(late.bib), late.checkpoint,
                        last: late.lastHeard.map { calendar.clockWithSeconds(of: $0) })))
        }
        let more = box.overdueCount - rows.count
        return HTML(
            .section, content: HTML(.h2, .set(.class, "warn"), text: words.say(.overdue(box.overdueCount))),
            HTML(.ul, content: HTML(rows)), more > 0 ? HTML(.p, text: words.say(.andMore(more))) : .none)
    }

    private var otherBoxes: HTML {
        var seen: Set<String> = []
        let rows = race.points.filter { !$0.isHere && seen.insert($0.checkpoint).inserted }.prefix(50).map {
            point in
            HTML(
                .tr, content: HTML(.th, .set(.scope, "row"), text: point.checkpoint),
                HTML(.td, text: point.box ?? words.say(.noBox)))
        }
        guard !rows.isEmpty else { return .none }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.otherBoxes)),
            table(words.say(.otherBoxesHow), [.point, .boxColumn], Array(rows), kind: "results"))
    }

    // MARK: Corrections

    func corrections() -> HTML {
        let bib = choice.bib?.number
        let ask = HTML(
            .form, .set(.method, "get"), .action(Pages.Route.corrections), .set(.class, "choose screen"),
            content: HTML(
                void: .input, .set(.type, "hidden"), .set(.name, "run"), .set(.value, choice.run.text)),
            HTML(
                .label, content: HTML(words.say(.bibOnly)),
                HTML(
                    void: .input, .set(.type, "text"), .set(.name, "bib"), .set(.inputmode, "numeric"),
                    .set(.maxlength, 5), .flag(.required), .set(.value, bib.map { "\($0)" } ?? ""))),
            HTML(.button, .set(.type, "submit"), .set(.class, "plain"), text: words.say(.chooseRunner)))
        let chosen: HTML =
            if let bib {
                row(bib).map(forms) ?? HTML(.p, .set(.class, "warn"), text: words.say(.nobodyFound))
            } else { .none }
        return live(
            HTML(.h1, text: words.say(.corrections)), HTML(.p, text: words.say(.correctionsHow)), ask, chosen,
            log(of: bib))
    }

    private var reason: HTML {
        HTML(
            .label, content: HTML(words.say(.correctionReason)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "reason"), .set(.maxlength, 120),
                .flag(.required)))
    }

    private func form(
        _ bib: Int, _ act: String, _ button: Text, fields: [(String, String)] = [],
        inputs: HTML = .none,
        label: String? = nil
    ) -> HTML {
        PageForm(action: PageAct.correctRace.place, token: token ?? "").button(
            words.say(button), kind: "plain",
            fields: [("run", choice.run.text), ("bib", "\(bib)"), ("act", act)] + fields,
            inputs: inputs + reason,
            label: label)
    }

    private func forms(_ row: StandingsDocument.Row) -> HTML {
        let missing = race.points.filter { point in
            !row.splits.contains { $0.checkpoint == point.checkpoint && $0.order == point.order }
        }
        let options = missing.prefix(200).map { point in
            HTML(.option, .set(.value, "\(point.checkpoint) \(point.order)"), text: point.name)
        }
        let add = form(
            row.bib, "add", .addPassing,
            inputs: HTML(
                .label, content: HTML(words.say(.point)),
                HTML(.select, .set(.name, "point"), content: HTML(options)))
                + HTML(
                    .label, content: HTML(words.say(.clockTime)),
                    HTML(
                        void: .input, .set(.type, "text"), .set(.name, "time"), .set(.maxlength, 24),
                        .flag(.required)))
                + HTML(
                    .label, content: HTML(words.say(.boundSeconds)),
                    HTML(
                        void: .input, .set(.type, "text"), .set(.name, "bound"), .set(.inputmode, "decimal"),
                        .set(.maxlength, 6), .set(.value, "1"))))
        let strikes = row.splits.prefix(200).map { split in
            HTML(
                .li, content: HTML(.p, text: name(split) + ", " + words.time(split.gunMs)),
                form(
                    row.bib, "strike", .strike, fields: [("passing", split.passing ?? "")],
                    label: words.say(.strike) + ": " + name(split)))
        }
        let marks: [(String, Text)] = [
            ("dns", .didNotStart), ("dnf", .didNotFinish), ("dsq", .disqualified),
        ]
        let select = HTML(
            .label, content: HTML(words.say(.markAs)),
            HTML(
                .select, .set(.name, "act"),
                content: HTML(marks.map { HTML(.option, .set(.value, $0.0), text: words.say($0.1)) })))
        let mark = PageForm(action: PageAct.correctRace.place, token: token ?? "").button(
            words.say(.mark), kind: "plain", fields: [("run", choice.run.text), ("bib", "\(row.bib)")],
            inputs: select + reason)
        return HTML(
            .section, .set(.class, "screen"), content: HTML(.h2, text: called(row.bib) + ", " + state(row)),
            missing.isEmpty ? .none : HTML(.h3, text: words.say(.addPassing)) + add,
            strikes.isEmpty
                ? .none
                : HTML(.h3, text: words.say(.strikeTitle))
                    + HTML(.ul, .set(.class, "entries"), content: HTML(strikes)),
            HTML(.h3, text: words.say(.markAs)), mark)
    }

    private func log(of bib: Int?) -> HTML {
        let shown = race.corrections.filter { bib == nil || $0.bib == bib }.prefix(RaceChoice.rows)
        let rows = shown.map { correction -> HTML in
            let undo =
                correction.counts
                ? form(
                    correction.bib, "undo", .undo, fields: [("number", "\(correction.number)")],
                    label: words.say(.undo) + ": \(correction.number)") : .none
            return HTML(
                .li,
                content: HTML(
                    .p,
                    text: "\(correction.number). " + called(correction.bib) + ": " + act(correction)
                        + (correction.counts ? "" : " (" + words.say(.undone) + ")")),
                HTML(
                    .p, .set(.class, "hint"),
                    text: words.say(
                        .byAt(
                            correction.by,
                            calendar.date(of: correction.at).text(words.language) + " "
                                + calendar.clockWithSeconds(of: correction.at))) + ": " + correction.reason),
                // A list of all corrections has no form for each: choose the runner first.
                bib == nil ? .none : undo)
        }
        return HTML(
            .section, content: HTML(.h2, text: words.say(.correctionLog)),
            rows.isEmpty
                ? HTML(.p, text: words.say(.noCorrections))
                : HTML(.ul, .set(.class, "entries"), content: HTML(rows)))
    }

    private func act(_ correction: RaceDocument.Correction) -> String {
        switch correction.act {
        case "add":
            let name =
                race.points.first {
                    $0.checkpoint == correction.checkpoint && $0.order == correction.order
                }?.name ?? correction.checkpoint ?? ""
            return words.say(
                .added(name, correction.time.map { calendar.clockWithSeconds(of: $0) } ?? ""))
        case "strike": return words.say(.struck)
        case "dns": return words.say(.didNotStart)
        case "dnf": return words.say(.didNotFinish)
        case "dsq": return words.say(.disqualified)
        default: return words.say(.undoes(correction.undoes ?? 0))
        }
    }
}

extension Text {
    static let notUnderwayHere = Text(
        en: "The run is not under way. The state of the box is shown while it is.",
        it: "La corsa non è in corso. Lo stato della centralina si vede durante la corsa.")
    static func thisBox(_ id: String) -> Text {
        Text(en: "This box (\(id))", it: "Questa centralina (\(id))")
    }
    static func reads(_ reads: Int, seconds: Int) -> Text {
        Text(
            en: "Reads of tags in the last minute: \(reads). The last was \(seconds) s ago.",
            it: "Letture dei trasponder nell'ultimo minuto: \(reads). L'ultima \(seconds) s fa.")
    }
    static let noneHeard = Text(en: "No tag was heard yet.", it: "Nessun trasponder rilevato finora.")
    static let clockUnset = Text(
        en: "The clock of the race was never set since the start of the box.",
        it: "L'orologio della corsa non è mai stato regolato dall'avvio della centralina.")
    static func clockRight(_ source: String, _ bound: String) -> Text {
        Text(
            en: "Clock of the race: by \(source), right to \(bound).",
            it: "Orologio della corsa: da \(source), esatto entro \(bound).")
    }
    static func disputed(_ sources: String) -> Text {
        Text(
            en: "These sources contradict the clock and are not believed: \(sources).",
            it: "Queste fonti contraddicono l'orologio e non sono credute: \(sources).")
    }
    static let radios = Text(en: "Radios", it: "Radio")
    static let stateColumn = Text(en: "State", it: "Stato")
    static let readsColumn = Text(en: "Reads a minute", it: "Letture al minuto")
    static let lastColumn = Text(en: "Last", it: "Ultima")
    static let hears = Text(en: "hears", it: "riceve")
    static let quiet = Text(
        en: "quiet while others hear: look at its antenna",
        it: "muta mentre altre ricevono: controllare l'antenna")
    static let deaf = Text(en: "deaf: its scanner does not run", it: "sorda: la ricezione non è attiva")
    static func notHeardTags(_ count: Int, of all: Int) -> Text {
        Text(
            en: "Tags not heard: \(count) of \(all)",
            it: "Trasponder non rilevati: \(count) di \(all)")
    }
    static let allHeard = Text(
        en: "Each runner with a tag was heard since the start of the gateway.",
        it: "Ogni atleta con trasponder è stato rilevato dall'avvio del gateway.")
    static func andMore(_ count: Int) -> Text {
        Text(en: "And \(count) more.", it: "E altri \(count).")
    }
    static func overdue(_ count: Int) -> Text {
        Text(en: "Overdue: \(count)", it: "In ritardo: \(count)")
    }
    static func overdueAt(_ runner: String, _ point: String, last: String?) -> Text {
        Text(
            en: "\(runner): should have passed \(point). "
                + (last.map { "Last heard \($0)." } ?? "Never heard."),
            it: "\(runner): doveva passare \(point). "
                + (last.map { "Rilevato l'ultima volta alle \($0)." } ?? "Mai rilevato."))
    }
    static let otherBoxes = Text(en: "Other points", it: "Altri punti")
    static let otherBoxesHow = Text(
        en: "Boxes by the file of the run. This box does not see how the others are.",
        it: "Centraline secondo il file della corsa. Questa centralina non vede lo stato delle altre.")
    static let boxColumn = Text(en: "Box", it: "Centralina")
    static let noBox = Text(en: "none is named", it: "nessuna indicata")
    static let correctionsHow = Text(
        en:
            "A correction changes the results and not the log of passings. It is kept with its author, time and reason.",
        it: "Una correzione cambia i risultati e non il registro dei passaggi. Resta con autore, ora e motivo.")
    static let chooseRunner = Text(en: "Show this runner", it: "Mostra questo atleta")
    static let correctionReason = Text(en: "Reason", it: "Motivo")
    static let addPassing = Text(en: "Add a passing", it: "Aggiungi un passaggio")
    static let clockTime = Text(
        en: "Time of day at the box, such as 10:23:45",
        it: "Ora del giorno alla centralina, come 10:23:45")
    static let boundSeconds = Text(en: "Error in seconds", it: "Errore in secondi")
    static let strikeTitle = Text(en: "Strike a passing", it: "Annulla un passaggio")
    static let markAs = Text(en: "Mark the runner as", it: "Segna l'atleta come")
    static let undone = Text(en: "undone", it: "revocata")
    static let correctionLog = Text(en: "Log of corrections", it: "Registro delle correzioni")
    static let noCorrections = Text(en: "None.", it: "Nessuna.")
    static let struck = Text(en: "passing struck", it: "passaggio annullato")
    static func byAt(_ name: String, _ time: String) -> Text {
        Text(en: "\(name), \(time)", it: "\(name), \(time)")
    }
    static func added(_ point: String, _ time: String) -> Text {
        Text(
            en: "passing added: \(point) at \(time)",
            it: "passaggio aggiunto: \(point) alle \(time)")
    }
    static func undoes(_ number: Int) -> Text {
        Text(en: "correction \(number) undone", it: "correzione \(number) revocata")
    }
}
