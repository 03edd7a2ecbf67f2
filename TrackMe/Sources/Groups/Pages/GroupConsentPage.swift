import Accounts
import GatewayModel
import HTML
import PageSecurity
import Store
import WebPages

/// Page of a person: the consent to be counted in figures of groups, with its guarantee.
struct GroupConsentPage: Sendable {
    private static let place: HTML.Place = "/groups"

    /// Form as it was entered.
    private struct Entry {
        var birthYear, gender, area, link: String?
        var errors: [String: Text] = [:]
    }

    let parts: SiteParts
    let members: GroupMemberStore
    let offer: GroupOffer

    var routes: [Route] {
        [
            Route(.get, Self.place.text, access: .signedIn) { context in try await page(context, Entry()) },
            Route(.post, Self.place.text, access: .signedIn, answer: countIn),
            Route(.post, "/groups/off", access: .signedIn) { context in
                _ = try await members.countOut(try context.signedIn().id, at: parts.clock())
                return .redirect(to: Self.place)
            },
        ]
    }

    private func page(_ context: RouteContext, _ entry: Entry) async throws -> WebAnswer {
        let account = try context.signedIn()
        let layout = Layout(context)
        let words = Words(context.language)
        let member = try await members.member(account.id)
        let tables = try await members.tables(of: account.id)
        let linked = try await parts.stores.links.links(of: account.id).filter { $0.state == .linked }
        let links = linked.filter(\.mayAct)
        let state =
            member.map { member in
                let date = parts.calendar(of: context).date(of: member.since.millisecondsSince1970)
                return words.say(.isOn(date.text(context.language)))
            } ?? words.say(.isOff)
        var main =
            HTML(.p, .set(.role, "status"), text: state)
            + (tables > 0 ? HTML(.p, text: words.say(.tables(tables))) : .none)
        if let member {
            if !linked.contains(where: { $0.id == member.link }) {
                main = main + HTML(.p, .set(.class, "warn"), text: words.say(.linkGone))
            }
            if !offer.areas.contains(member.profile.area) {
                main = main + HTML(.p, .set(.class, "warn"), text: words.say(.areaGone))
            }
        }
        // One that is switched on can be switched off whatever else holds.
        if member != nil {
            main =
                main
                + layout.form("/groups/off", content: layout.button(words.say(.switchOff), kind: "plain"))
        }
        main = main + HTML(.h2, text: words.say(.meaning)) + explanation(words)
        if offer.areas.isEmpty {
            main = main + HTML(.p, text: words.say(.noAreas))
        } else if links.isEmpty {
            main = main + HTML(.p, text: words.say(.noLink))
        } else {
            main =
                main + HTML(.h2, text: words.say(member == nil ? .switchOn : .change))
                + form(member, links, entry, layout, words)
        }
        return .page(
            layout.page(title: words.say(.title), main: main), status: entry.errors.isEmpty ? 200 : 422)
    }

    private func explanation(_ words: Words) -> HTML {
        HTML(
            [
                .companies, .published(days: offer.days), .noise, .guarantee, .attacker, .year,
                .rule(offer.rule), .withdrawal,
                .stored,
            ].map { HTML(.p, text: words.say($0)) })
    }

    private func form(
        _ member: GroupMember?, _ links: [Link], _ entry: Entry, _ layout: Layout, _ words: Words
    ) -> HTML {
        let area = entry.area ?? member?.profile.area.text
        let gender = entry.gender ?? member?.profile.gender.rawValue
        let link = entry.link ?? member?.link.description
        func option(_ value: String, _ text: String, _ chosen: String?) -> HTML {
            HTML(.option, .set(.value, value), value == chosen ? .flag(.selected) : nil, text: text)
        }
        func select(_ name: String, _ label: Text, _ options: [HTML]) -> HTML {
            HTML(.label, .set(.for, name), text: words.say(label))
                + HTML(.select, .set(.id, name), .set(.name, name), content: HTML(options))
        }
        let errors = ["link", "gender", "area", "agree"].compactMap { entry.errors[$0] }.map {
            HTML(.p, .set(.class, "warn"), .set(.role, "alert"), text: words.say($0))
        }
        let content =
            HTML(errors)
            + select(
                "link", .person,
                links.map { option($0.id.description, "\($0.subject.person), \($0.subject.gateway)", link) })
            + layout.field(
                "birth_year", words.say(.birthYear),
                value: entry.birthYear ?? member.map { String($0.profile.birthYear) } ?? "",
                complete: "bday-year",
                hint: words.say(.birthYearHint), error: entry.errors["birth_year"].map(words.say), most: 4)
            + select(
                "gender", .gender,
                [option("", words.say(.choose), nil)]
                    + Gender.allCases.map { option($0.rawValue, words.say(.genders($0)), gender) })
            + select(
                "area", .area,
                [option("", words.say(.choose), nil)] + offer.areas.map { option($0.text, $0.text, area) })
            + HTML(
                .label, .set(.class, "tick"),
                content: HTML(
                    void: .input, .set(.type, "checkbox"), .set(.name, "agree"), .set(.value, "yes"),
                    .flag(.required)), HTML(.span, text: words.say(.agree)))
            + HTML(.p, content: layout.button(words.say(member == nil ? .switchOn : .change)))
        return layout.form(Self.place, content: content)
    }

    private func countIn(_ context: RouteContext) async throws -> WebAnswer {
        let account = try context.signedIn()
        let form = context.form
        var entry = Entry(
            birthYear: form["birth_year"], gender: form["gender"], area: form["area"], link: form["link"])
        if form["agree"] != "yes" { entry.errors["agree"] = .agreeFirst }
        let gender = Gender(rawValue: form["gender"] ?? "")
        if gender == nil { entry.errors["gender"] = .badGender }
        let area = AreaName(form["area"] ?? "").flatMap { offer.areas.contains($0) ? $0 : nil }
        if area == nil { entry.errors["area"] = .badArea }
        let link = LinkID(form["link"] ?? "")
        if link == nil { entry.errors["link"] = .badLink }
        let now = parts.clock()
        var profile: GroupProfile?
        if let gender, let area {
            profile = (form["birth_year"].flatMap { Int($0) }).flatMap {
                GroupProfile(birthYear: $0, gender: gender, area: area, now: now)
            }
            if profile == nil { entry.errors["birth_year"] = .badYear }
        }
        guard let profile, let link, entry.errors.isEmpty else { return try await page(context, entry) }
        do {
            try await members.countIn(profile, of: account.id, by: link, at: now)
        } catch GroupFault.notLinked {
            entry.errors["link"] = .badLink
            return try await page(context, entry)
        } catch GroupFault.counted {
            entry.errors["link"] = .counted
            return try await page(context, entry)
        }
        return .redirect(to: Self.place)
    }
}

extension Text {
    static let title = Text(en: "Group figures", it: "Statistiche di gruppo")
    static let isOff = Text(
        en: "You are not counted in group figures.",
        it: "Non sei contato nelle statistiche di gruppo.")
    static func isOn(_ date: String) -> Text {
        Text(
            en: "You are counted in group figures since \(date), from the next Monday on.",
            it: "Sei contato nelle statistiche di gruppo dal \(date), a partire dal lunedì successivo.")
    }
    static let meaning = Text(en: "What it means", it: "Che cosa significa")
    static let companies = Text(
        en:
            "Companies may ask how a group of more than 1,000 people is. No company gets a reading of yours by this.",
        it:
            "Le aziende possono chiedere come sta un gruppo di più di 1.000 persone. Nessuna azienda riceve così una tua misura."
    )
    static func published(days: Int) -> Text {
        Text(
            en:
                "Once a week, \(days) days after Sunday, this server publishes a table of counts: how many people of an area, an age "
                + "band and a gender had a weekly median in each of nine ranges, for heart rate, oxygen saturation, systolic "
                + "pressure and glucose.",
            it:
                "Una volta alla settimana, \(days) giorni dopo la domenica, questo server pubblica una tabella di conteggi: quante "
                + "persone di una zona, di una fascia di età e di un genere avevano la mediana settimanale in ciascuno di nove "
                + "intervalli, per battito, ossigeno nel sangue, pressione massima e glicemia.")
    }
    static let guarantee = Text(
        en:
            "Guarantee: whatever all companies together conclude from the tables of one week is at most e² = 7.4 times as "
            + "likely with you as without you. For one of the four kinds of data the factor is 1.65.",
        it:
            "Garanzia: quello che tutte le aziende insieme concludono dalle tabelle di una settimana è al massimo e² = 7,4 "
            + "volte più probabile con te che senza di te. Per uno dei quattro tipi di dati il fattore è 1,65.")
    static let attacker = Text(
        en:
            "In other words: somebody who knows the values of everybody but you, and sees each number of one table of one "
            + "kind, guesses in 62 of 100 cases whether you are in it. With all four kinds: in 68. A coin: in 50.",
        it:
            "In altre parole: chi conosce i valori di tutti tranne te, e vede ogni numero di una tabella di un tipo, indovina "
            + "in 62 casi su 100 se ci sei. Con tutti e quattro i tipi: in 68. Con una moneta: in 50.")
    static let year = Text(
        en:
            "A year has 52 tables, and what they tell adds up. If your values never change, such an attacker is right in 96 "
            + "of 100 cases after a year of one kind, and nearly always after a year of four. So nobody promises that it is "
            + "anonymous for ever.",
        it:
            "Un anno ha 52 tabelle, e quello che dicono si somma. Se i tuoi valori non cambiano mai, dopo un anno di un tipo "
            + "costui indovina in 96 casi su 100, e dopo un anno di quattro quasi sempre. Perciò nessuno promette che sia "
            + "anonimo per sempre.")
    static let withdrawal = Text(
        en:
            "You can switch it off at any time. Later tables do not count you. Tables that were published stay as they are: "
            + "nobody can call them back.",
        it:
            "Puoi smettere in ogni momento. Le tabelle successive non ti contano. Quelle pubblicate restano come sono: "
            + "nessuno può richiamarle.")
    static let stored = Text(
        en:
            "For this the server keeps your year of birth, your gender and the area of your home. They are erased when you "
            + "switch it off, and everything of it when you delete your account.",
        it:
            "Per questo il server conserva il tuo anno di nascita, il tuo genere e la zona di casa tua. Sono cancellati quando "
            + "smetti, e tutto quando elimini il tuo account.")
    static let switchOn = Text(en: "Count me in", it: "Voglio essere contato")
    static let change = Text(en: "Change", it: "Modifica")
    static let switchOff = Text(en: "Do not count me any more", it: "Non contarmi più")
    static let person = Text(en: "Which person are you?", it: "Quale persona sei?")
    static let birthYear = Text(en: "Year of birth", it: "Anno di nascita")
    static let birthYearHint = Text(en: "For example 1948", it: "Per esempio 1948")
    static let gender = Text(en: "Gender", it: "Genere")
    static let area = Text(en: "Area of your home", it: "Zona di casa tua")
    static let choose = Text(en: "Choose", it: "Scegli")
    static let agree = Text(
        en:
            "I am this person. I have read the guarantee and its limits, and I want to be counted in group figures.",
        it:
            "Sono questa persona. Ho letto la garanzia e i suoi limiti, e voglio essere contato nelle statistiche di gruppo."
    )
    static let noAreas = Text(
        en: "This server has no group figures: its operator has not named any areas.",
        it: "Questo server non ha statistiche di gruppo: il gestore non ha indicato zone.")
    static let noLink = Text(
        en:
            "First link your account to yourself, so that it acts for you: a person counts once, by the readings of one house.",
        it:
            "Prima collega il tuo account a te stesso, perché agisca per te: una persona conta una volta, con le misure di una casa."
    )
    static let linkGone = Text(
        en:
            "The link to the person that you had chosen has ended. Until you choose another one you are not counted.",
        it:
            "Il collegamento con la persona che avevi scelto è terminato. Finché non ne scegli un'altra non sei contato."
    )
    static let areaGone = Text(
        en:
            "The area that you had chosen is no longer offered. Until you choose another one you are not counted.",
        it: "La zona che avevi scelto non c'è più. Finché non ne scegli un'altra non sei contato.")
    static let agreeFirst = Text(
        en: "Without your consent you are not counted.",
        it: "Senza il tuo consenso non sei contato.")
    static let badGender = Text(en: "Choose a gender.", it: "Scegli un genere.")
    static let badArea = Text(en: "Choose an area of the list.", it: "Scegli una zona dell'elenco.")
    static let badLink = Text(
        en: "Choose a person who has accepted your account.",
        it: "Scegli una persona che ha accettato il tuo account.")
    static let badYear = Text(
        en: "Write the year of your birth in four digits.",
        it: "Scrivi l'anno di nascita con quattro cifre.")
    static let counted = Text(
        en: "Another account counts this person in already. A person counts once.",
        it: "Un altro account conta già questa persona. Una persona conta una volta.")
}
