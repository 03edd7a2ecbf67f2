public import GatewayModel
import Glibc

/// Time zone of this house: conversion between wall time and local time.
public struct LocalZone: Sendable {
    /// Offset of local time from UTC at a wall time, daylight saving included, in seconds.
    public let eastOfUTC: @Sendable (WallTime) -> Int64

    public init(eastOfUTC: @escaping @Sendable (WallTime) -> Int64) { self.eastOfUTC = eastOfUTC }

    /// Time zone of the machine (`TZ`, /etc/localtime). UTC for a time that the system cannot convert.
    public static let system = LocalZone { wall in
        var seconds = time_t(wall.millisecondsSince1970 / 1_000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return 0 }
        return Int64(local.tm_gmtoff)
    }

    /// Returns a zone with the same offset at any time.
    public static func fixed(eastOfUTC seconds: Int64) -> LocalZone { LocalZone { _ in seconds } }

    /// Returns the wall time of a local time. For the repeated hour in autumn it returns one of the two times; for the
    /// skipped hour in spring it uses the offset of the other side.
    /// - Parameter seconds: seconds since 1970 as if the local time were UTC.
    public func wall(ofLocal seconds: Int64) -> WallTime {
        let near = WallTime(millisecondsSince1970: seconds * 1_000)
        let guess = WallTime(millisecondsSince1970: (seconds - eastOfUTC(near)) * 1_000)
        return WallTime(millisecondsSince1970: (seconds - eastOfUTC(guess)) * 1_000)
    }
}
