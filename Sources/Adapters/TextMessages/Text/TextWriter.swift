import GatewayModel
import Glibc
import HelpLine
import RealTime
import SOSLocal

/// Makes the text of a message: its kind first, then person, event, time and place. No medical notes: a text is
/// readable for every operator on its way, and lies open on a phone.
struct TextWriter: Sendable {
    let zone: LocalZone

    /// - Parameter code: an answer with it accepts the call; nil where no answer does.
    func text(_ message: HelpMessage, _ code: ReplyCode? = nil) -> TextMessage {
        let words = CallWords(message.profile.language)
        switch message {
        case .call(let order, let profile): return TextMessage(call(order, of: profile, words, code))
        case .retraction(let retraction, let profile):
            return TextMessage(over(retraction, of: profile, words))
        }
    }

    /// The marker comes first: nobody is to take it for a call for help.
    func text(_ notice: NoticeMessage) -> TextMessage {
        let words = CallWords(notice.profile.language)
        return TextMessage([
            .init(words.say(en: "NOTICE, no emergency.", it: "AVVISO, nessuna emergenza.")), .init(notice.text),
        ])
    }

    private func call(
        _ order: DispatchOrder, of profile: PersonProfile, _ words: CallWords, _ code: ReplyCode?
    ) -> [TextMessage.Sentence] {
        var sentences = [TextMessage.Sentence("\(words.marker(order)): \(profile.name).")]
        if !order.isDrill {
            let measured = words.measured(order.cause).map { ": \($0)" } ?? ""
            sentences.append(.init("\(words.event(order.cause))\(measured)."))
        }
        if order.certainty == .possible { sentences.append(.init(words.doubt)) }
        sentences.append(.init(zone.written(order.cause.arrival.wall, words) + "."))
        if let code {
            let digits = code.digits
            sentences.append(
                .init(
                    words.say(en: "Answer \(digits) if you are going.", it: "Risponda \(digits) se ci va."),
                    isWhole: true))
        }
        sentences.append(.init(words.say(en: "Where: ", it: "Dove: ") + words.place(order.location) + "."))
        if let link = Self.link(order.location) { sentences.append(.init(link, isWhole: true)) }
        if order.round > 1, let newest = order.newest, let value = words.shown(newest.quantity) {
            sentences.append(.init(words.say(en: "Now \(value).", it: "Ora \(value).")))
        }
        if order.saidAllRight != nil { sentences.append(.init(words.allRight)) }
        sentences.append(.init(words.advice(order)))
        return sentences
    }

    private func over(
        _ retraction: Retraction, of profile: PersonProfile, _ words: CallWords
    ) -> [TextMessage.Sentence] {
        var sentences = [TextMessage.Sentence("\(words.marker(retraction)): \(profile.name).")]
        if !retraction.isDrill { sentences.append(.init(words.event(retraction.cause) + ".")) }
        sentences.append(.init(words.ending(retraction.ending)))
        sentences.append(.init(zone.written(retraction.orderedWall, words) + "."))
        return sentences
    }

    /// A page that any phone opens. Five decimals are about a metre.
    private static func link(_ location: AlarmLocation) -> String? {
        let place: Coordinates? =
            switch location {
            case .fix(let fix, _, _), .lastKnown(let fix, _, _): fix.coordinates
            case .installed(let place): place.coordinates
            }
        return place.map {
            "https://osm.org/?mlat=\($0.latitude.fiveDecimals)&mlon=\($0.longitude.fiveDecimals)"
        }
    }
}

extension Double {
    /// Of a coordinate: `45.46421`, `-0.00007`.
    fileprivate var fiveDecimals: String {
        let scaled = Int64((magnitude * 100_000).rounded())
        let fraction = String(scaled % 100_000)
        return (self < 0 && scaled > 0 ? "-" : "") + "\(scaled / 100_000)."
            + String(repeating: "0", count: 5 - fraction.count) + fraction
    }
}

/// Further sentences of a text. The marker comes first: a locked phone shows it.
extension CallWords {
    func marker(_ order: DispatchOrder) -> String {
        switch (order.isDrill, order.stage, order.priority) {
        case (true, _, _): say(en: "DRILL, no emergency", it: "ESERCITAZIONE, nessuna emergenza")
        case (_, .pending, _): say(en: "HELP MAY BE NEEDED", it: "POTREBBE SERVIRE AIUTO")
        case (_, .confirmed, .high) where order.round > 1:
            say(en: "HELP STILL NEEDED", it: "SERVE ANCORA AIUTO")
        case (_, .confirmed, .high): say(en: "HELP NEEDED", it: "SERVE AIUTO")
        case (_, .confirmed, _): say(en: "PLEASE CHECK", it: "DA CONTROLLARE")
        }
    }

    func marker(_ retraction: Retraction) -> String {
        let word =
            switch retraction.ending {
            case .aborted: say(en: "CANCELLED", it: "ANNULLATO")
            case .accepted: say(en: "TAKEN CARE OF", it: "PRESO IN CARICO")
            case .resolved: say(en: "RESOLVED", it: "RISOLTO")
            case .lapsed: say(en: "OVER", it: "FINITA")
            }
        return retraction.isDrill ? say(en: "DRILL, ", it: "ESERCITAZIONE, ") + word : word
    }

    var allRight: String {
        say(
            en: "The person has pressed a button to say: I am all right.",
            it: "La persona ha premuto un pulsante per dire: sto bene.")
    }

    func advice(_ order: DispatchOrder) -> String {
        if order.isDrill { return say(en: "Nobody is in danger.", it: "Nessuno è in pericolo.") }
        switch order.stage {
        case .pending:
            return say(
                en: "Be ready: a confirmation or a cancellation follows.",
                it: "Tenersi pronti: seguirà conferma o annullamento.")
        case .confirmed where order.priority == .high:
            return say(
                en: "Call or go there at once; if in doubt, call the emergency number.",
                it: "Chiamare o andare subito; nel dubbio chiamare il numero di emergenza.")
        case .confirmed: return say(en: "Call or look in.", it: "Chiamare o passare.")
        }
    }
}

extension LocalZone {
    /// Returns day and time as a clock of this house shows them: `1 Mar, 09:30`.
    fileprivate func written(_ wall: WallTime, _ words: CallWords) -> String {
        var seconds = time_t(wall.millisecondsSince1970 / 1_000 + eastOfUTC(wall))
        var local = tm()
        guard gmtime_r(&seconds, &local) != nil else {
            return words.say(en: "time unknown", it: "ora sconosciuta")
        }
        // 0 to 11 by gmtime(3).
        let name = words.language.month(Int(local.tm_mon) + 1)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(local.tm_mday) \(name), \(two(local.tm_hour)):\(two(local.tm_min))"
    }
}
