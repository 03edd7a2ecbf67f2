import Charts
import ControlContract
import Foundation
import GatewayModel
import HTML
import Pages

/// A week in Rome with readings that repeat from run to run, and a state of the house around it.
enum HistorySample {
    static let hour: Int64 = 3_600_000
    /// 2026-11-24 12:00 in Rome.
    static let now: Int64 = 1_795_518_000_000
    /// Rome from March 2026 to March 2027: summer time until 2026-10-25 01:00 UTC.
    static let rome = LocalCalendar([
        .init(from: 1_774_746_000_000, offset: 7_200), .init(from: 1_792_890_000_000, offset: 3_600),
    ])

    static func choice(
        _ kind: QuantityKind = .heartRate, _ span: String = "week", by: String? = nil, end: String? = nil
    ) throws -> HistoryChoice {
        var query = ["kind": kind.rawValue, "span": span]
        query["by"] = by
        query["end"] = end
        guard let choice = HistoryChoice(query, usual: .heartRate, today: rome.day(of: now)) else {
            throw CancellationError()
        }
        return choice
    }

    static func point(
        _ at: Int64, _ mean: Double, spread: Double = 0, count: Int = 1, doubt: Doubts? = nil
    ) -> HistoryPoint {
        HistoryPoint(
            at: at, count: count, min: mean - spread, mean: mean, max: mean + spread, doubt: doubt)
    }

    /// Points at equal distances, without those of the given places.
    static func points(
        _ choice: HistoryChoice, every step: Int64, mean: Double = 75, without gap: Range<Int> = 0..<0
    ) -> [HistoryPoint] {
        let from = choice.days.from(in: rome).millisecondsSince1970
        let end = min(choice.days.to(in: rome).millisecondsSince1970, now)
        let count = Int((end - from) / step)
        return (0..<max(count, 0)).filter { !gap.contains($0) }.map { index in
            let wave = sin(Double(index) / 4) * 8 + sin(Double(index) * 1.7) * 4
            return point(
                from + Int64(index) * step, mean + wave, spread: 6 + sin(Double(index)) * 4, count: 3_600)
        }
    }

    static func data(_ points: [HistoryPoint], _ resolution: HistoryResolution = .hour, unreadable: Int = 0)
        -> HistoryData
    {
        HistoryData(points: points, resolution: resolution, unreadable: unreadable)
    }

    /// Three readings a day, before meals.
    static func glucose(_ choice: HistoryChoice) -> HistoryData {
        let points = (choice.days.first...choice.days.last).flatMap { day in
            [7, 12, 19].map { hour in
                point(rome.instant(of: day, hour: hour) + 600_000, Double(85 + (day * 37 + hour * 11) % 120))
            }
        }
        return data(points.filter { $0.at <= now }, .raw)
    }

    static func pressures(_ days: Range<Int>) -> [QuantityKind: HistoryData] {
        let today = rome.day(of: now)
        func points(_ base: Double, first: Double) -> [HistoryPoint] {
            days.flatMap { day in
                [8, 9, 20, 21].map { hour in
                    point(rome.instant(of: today - 6 + day, hour: hour), day == days.lowerBound ? first : base)
                }
            }.filter { $0.at <= now }
        }
        return [
            .systolicPressure: data(points(130, first: 150), .raw),
            .diastolicPressure: data(points(80, first: 95), .raw),
        ]
    }

    static func week(_ kind: QuantityKind, mean: Double, without gap: Range<Int> = 0..<0) throws -> HistoryData
    {
        data(points(try choice(kind), every: hour, mean: mean, without: gap))
    }

    static func report() throws -> WeekReport {
        var all = pressures(0..<7)
        all[.heartRate] = try week(.heartRate, mean: 75, without: 30..<41)
        all[.oxygenSaturation] = try week(.oxygenSaturation, mean: 91, without: 30..<41)
        all[.glucose] = glucose(try choice(.glucose))
        return WeekReport(all, until: now, in: rome)
    }

    static func pages(
        name: String = "Maria", _ role: ControlSession.Role = .family,
        _ language: PersonProfile.Language = .english, agreements: String = "\"home-dashboard\""
    ) throws -> Pages {
        let name = try quoted(name)
        let text = """
            {"version":"1","gateway":"g","time":0,"bootNs":0,"summary":"","unsent":0,"alarms":[],
            "recentAlarms":[],
            "conditions":[],"channels":[],"buttons":[],"limitQuestions":[],"runs":[],"requests":[],
            "limits":[{"person":"maria","kind":"heart-rate","unit":"/min","low":40,"high":130,"warningHigh":120},
            {"person":"maria","kind":"glucose","unit":"mg/dL","low":54,"high":250}],
            "persons":[{"id":"maria","name":\(name),"language":"en","agreements":[\(agreements)],
            "coverage":[]}],
            "devices":[{"id":"strap","person":"maria","address":"x","heardBy":"connection","battery":80,
            "kinds":["heart-rate"],"lastHeardAgeMs":4000}],
            "readings":[{"person":"maria","device":"scale","kind":"body-weight","unit":"kg","value":61.5,
            "arrival":0,"ageMs":7200000}],
            "usual":[{"person":"maria","kind":"heart-rate","unit":"/min","low":66,"high":84}]}
            """
        let house = try JSONDecoder().decode(HouseSnapshot.self, from: Data(text.utf8))
        return Pages(
            house, for: Viewer(role: role, person: "maria", language: language, token: "secret-token"),
            at: LocalTime(WallTime(millisecondsSince1970: 1795518000_000), eastOfUTC: 3_600))
    }

    /// Alarms an hour and three days ago: one that was cancelled, and a drill that is open.
    static func alarms(by name: String = "Maria") throws -> Pages.Answer<PastAlarms> {
        let document = """
            {"alarms":[{"id":"a2","person":"maria","rule":"heart-rate-high","priority":"high","isDrill":false,
            "device":"strap","crossed":\(now - hour),"called":\(now - hour + 4400),"handedOver":\(now - hour + 4410),
            "restarts":0,"ending":{"how":"aborted","at":\(now - hour + 9000),"by":\(try quoted(name)),"means":"screen"}},
            {"id":"a1","person":"maria","rule":"drill","priority":"high","isDrill":true,
            "crossed":\(now - 72 * hour),"restarts":0}]}
            """
        let history = try JSONDecoder().decode(AlarmHistory.self, from: Data(document.utf8))
        return .shown(PastAlarms(history.alarms, next: nil))
    }

    static func profile(_ text: String = "Pacemaker since 2019") throws -> ProfileDocument {
        let text = try quoted(text)
        let document = """
            {"person":"maria","items":[{"item":"name","value":"Maria Rossi"},{"item":"birth-date","value":"1941-05-03"},
            {"item":"height","value":"162","by":"Anna","at":\(now)},{"item":"gender"},
            {"item":"note","value":\(text),"by":\(text),"at":\(now)}],
            "contacts":[{"name":\(text),"phone":"+39333111222","relation":"daughter","getsNotices":true}],
            "removedNotes":0,"removedContacts":1}
            """
        return try JSONDecoder().decode(ProfileDocument.self, from: Data(document.utf8))
    }

    static func limits() throws -> [LimitRow] {
        let document = """
            [{"person":"maria","kind":"heart-rate","limit":"high","value":130,"unit":"/min","lowest":100,"highest":220,
            "written":130},{"person":"maria","kind":"heart-rate","limit":"low","value":40,"unit":"/min","written":40}]
            """
        return try JSONDecoder().decode([LimitRow].self, from: Data(document.utf8))
    }

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
}
