import ConsoleAccess
import ControlContract
import GatewayModel
import HTML
import Pages
import RealTime
import SOSLocal
import Web

/// Routes of the alarms, the charts, the report and the profile. The gateway decides on each document of a session.
extension ConsoleServer {
    /// Milliseconds by which a clock that was set back may have dated an alarm ahead: a day.
    private static let clockMargin: Int64 = 86_400_000

    /// The reply; nil for another path, and for a session without a person.
    func history(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, _ house: HouseSnapshot, at moment: Moment
    ) -> WebReply? {
        guard let person = admission.session.person else { return nil }
        let now = moment.wall
        let reader = Reader(
            feed: feed, session: admission.session, person: person, calendar: LocalCalendar(until: now))
        let pages = pages(house, admission, at: moment)
        do {
            switch request.path {
            case Pages.Route.charts.text, Pages.Route.table.text:
                return try chart(request, pages, reader, at: now)
            case Pages.Route.alarms.text: return try alarms(request, pages, reader, at: now)
            case Pages.Route.report.text: return try report(request, pages, reader, at: now)
            case Pages.Route.profile.text: return Self.found(try profile(pages, reader), request)
            default: return nil
            }
        } catch {
            return away(request, admission)
        }
    }

    private static func found(_ page: Page?, _ request: WebRequest, status: Int = 200) -> WebReply {
        guard let page else { return Self.page(plain(request).failure(.notFound), status: 404) }
        return Self.page(page, status: status)
    }

    // MARK: Charts

    private func chart(
        _ request: WebRequest, _ pages: Pages, _ reader: Reader, at now: WallTime
    ) throws -> WebReply {
        let calendar = reader.calendar
        let today = calendar.day(of: now.millisecondsSince1970)
        guard let choice = HistoryChoice(request.query, usual: pages.usualKind, today: today) else {
            return Self.found(nil, request)
        }
        switch try reader.data(of: choice) {
        case .refused(let refusal): return Self.page(pages.historyRefused(refusal), status: 403)
        case .shown(let data) where request.path == Pages.Route.table.text:
            return WebReply(
                status: 200,
                headers: [
                    ("Content-Type", "text/csv; charset=utf-8"),
                    ("Content-Disposition", "attachment; filename=\"\(choice.kind.rawValue).csv\""),
                ] + SecurityHeaders.fields(for: .page),
                body: .bytes(Array(pages.csv(choice, data, in: calendar).utf8)))
        case .shown(let data):
            let alarms = try reader.alarms(from: choice.from(in: calendar), to: choice.to(in: calendar))
            return Self.found(pages.charts(choice, data, alarms: alarms, in: calendar), request)
        }
    }

    /// All alarms that the gateway keeps, a page at a time.
    private func alarms(
        _ request: WebRequest, _ pages: Pages, _ reader: Reader, at now: WallTime
    ) throws -> WebReply {
        let after = request.query["after"].map { AlarmID($0) }
        if case .some(nil) = after { return Self.found(nil, request) }
        let future = WallTime(millisecondsSince1970: now.millisecondsSince1970 + Self.clockMargin)
        switch try reader.alarms(
            from: WallTime(millisecondsSince1970: 0), to: future, after: after ?? nil, answers: 1)
        {
        case .refused(let refusal): return Self.page(pages.historyRefused(refusal), status: 403)
        case .shown(let found):
            return Self.found(pages.alarms(found, isFirst: after == nil, in: reader.calendar), request)
        }
    }

    private func report(
        _ request: WebRequest, _ pages: Pages, _ reader: Reader, at now: WallTime
    ) throws -> WebReply {
        let time = now.millisecondsSince1970
        let today = reader.calendar.day(of: time)
        var all: [QuantityKind: HistoryData] = [:]
        for kind in WeekReport.kinds {
            guard let week = HistoryChoice(["span": "week"], usual: kind, today: today) else { continue }
            switch try reader.data(of: week) {
            case .refused(let refusal): return Self.page(pages.historyRefused(refusal), status: 403)
            case .shown(let data): all[kind] = data
            }
        }
        let profile: ProfileDocument? =
            if case .shown(let document) = try reader.profile() { document } else { nil }
        let week = WeekReport(all, until: time, in: reader.calendar)
        return Self.found(
            pages.report(
                week, profile: profile,
                alarms: try reader.alarms(
                    from: WallTime(millisecondsSince1970: week.from),
                    to: WallTime(millisecondsSince1970: week.to + 1)),
                in: reader.calendar),
            request)
    }

    // MARK: Profile

    private func profile(
        _ pages: Pages, _ reader: Reader, refused: Pages.RefusedEntry? = nil
    ) throws -> Page? {
        pages.profile(try reader.profile(), limits: try reader.limits(), refused: refused)
    }

    /// Changes the profile. A change that is refused comes back with its form.
    func changeProfile(
        _ request: WebRequest, _ admission: Gatekeeper.Admission, at now: Moment
    ) -> WebReply {
        let session = admission.session
        guard let person = session.person, let entry = ProfileEntry(request.form) else {
            return Self.page(Self.plain(request).failure(.expired), status: 400)
        }
        do {
            let reason = try refusal(of: entry, for: session, person)
            guard let reason else { return Self.redirect(to: Pages.Route.profile.text) }
            guard let house = feed.house(at: now.boot) else {
                throw ControlError("the gateway does not answer")
            }
            let reader = Reader(
                feed: feed, session: session, person: person, calendar: LocalCalendar(until: now.wall))
            let page = try profile(
                pages(house, admission, at: now), reader,
                refused: Pages.RefusedEntry(entry, reason))
            return Self.found(page, request, status: 409)
        } catch {
            return away(request, admission, back: Pages.Route.profile)
        }
    }

    /// The reason of a refusal; nil for a change that is done.
    private func refusal(
        of entry: ProfileEntry, for session: ControlSession, _ person: PersonID
    ) throws -> Pages.Refusal? {
        let change: ProfileChange
        do throws(ProfileFlaw) {
            change = try entry.change
        } catch {
            return Pages.Refusal(.wrongText, lines: [error.text])
        }
        let edit = try Verb.ChangeProfile(person: person.text, change, by: session.name)
        let reply = try feed.ask(edit, for: session)
        return reply.isDone ? nil : Pages.Refusal(reply)
    }
}

/// Documents of the gateway for one session. Each question blocks, 5 s at most.
private struct Reader {
    /// Answers of the gateway for one chart: 1,440 minutes need two.
    private static let mostAnswers = 4

    let feed: HouseFeed
    let session: ControlSession
    let person: PersonID
    let calendar: LocalCalendar

    /// Statistics of a choice, or its readings where they are few.
    func data(of choice: HistoryChoice) throws -> Pages.Answer<HistoryData> {
        let answer = try data(of: choice, choice.span.resolution)
        guard case .shown(let statistics) = answer else { return answer }
        guard choice.showsReadings(of: statistics.points) else { return .shown(statistics) }
        // Older readings are kept as statistics alone.
        guard case .shown(let readings) = try data(of: choice, .raw), readings.isComplete(beside: statistics)
        else { return .shown(statistics) }
        return .shown(readings)
    }

    private func data(
        of choice: HistoryChoice, _ resolution: HistoryResolution
    ) throws -> Pages.Answer<HistoryData> {
        let to = choice.to(in: calendar)
        var (points, unreadable): ([HistoryPoint], Int) = ([], 0)
        var next: Int64? = choice.from(in: calendar).millisecondsSince1970
        for _ in 0..<Self.mostAnswers {
            guard let from = next else { break }
            let request = Verb.History(
                person: person, kind: .quantity(choice.kind), from: WallTime(millisecondsSince1970: from),
                to: to,
                resolution: resolution)
            let reply = try feed.ask(request, for: session)
            guard reply.isDone, case .history(let page) = reply.content else {
                return .refused(Pages.Refusal(reply))
            }
            points += page.points
            unreadable += page.unreadable
            next = page.next
        }
        return .shown(HistoryData(points: points, resolution: resolution, unreadable: unreadable))
    }

    /// Alarms of a period, the newest first.
    ///
    /// - Parameter answers: answers of the gateway, 100 alarms each.
    func alarms(
        from: WallTime, to: WallTime, after: AlarmID? = nil, answers: Int = Reader.mostAnswers
    ) throws -> Pages.Answer<PastAlarms> {
        var (entries, next): ([AlarmHistory.Entry], AlarmID?) = ([], after)
        for _ in 0..<answers {
            let request = Verb.Alarms(person: person, from: from, to: to, after: next)
            let reply = try feed.ask(request, for: session)
            guard reply.isDone, case .alarms(let page) = reply.content else {
                return .refused(Pages.Refusal(reply))
            }
            entries += page.alarms
            next = page.next.flatMap { AlarmID($0) }
            if next == nil { break }
        }
        return .shown(PastAlarms(entries, next: next?.description))
    }

    func profile() throws -> Pages.Answer<ProfileDocument> {
        let reply = try feed.ask(Verb.Profile(person), for: session)
        guard case .profile(let document) = reply.content else { return .refused(Pages.Refusal(reply)) }
        return .shown(document)
    }

    func limits() throws -> Pages.Answer<[LimitRow]> {
        let reply = try feed.ask(Verb.Limits(person), for: session)
        guard case .limits(let rows) = reply.content else { return .refused(Pages.Refusal(reply)) }
        return .shown(rows)
    }
}
