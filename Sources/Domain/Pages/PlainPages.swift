package import GatewayModel
package import HTML

/// Pages for a visitor without a session, and pages of errors. They name nobody who lives here. An error gives way to the
/// first page by itself: an alarm must not find its screen on it.
package struct PlainPages: Sendable {
    private static let leaveSeconds = 30
    /// The first page shows the numbers to dial where the gateway has gone.
    private static let boxAwaySeconds = 5

    /// Why a code that was sent a moment ago has paired no device.
    package enum CodeRefusal: Hashable, Sendable {
        case unknown, expired
        /// `byOther`: another visitor has used the code, or has tried wrong ones.
        case used(byOther: Bool)
        case void(byOther: Bool)
        case notRead(seconds: Int, byOther: Bool)
    }

    package enum Failure: CaseIterable, Sendable { case notFound, notAllowed, tooMany, boxAway, expired }

    private let words: Words

    package init(_ language: PersonProfile.Language) { words = Words(language) }

    /// - Parameter token: form token of the visitor.
    package func pairing(token: String, _ refusal: CodeRefusal? = nil) -> Page {
        let reason: Text? =
            switch refusal {
            case .unknown: .codeUnknown
            case .expired: .codeExpired
            case .used(let byOther): .codeUsed(byOther: byOther)
            case .void(let byOther): .codeVoid(byOther: byOther)
            case .notRead(let seconds, let byOther): .codeNotRead(seconds: seconds, byOther: byOther)
            case nil: nil
            }
        let code = HTML(
            .label, content: HTML(words.say(.pairCode)),
            reason.map { HTML(.span, .set(.class, "warn"), text: " " + words.say($0)) } ?? .none,
            HTML(
                void: .input, .set(.type, "text"), .set(.name, "code"), .set(.autocomplete, "one-time-code"),
                .set(.maxlength, 16), .flag(.required), .flag(.autofocus)))
        return page(
            words.say(.pairTitle),
            HTML(.p, text: words.say(.pairHelp))
                + PageForm(action: Pages.Route.pair, token: token).button(
                    words.say(.pairSend), kind: "plain", inputs: code))
    }

    /// The box has refused an act.
    ///
    /// - Parameters:
    ///   - refusal: reason of the gateway.
    ///   - place: page to go back to.
    package func refusal(_ refusal: Pages.Refusal, back place: HTML.Place) -> Page {
        page(
            words.say(.errorTitle),
            refusal.content(in: words.language)
                + HTML(.a, .href(place), .set(.class, "ask"), text: words.say(.back)),
            leaveSeconds: Self.leaveSeconds)
    }

    package func failure(_ failure: Failure) -> Page {
        let text: Text =
            switch failure {
            case .notFound: .notFound
            case .notAllowed: .notAllowed
            case .tooMany: .tooMany
            case .boxAway: .boxAway
            case .expired: .expired
            }
        return page(
            words.say(.errorTitle),
            HTML(.p, text: words.say(text))
                + HTML(.a, .href(Pages.Route.room), .set(.class, "ask"), text: words.say(.back)),
            leaveSeconds: failure == .boxAway ? Self.boxAwaySeconds : Self.leaveSeconds)
    }

    private func page(_ title: String, _ content: HTML, leaveSeconds: Int? = nil) -> Page {
        Page(
            lang: words.language.rawValue, title: title, kind: .family, leaveSeconds: leaveSeconds,
            style: PageFiles.style.place,
            script: PageFiles.script.place, main: HTML(.h1, text: title) + content)
    }
}

extension Text {
    static let pairTitle = Text(en: "Pair this device", it: "Abbina questo dispositivo")
    static let pairCode = Text(en: "Code of 8 characters", it: "Codice di 8 caratteri")
    static let pairSend = Text(en: "Pair", it: "Abbina")
    static let pairHelp = Text(
        en: "The installer makes a code at the box.",
        it: "L'installatore crea un codice sulla centralina.")
    static let codeUnknown = Text(
        en: "This code is not right, or no longer valid. Check it, or ask for another one.",
        it: "Questo codice non è giusto, o non vale più. Controllalo, o chiedine un altro.")
    static let codeExpired = Text(
        en: "This code is too old: it works for five minutes. Ask for another one.",
        it: "Questo codice è scaduto: vale cinque minuti. Chiedine un altro.")
    /// Whether another visitor has used the code, or has tried wrong ones.
    static func codeUsed(byOther: Bool) -> Text {
        switch byOther {
        case false:
            Text(
                en: "This device has used this code already, and it works once. Ask for another one.",
                it: "Questo dispositivo ha già usato questo codice, che vale una volta sola. Chiedine un altro."
            )
        case true:
            Text(
                en:
                    "Another device has used this code already. If that was not you, somebody else has used it: have that device "
                    + "ended at once, on the screen of the room or by the installer. Then ask for another code.",
                it:
                    "Un altro dispositivo ha già usato questo codice. Se non eri tu, lo ha usato qualcun altro: fai togliere subito "
                    + "quel dispositivo, dallo schermo della stanza o dall'installatore. Poi chiedi un altro codice."
            )
        }
    }
    static func codeVoid(byOther: Bool) -> Text {
        switch byOther {
        case false:
            Text(
                en:
                    "This code is right, but no longer works: too many wrong codes were entered before it. Ask for another one.",
                it:
                    "Questo codice è giusto, ma non vale più: prima sono stati scritti troppi codici sbagliati. Chiedine un altro."
            )
        case true:
            Text(
                en:
                    "This code is right, but no longer works: too many wrong codes were entered before it, and not only on this "
                    + "device. If that was not you, somebody else is trying to get in. Tell the installer, and ask for "
                    + "another code.",
                it:
                    "Questo codice è giusto, ma non vale più: prima sono stati scritti troppi codici sbagliati, e non solo su "
                    + "questo dispositivo. Se non eri tu, qualcun altro prova a entrare. Avvisa l'installatore, e chiedi un "
                    + "altro codice.")
        }
    }
    static func codeNotRead(seconds: Int, byOther: Bool) -> Text {
        Text(
            en: "This code was not looked at: too many codes were entered within a minute"
                + (byOther
                    ? ", and not only on this device. If that was not you, somebody else is trying to get in: tell the "
                        + "installer." : ".") + " Enter it again in \(seconds) s.",
            it: "Questo codice non è stato letto: in un minuto sono stati scritti troppi codici"
                + (byOther
                    ? ", e non solo su questo dispositivo. Se non eri tu, qualcun altro prova a entrare: avvisa "
                        + "l'installatore." : ".") + " Riscrivilo tra \(seconds) s.")
    }
    static let errorTitle = Text(en: "This did not work", it: "Non ha funzionato")
    static let notFound = Text(en: "There is no such page.", it: "Questa pagina non esiste.")
    static let notAllowed = Text(en: "This device may not do this.", it: "Questo dispositivo non può farlo.")
    static let tooMany = Text(
        en: "Too many tries. Wait a minute, and try again.",
        it: "Troppi tentativi. Aspetta un minuto e riprova.")
}
