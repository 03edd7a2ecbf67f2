import GatewayModel
import Glibc

/// Between wall time and what a clock on the wall of this house shows.
struct LocalZone: Sendable {
    /// What the house's clocks are ahead of UTC at that time, daylight saving included. Seconds.
    let eastOfUTC: @Sendable (WallTime) -> Int64

    /// The machine's own (`TZ`, /etc/localtime).
    static let system = LocalZone { wall in
        var seconds = time_t(wall.millisecondsSince1970 / 1_000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return Int64(local.tm_gmtoff)
    }

    static func fixed(eastOfUTC seconds: Int64) -> LocalZone { LocalZone { _ in seconds } }

    /// - Parameter seconds: since 1970 as if the local time were UTC. Of the hour that comes twice in autumn
    ///   one is taken; of the one that is skipped in spring, the clock of the other side.
    func wall(ofLocal seconds: Int64) -> WallTime {
        let near = WallTime(millisecondsSince1970: seconds * 1_000)
        let guess = WallTime(millisecondsSince1970: (seconds - eastOfUTC(near)) * 1_000)
        return WallTime(millisecondsSince1970: (seconds - eastOfUTC(guess)) * 1_000)
    }
}
