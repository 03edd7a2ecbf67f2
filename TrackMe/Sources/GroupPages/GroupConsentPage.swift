import Accounts
import GatewayModel
import Groups
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
        var errors: [String: GroupWords.Text] = [:]
    }

    let parts: SiteParts
    let members: any GroupMemberStore
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
        let words = GroupWords(context.language)
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

    private func explanation(_ words: GroupWords) -> HTML {
        HTML(
            [
                .companies, .published(days: offer.days), .noise, .guarantee, .attacker, .year,
                .rule(offer.rule), .withdrawal,
                .stored,
            ].map { HTML(.p, text: words.say($0)) })
    }

    private func form(
        _ member: GroupMember?, _ links: [Link], _ entry: Entry, _ layout: Layout, _ words: GroupWords
    ) -> HTML {
        let area = entry.area ?? member?.profile.area.text
        let gender = entry.gender ?? member?.profile.gender.rawValue
        let link = entry.link ?? member?.link.description
        func option(_ value: String, _ text: String, _ chosen: String?) -> HTML {
            HTML(.option, .set(.value, value), value == chosen ? .flag(.selected) : nil, text: text)
        }
        func select(_ name: String, _ label: GroupWords.Text, _ options: [HTML]) -> HTML {
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
