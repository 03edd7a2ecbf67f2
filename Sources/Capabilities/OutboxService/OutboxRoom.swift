import Hub
package import Vault

/// How much of the disk the outbox may take. Pure.
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
    /// Messages for which there is room inside the file: until they are written, nothing has to be given up. More than
    /// come between two looks.
    package static let spareMessages = 512

    /// Bytes on the disk above which the oldest readings are thinned.
    package let quota: Int

    /// A small outbox, and a small disk, leave less.
    package func reserve(of disk: DiskRoom) -> Int { min(Self.largestReserve, quota / 10, disk.total / 10) }

    /// - Parameters:
    ///   - used: bytes.
    ///   - spare: messages that the file has room for as it is.
    ///   - disk: nil where it is not known.
    package func verdict(used: Int, spare: Int, on disk: DiskRoom?) -> Verdict {
        guard used <= quota else { return .beyondQuota }
        // With some distance: a thinning gives room for a while only.
        let isFarBelowQuota = used < quota / 10 * 9
        guard let disk else { return isFarBelowQuota ? .ample : .enough }
        let reserve = reserve(of: disk)
        // One that is smaller than the reserve has not used it up, and has nothing worth giving.
        let isNearReserve = disk.free < reserve + reserve / 10 && used > reserve / 10 * 9
        if disk.free < reserve, used > reserve, spare < Self.spareMessages { return .beyondReserve }
        return isFarBelowQuota && !isNearReserve ? .ample : .enough
    }

    package init(quota: Int) {
        self.quota = quota
    }
}
