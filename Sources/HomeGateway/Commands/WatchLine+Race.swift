import Hub

extension WatchLine {
    /// `milan: bib 17 at 4210 m, 5:41 min/km, bridge at 09:41:08 ±12 s`
    static func runner(_ event: FeedRecord) -> String {
        let place = event.distanceM.map { "at \(Int($0)) m" } ?? "on no course"
        let pace = event.paceSPerKm.map { ", \(PositionTable.pace(Int($0)))" } ?? ""
        let next = event.checkpoint.map { checkpoint in
            let bound = event.boundMs.map { " ±\(($0 + 999) / 1_000) s" } ?? ""
            return ", \(checkpoint) at \(event.time?.onTheClock ?? "?")\(bound)"
        }
        let flags = event.flags.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return
            "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?") \(place)\(pace)\(next ?? "")\(flags)"
    }

    static func overdue(_ event: FeedRecord) -> String {
        let heard =
            event.time.map { "last heard \($0.onTheClock)" } ?? "never heard: the tag may be lost"
        return "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?") should have passed "
            + "\(event.checkpoint ?? "?") by now, time \(event.order ?? 1); \(heard)"
    }

    static func passing(_ event: FeedRecord) -> String {
        let bound = event.boundMs.map { "±\($0) ms" } ?? "of a clock that was never set"
        let count = event.order.map { "time \($0) at" } ?? "does not count at"
        let flags = event.flags.map { $0.isEmpty ? "" : " (\($0.joined(separator: ", ")))" } ?? ""
        return
            "\(event.run ?? "?"): bib \(event.bib.map(String.init) ?? "?"), \(count) \(event.checkpoint ?? "?"), "
            + "\(event.time?.onTheClockExactly ?? "?") \(bound)\(flags)"
    }
}
