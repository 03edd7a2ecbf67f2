import Charts
import ControlContract
import GatewayModel
import SOSLocal

/// Documents of the gateway about the person of a session. Each question blocks, 5 s at most.
struct HistoryReader {
    /// Answers of the gateway for one chart: 1,440 minutes need two.
    private static let mostAnswers = 4

    let calendar: LocalCalendar
    let person: PersonID
    private let gateway: any PageGateway

    /// Nil for a session without a person.
    init?(_ visit: PageVisit) {
        guard let person = visit.session.person else { return nil }
        (self.person, gateway, calendar) = (person, visit.gateway, visit.calendar)
    }

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
        let to = choice.days.to(in: calendar)
        var (points, unreadable): ([HistoryPoint], Int) = ([], 0)
        var next: Int64? = choice.days.from(in: calendar).millisecondsSince1970
        for _ in 0..<Self.mostAnswers {
            guard let from = next else { break }
            let reply = try gateway.ask(
                Verb.History(
                    person: person, kind: .quantity(choice.kind), from: WallTime(millisecondsSince1970: from),
                    to: to, resolution: resolution))
            guard reply.isDone, case .history(let page) = reply.document else {
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
        from: WallTime, to: WallTime, after: AlarmID? = nil, answers: Int = HistoryReader.mostAnswers
    ) throws -> Pages.Answer<PastAlarms> {
        var (entries, next): ([AlarmHistory.Entry], AlarmID?) = ([], after)
        for _ in 0..<answers {
            let reply = try gateway.ask(Verb.Alarms(person: person, from: from, to: to, after: next))
            guard reply.isDone, let page = reply.document else {
                return .refused(Pages.Refusal(reply))
            }
            entries += page.alarms
            next = page.next.flatMap { AlarmID($0) }
            if next == nil { break }
        }
        return .shown(PastAlarms(entries, next: next?.description))
    }

    func profile() throws -> Pages.Answer<ProfileDocument> {
        let reply = try gateway.ask(Verb.Profile(person))
        return reply.document.map { .shown($0) } ?? .refused(Pages.Refusal(reply))
    }

    func limits() throws -> Pages.Answer<[LimitRow]> {
        let reply = try gateway.ask(Verb.Limits(person))
        return reply.document.map { .shown($0) } ?? .refused(Pages.Refusal(reply))
    }
}
