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
            .label, content: HTML(words.say(.reason)),
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "reason"), .set(.maxlength, 120),
                .flag(.required)))
    }

    private func form(
        _ bib: Int, _ act: String, _ button: RaceWords.Text, fields: [(String, String)] = [],
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
        let marks: [(String, RaceWords.Text)] = [
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
