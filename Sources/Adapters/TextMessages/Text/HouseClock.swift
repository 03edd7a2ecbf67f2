import GatewayModel
import Glibc
import HelpLine

/// Day and time as the clock on the wall of this house shows them.
struct HouseClock: Sendable {
    /// What the house's clocks are ahead of UTC at that time, daylight saving included. Seconds.
    let eastOfUTC: @Sendable (WallTime) -> Int64

    /// The machine's own zone (`TZ`, /etc/localtime).
    static let system = HouseClock { wall in
        var seconds = time_t(wall.millisecondsSince1970 / 1_000)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : Int64(local.tm_gmtoff)
    }

    /// `1 Mar, 09:30`.
    func written(_ wall: WallTime, _ words: CallWords) -> String {
        var seconds = time_t(wall.millisecondsSince1970 / 1_000 + eastOfUTC(wall))
        var local = tm()
        guard gmtime_r(&seconds, &local) != nil else { return words.say("time unknown", "ora sconosciuta") }
        let english = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let italian = ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"]
        // 0 to 11 by gmtime(3).
        let month = Int(local.tm_mon)
        let name = words.say(english[month], italian[month])
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(local.tm_mday) \(name), \(two(local.tm_hour)):\(two(local.tm_min))"
    }
}
