import Accounts
import CloudCommands
import GatewayModel
import HTML
import PageSecurity
import Parties
import PartyService
import Store
import WebPages

/// Registration of a company.
struct CompanyPages: Sendable {
    private static let place: HTML.Place = "/parties/register"

    /// Fields of the form as they were entered.
    private struct Entry {
        var fields: [String: String] = [:]
        var errors: [String: PartyWords.Text] = [:]

        subscript(name: String) -> String { fields[name] ?? "" }
    }

    let parts: SiteParts
    let parties: any PartyStore

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
        let words = PartyWords(context.language)
        func field(
            _ name: String, _ label: PartyWords.Text, _ hint: PartyWords.Text, type: String = "text",
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
        } catch StoreFault.partyTaken {
            parts.gate.end(attempt, isGood: false)
            entry.errors["id"] = .takenID
            return page(context, entry)
        } catch StoreFault.tooManyApplications {
            throw Problem(.busy, "too many applications wait for the operator: try again in some days")
        }
        return .redirect(to: Self.place.with("sent", "1"))
    }
}
