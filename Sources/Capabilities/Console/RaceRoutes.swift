import ConsoleAccess
import ControlContract
import GatewayModel
import HTML
import PageSecurity
import Pages
import RealTime
import Web

/// Routes of the race pages, for organisers and for spectators without a session.
extension ConsoleServer {
    private static let views: [String: RaceChoice.View] = Dictionary(
        uniqueKeysWithValues: RaceChoice.View.allCases.map { ($0.place.text, $0) })

    /// Whether a path is of a race.
    static func isOfRace(_ path: String) -> Bool {
        [Pages.Route.races.text, Pages.Route.raceStream.text, Pages.Route.resultsTable.text].contains(path)
            || views[path] != nil
    }

    /// Page, table or stream of a race.
    ///
    /// - Parameter admission: of an organiser; nil for a spectator.
    func race(_ request: WebRequest, _ admission: Gatekeeper.Admission?, at now: Moment) -> WebReply {
        guard let house = feed.house(at: now.boot) else {
            return away(request, admission)
        }
        let (language, calendar) = (Self.language(of: request), Self.calendar(at: now.wall))
        let audience: RaceFeed.Audience = admission == nil ? .spectators : .organisers
        if request.path == Pages.Route.races.text {
            let page = RaceListPage(house.runs, at: house.time, language, in: calendar).page()
            return Self.page(page, status: 200)
        }
        let isStream = request.path == Pages.Route.raceStream.text
        let view =
            isStream
            ? request.query["view"].flatMap { RaceChoice.View(rawValue: $0) }
            : Self.views[request.path] ?? .results
        guard let view, let choice = RaceChoice(request.query, view: view),
            house.runs.contains(where: { $0.id == choice.run.text }),
            admission != nil || !choice.view.isOfOrganiser
        else { return Self.page(Self.plain(request).failure(.notFound), status: 404) }
        let key = RaceFeed.Key(choice: choice, language: language, audience: audience)
        do {
            if isStream { return try stream(key, admission, calendar, request) }
            if request.path == Pages.Route.resultsTable.text { return try table(key, calendar, request) }
            return try page(key, admission, calendar, request)
        } catch {
            return away(request, admission)
        }
    }

    private func page(
        _ key: RaceFeed.Key, _ admission: Gatekeeper.Admission?, _ calendar: LocalCalendar,
        _ request: WebRequest
    ) throws -> WebReply {
        let bytes: [UInt8]?
        if key.choice.view == .corrections, let admission {
            // Its forms have the token of the session: it is not shared.
            bytes = try races.edition(of: key.choice.run, for: .organisers).flatMap { edition in
                RacePages(
                    edition.document, key.choice, key.language, in: calendar, token: admission.formToken
                ).page()?.bytes
            }
        } else {
            bytes = try races.page(key, in: calendar)
        }
        guard let bytes else { return Self.page(Self.plain(request).failure(.notFound), status: 404) }
        return WebReply(
            status: 200,
            headers: [("Content-Type", "text/html; charset=utf-8")]
                + SecurityHeaders.console.fields(for: .page),
            body: .bytes(bytes))
    }

    private func stream(
        _ key: RaceFeed.Key, _ admission: Gatekeeper.Admission?, _ calendar: LocalCalendar,
        _ request: WebRequest
    ) throws -> WebReply {
        guard let stream = try races.open(key, for: admission?.id.short, in: calendar) else {
            return Self.page(Self.plain(request).failure(.tooMany), status: 503)
        }
        return Self.events(stream)
    }

    private func table(
        _ key: RaceFeed.Key, _ calendar: LocalCalendar, _ request: WebRequest
    ) throws -> WebReply {
        guard let edition = try races.edition(of: key.choice.run, for: .organisers) else {
            return Self.page(Self.plain(request).failure(.notFound), status: 404)
        }
        let pages = RacePages(edition.document, key.choice, key.language, in: calendar, token: "")
        return Self.table(pages.csv(), named: "results-\(key.choice.run)")
    }

    /// Corrects the results of a run, and shows the corrections of the runner.
    func correctRace(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment
    ) -> WebReply {
        guard let entry = RaceEntry(request.form) else {
            return Self.page(Self.plain(request).failure(.expired), status: 400)
        }
        let back = RaceChoice(run: entry.run, view: .corrections, bib: entry.bib).link
        do {
            guard let edition = try races.edition(of: entry.run, for: .organisers) else {
                return Self.page(Self.plain(request).failure(.notFound), status: 404)
            }
            let edit = try entry.edit(
                in: Self.calendar(at: now.wall), from: edition.document.start, by: admission.session.name)
            let reply = try feed.ask(edit, for: admission.session)
            races.forget(entry.run)
            guard reply.isDone else {
                return Self.page(Self.plain(request).refusal(Pages.Refusal(reply), back: back), status: 409)
            }
            return Self.redirect(to: back.text)
        } catch let error as ControlError {
            return Self.page(Self.plain(request).refusal(Pages.Refusal(error), back: back), status: 400)
        } catch {
            return away(request, admission, back: back)
        }
    }

    /// Calendar of the offset from UTC that the box has now: a race is shown by the clocks on the wall today.
    static func calendar(at now: WallTime) -> LocalCalendar {
        LocalCalendar([LocalCalendar.Step(from: 0, offset: Int(LocalZone.system.eastOfUTC(now)))])
    }
}
