import Foundation
import GatewayModel
import RealTime
import Synchronization
import WebPages

/// Time zones of the system's database, with a calendar of each that was asked for today.
final class SystemTimeZones: Sendable {
    private struct Entry {
        let day: Int64
        let calendar: LocalCalendar
    }

    private let calendars = Mutex<[String: Entry]>([:])

    var choices: TimeZones {
        // Names with a place: the others are abbreviations and offsets.
        TimeZones(names: TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.sorted()) { now, name in
            self.calendar(until: now, of: name)
        }
    }

    private func calendar(until now: WallTime, of name: String) -> LocalCalendar? {
        let day = now.millisecondsSince1970 / LocalCalendar.dayLength
        if let known = calendars.withLock({ $0[name] }), known.day == day { return known.calendar }
        guard let zone = TimeZone(identifier: name) else { return nil }
        let calendar = LocalCalendar(
            until: now,
            in: LocalZone { time in
                Int64(
                    zone.secondsFromGMT(
                        for: Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)))
            })
        calendars.withLock { $0[name] = Entry(day: day, calendar: calendar) }
        return calendar
    }
}
