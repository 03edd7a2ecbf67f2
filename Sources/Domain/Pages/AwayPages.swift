package import ControlContract
import GatewayModel
package import HTML

/// Words of a page that cannot know how its person is: the gateway does not answer the console, or the console does not
/// answer the page. Pure.
///
/// Of the last state, only the names and the telephone numbers are used: an old reading is not shown.
package struct AwayPages: Sendable {
    /// A room shows three things at most, one of which is 112.
    private static let mostContacts = 2

    private let viewer: Viewer
    private let persons: [HouseSnapshot.Person]
    private let words: Words

    /// - Parameter persons: of the last state, those that the viewer may learn of; empty where no state came yet.
    package init(_ persons: [HouseSnapshot.Person], for viewer: Viewer) {
        (self.persons, self.viewer) = (persons, viewer)
        words = Words(viewer.language)
    }

    /// Whether the viewer is the person who is watched over.
    private var isOfThePerson: Bool { viewer.role == .room || viewer.role == .person }
    private var isOfACarer: Bool { viewer.role == .family || viewer.role == .carer }

    /// Page for a request while the gateway does not answer. It asks again by itself, and gives way to the page that
    /// was asked for.
    ///
    /// - Parameter back: page to go to after an act, of which nobody knows whether it was done; nil for the same page.
    package func page(back: HTML.Place? = nil) -> Page {
        let doubt = back == nil ? HTML.none : HTML(.p, text: words.say(.boxAway))
        return Page(
            lang: viewer.language.rawValue, title: words.say(.boxSilent),
            kind: viewer.role == .room ? .kiosk : .family, refreshSeconds: back == nil ? 5 : nil,
            leaveSeconds: back == nil ? nil : 10, style: PageFiles.style.place, script: PageFiles.script.place,
            header: lost, formToken: viewer.token,
            main: HTML(
                .div, .set(.class, style), .set(.dataPage, "away"), back.map { .back($0) },
                content: HTML(gatewayLost), doubt))
    }

    /// Content of `<main>` for an open page while the gateway does not answer.
    ///
    /// - Parameter stream: that of the page.
    package func content(followedBy stream: HTML.Place) -> HTML {
        HTML(
            .div, .set(.class, style), .set(.dataPage, "away"), .stream(stream), .set(.role, "alert"),
            content: HTML(gatewayLost))
    }

    private var style: String { isOfThePerson || isOfACarer ? "away" : "tile" }

    private var gatewayLost: [HTML] {
        if isOfThePerson {
            return [
                HTML(.h1, .set(.class, "big"), text: words.say(.nobodyWatches)),
                HTML(.p, text: words.say(.boxSilentButton)), dial, contacts,
            ]
        }
        guard isOfACarer else {
            return [
                HTML(.h1, text: words.say(.boxSilent)),
                viewer.role == .installer ? HTML(.p, text: words.say(.lookAtService)) : .none,
                HTML(.p, text: words.say(.comesBack)),
            ]
        }
        let heads =
            persons.isEmpty
            ? [words.say(.nobodyWatches)] : persons.map { words.say(.nobodyWatchesOver($0.name)) }
        return heads.map { HTML(.h1, text: $0) } + [HTML(.p, text: words.say(.boxSilent)), dial, contacts]
    }

    /// Texts that lie hidden in a live page. The script shows the first while the console does not answer; the style
    /// shows the second after 15 s where the script has not begun, since an old page looks like a new one.
    var lost: HTML {
        silent + HTML(.div, .set(.class, "lost frozen"), text: words.say(.notRenewed))
    }

    private var silent: HTML {
        guard isOfThePerson || isOfACarer else {
            return HTML(
                .div, .set(.id, "lost"), .set(.class, "lost hidden"), .set(.role, "status"),
                text: words.say(.pageOutOfTouch))
        }
        let sentences: [HTML] =
            isOfThePerson
            ? [
                HTML(.h2, .set(.class, "big"), text: words.say(.outOfTouch)),
                HTML(.p, text: words.say(.pressWorn)), HTML(.p, text: words.say(.noAnswerDial)),
            ] : [HTML(.h2, text: words.say(.pageOutOfTouch))]
        return HTML(
            .div, .set(.id, "lost"), .set(.class, "lost whole away hidden"), .set(.role, "alert"),
            content: HTML(sentences), dial, contacts)
    }

    /// A sign in the room, a link on a telephone.
    private var dial: HTML {
        viewer.role == .room
            ? HTML(.p, .set(.class, "dial"), text: "112")
            : HTML(.p, .set(.class, "dial"), content: HTML(.a, .telephone("112"), text: "112"))
    }

    private var contacts: HTML {
        var seen: Set<String> = []
        let all = persons.flatMap { $0.contacts ?? [] }.filter { seen.insert($0.phone).inserted }
        return HTML(
            all.prefix(Self.mostContacts).map { contact in
                let text = "\(contact.name) \(contact.phone)"
                return viewer.role == .room
                    ? HTML(.p, text: text)
                    : HTML(.p, content: HTML(.a, .telephone(contact.phone), text: text))
            })
    }
}

extension Text {
    static let nobodyWatches = Text(en: "Nobody is watching at the moment.", it: "Adesso nessuno veglia.")
    static let boxSilent = Text(en: "The box does not answer.", it: "La centralina non risponde.")
    static let boxSilentButton = Text(
        en: "The box does not answer. Your button calls nobody.",
        it: "La centralina non risponde. Il pulsante non chiama.")
    static let lookAtService = Text(
        en: "See at the box: systemctl status homegateway",
        it: "Sulla centralina: systemctl status homegateway")
    static let comesBack = Text(en: "This page comes back by itself.", it: "Questa pagina torna da sola.")
    static func nobodyWatchesOver(_ name: String) -> Text {
        Text(
            en: "Nobody is watching over \(name) at the moment.",
            it: "Adesso nessuno veglia su \(name).")
    }
    static let outOfTouch = Text(en: "This screen is out of touch.", it: "Questo schermo è scollegato.")
    static let pressWorn = Text(
        en: "Need help? Press the button you wear.",
        it: "Ti serve aiuto? Premi il tuo pulsante.")
    static let noAnswerDial = Text(en: "No answer? Dial 112.", it: "Non risponde? Chiama il 112.")
    static let pageOutOfTouch = Text(
        en: "This page is out of touch with the house. It shows nothing until it is back.",
        it: "Questa pagina è scollegata dalla casa. Non mostra nulla finché non torna.")
    static let notRenewed = Text(
        en: "This page does not renew itself. Load it again.",
        it: "Questa pagina non si aggiorna. Caricala di nuovo.")
}
