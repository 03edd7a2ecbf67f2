import Hub
package import Vault

/// Limits of the outbox's use of the disk. Pure.
package struct OutboxRoom: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Well within all limits.
        case ample
        case enough
        /// More than the settings allow.
        case beyondQuota
        /// Other users need the free space of the disk.
        case beyondReserve
    }

    /// Bytes of the disk that the outbox leaves to others. The alarms, consents and the history of a day need a few
    /// megabytes together. Deletion needs room for the log, so room is made while there is some. A much larger reserve
    /// would shorten the outage that the outbox can bridge.
    package static let largestReserve = 64 << 20
    /// Number of messages with room inside the file: until they are written, no message has to be given up. More than
    /// arrive between two checks.
    package static let spareMessages = 512

    /// Bytes on the disk above which the oldest readings are thinned.
    package let quota: Int

    /// Returns the reserve. A small outbox, or a small disk, leaves less.
    package func reserve(of disk: DiskRoom) -> Int { min(Self.largestReserve, quota / 10, disk.total / 10) }

    /// - Parameters:
    ///   - used: bytes.
    ///   - spare: number of messages with room in the file at its present size.
    ///   - disk: nil if it is not known.
    package func verdict(used: Int, spare: Int, on disk: DiskRoom?) -> Verdict {
        guard used <= quota else { return .beyondQuota }
        // With some distance: a thinning gives room only for a while.
        let isFarBelowQuota = used < quota / 10 * 9
        guard let disk else { return isFarBelowQuota ? .ample : .enough }
        let reserve = reserve(of: disk)
        // An outbox smaller than the reserve did not use it up, and has nothing worth deleting.
        let isNearReserve = disk.free < reserve + reserve / 10 && used > reserve / 10 * 9
        if disk.free < reserve, used > reserve, spare < Self.spareMessages { return .beyondReserve }
        return isFarBelowQuota && !isNearReserve ? .ample : .enough
    }

    package init(quota: Int) {
        self.quota = quota
    }
}
