import Accounts
import CloudCommands
import GatewayModel
import HTML
import PageSecurity
import Store
import WebPages

/// Registration of a company.
struct CompanyPages: Sendable {
    private static let place: HTML.Place = "/parties/register"

    /// Fields of the form as they were entered.
    private struct Entry {
        var fields: [String: String] = [:]
        var errors: [String: Text] = [:]

        subscript(name: String) -> String { fields[name] ?? "" }
    }

    let parts: SiteParts
    let parties: PartyStore

    var routes: [Route] {
        [
            Route(.get, Self.place.text, access: .everybody) { context in
                page(context, Entry(), isSent: context.query["sent"] != nil)
            },
            Route(.post, Self.place.text, access: .everybody, answer: apply),
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry, isSent: Bool = false) -> WebAnswer {
        let layout = Layout(context)
        let words = Words(context.language)
        func field(
            _ name: String, _ label: Text, _ hint: Text, type: String = "text",
            complete: String, most: Int
        ) -> HTML {
            layout.field(
                name, words.say(label), type: type, value: entry[name], complete: complete,
                hint: words.say(hint), error: entry.errors[name].map(words.say), most: most)
        }
        let fields =
            field("name", .company, .companyHint, complete: "organization", most: 100)
            + field("vat", .vat, .vatHint, complete: "off", most: 20)
            + field("id", .id, .idHint, complete: "off", most: 32)
            + field(
                "contact", .contact, .contactHint, type: "email", complete: "email", most: PartyContact.longest)
            + field("key", .key, .keyHint, complete: "off", most: PartyKeyReader.largest)
            + layout.button(words.say(.apply))
        let main =
            isSent
            ? HTML(.p, .set(.role, "status"), text: words.say(.applied))
            : HTML(.p, text: words.say(.registerIntro)) + layout.form(Self.place, content: fields)
        return .page(
            layout.page(title: words.say(.register), main: main), status: entry.errors.isEmpty ? 200 : 422)
    }

    private func apply(_ context: RouteContext) async throws -> WebAnswer {
        var entry = Entry()
        for name in ["name", "vat", "id", "contact", "key"] { entry.fields[name] = context.form[name] }
        let id = PartyID(entry["id"])
        if id.map({ !Party.allows($0) }) ?? true { entry.errors["id"] = .badID }
        if let id, ThirdParty(id: id, name: entry["name"]) == nil { entry.errors["name"] = .badCompany }
        let contact = PartyContact(entry["contact"])
        if contact == nil { entry.errors["contact"] = .badContact }
        var vat: VATNumber?
        do throws(VATNumber.Flaw) { vat = try VATNumber(entry["vat"]) } catch {
            entry.errors["vat"] = error == .form ? .badVAT : .badVATDigit
        }
        let now = parts.clock()
        var key: PartyKey?
        do throws(PinnedKey.Fault) { key = try await PartyKeyReader.key(entry["key"], at: now) } catch {
            entry.errors["key"] = .badKey
        }
        guard entry.errors.isEmpty, let id, let vat, let contact, let key,
            let party = NewParty(
                id: id, vat: vat, name: entry["name"], contact: contact, key: key, applied: now)
        else { return page(context, entry) }
        // A name with a colon is no user name: companies and accounts do not block each other.
        let attempt = Attempt.registration("party:\(id)", from: context.request.client)
        guard parts.gate.begin(attempt, at: parts.bootClock()) else {
            throw Problem(.busy, "too many registrations: wait a minute")
        }
        do {
            try await parties.add(party)
            parts.gate.end(attempt, isGood: true)
        } catch PartyFault.partyTaken {
            parts.gate.end(attempt, isGood: false)
            entry.errors["id"] = .takenID
            return page(context, entry)
        } catch PartyFault.tooManyApplications {
            throw Problem(.busy, "too many applications wait for the operator: try again in some days")
        }
        return .redirect(to: Self.place.with("sent", "1"))
    }
}

extension Text {
    static let register = Text(en: "Register a company", it: "Registrare un'azienda")
    static let registerIntro = Text(
        en:
            "A company can ask persons for their data. The operator of this server examines each application. Each person "
            + "then decides at home.",
        it:
            "Un'azienda può chiedere alle persone i loro dati. Il gestore di questo server esamina ogni domanda. Poi "
            + "ogni persona decide a casa propria.")
    static let company = Text(en: "Name of the company", it: "Nome dell'azienda")
    static let companyHint = Text(
        en: "Persons read it in the question. At most 100 characters.",
        it: "Le persone lo leggono nella domanda. Al massimo 100 caratteri.")
    static let vatHint = Text(
        en: "With the prefix of the country, for example IT00743110157",
        it: "Con il prefisso del paese, per esempio IT00743110157")
    static let idHint = Text(
        en:
            "1 to 32 small letters, digits and hyphens, for example clinic. It is the client ID of your programs, and "
            + "cannot be changed.",
        it:
            "Da 1 a 32 lettere minuscole, cifre e trattini, per esempio clinic. È l'ID client dei vostri programmi e "
            + "non si può cambiare.")
    static let contact = Text(en: "Mail address", it: "Indirizzo e-mail")
    static let contactHint = Text(
        en: "The operator writes to it. Persons do not see it.",
        it: "Il gestore scrive a questo indirizzo. Le persone non lo vedono.")
    static let keyHint = Text(
        en:
            "A JWK of Ed25519 with a kid, in one line. Your programs sign with the private key, which never leaves you.",
        it:
            "Una JWK Ed25519 con un kid, su una riga. I vostri programmi firmano con la chiave privata, che resta da voi."
    )
    static let apply = Text(en: "Apply", it: "Inviare la domanda")
    static let badCompany = Text(
        en: "Write the name of the company, with 100 characters at most.",
        it: "Scrivete il nome dell'azienda, con al massimo 100 caratteri.")
    static let badVAT = Text(
        en: "This is not the form of a VAT number of the European Union.",
        it: "Non ha la forma di una partita IVA dell'Unione europea.")
    static let badVATDigit = Text(
        en: "The check digit of this VAT number is wrong. Compare it digit by digit.",
        it: "La cifra di controllo di questa partita IVA è sbagliata. Confrontatela cifra per cifra.")
    static let badID = Text(
        en: "This is no short name, or one that is reserved.",
        it: "Non è un nome breve, oppure è riservato.")
    static let takenID = Text(
        en: "This short name is taken. Choose another one.",
        it: "Questo nome breve è già usato. Sceglietene un altro.")
    static let badContact = Text(en: "This is no mail address.", it: "Non è un indirizzo e-mail.")
    static let badKey = Text(
        en: "This is no public JWK of Ed25519 with a kid.",
        it: "Non è una JWK pubblica Ed25519 con un kid.")
}
