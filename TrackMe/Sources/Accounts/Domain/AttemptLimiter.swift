public import GatewayModel

/// Limits tries of passwords, codes and registrations by their counts. Pure.
///
/// Memory is bounded by the counts of the lanes: only an admitted try adds to a count. Sign-ins by passkeys have no lane: their
/// addresses are counted while there are fewer than `mostCounts` counts.
public struct AttemptLimiter: Sendable {
    /// More than the lanes fill: 150 tries in each of 15 minutes and of five lanes, with four counts each. Some 20 MB.
    static let mostCounts = 65_536

    private var times: [AttemptCount: [BootInstant]] = [:]
    private var cleaned = BootInstant(nanoseconds: 0)

    public init() {}

    /// Returns whether none of the counts that bound a try is full.
    public func admits(_ attempt: Attempt, at now: BootInstant) -> Bool {
        attempt.bounds.allSatisfy { recent($0, now).count < $0.kind.most }
    }

    /// Counts a try as a wrong one until its end, so that tries at one time are bounded as well. Returns false for a refused
    /// one.
    public mutating func begin(_ attempt: Attempt, at now: BootInstant) -> Bool {
        guard admits(attempt, at: now) else { return false }
        for count in attempt.counts { add(count, now) }
        removeOld(now)
        return true
    }

    /// Takes the right password, code or registration of an admitted try out of the counts of wrong ones.
    public mutating func succeed(_ attempt: Attempt) {
        for count in attempt.counts {
            switch count.kind.onSuccess {
            case .clear: times[count] = nil
            case .refund: times[count] = times[count].map { Array($0.dropLast()) }
            case .keep: break
            }
        }
    }

    /// Records the result of a try at another server.
    public mutating func record(_ count: AttemptCount, isGood: Bool, at now: BootInstant) {
        if !isGood { add(count, now) } else if count.kind.onSuccess == .clear { times[count] = nil }
    }

    private mutating func add(_ count: AttemptCount, _ now: BootInstant) {
        guard count.kind != .passkeyAddress || times[count] != nil || times.count < Self.mostCounts else {
            return
        }
        times[count] = Array((recent(count, now) + [now]).suffix(count.kind.most))
    }

    private func recent(_ count: AttemptCount, _ now: BootInstant) -> [BootInstant] {
        (times[count] ?? []).filter { $0.advanced(by: count.kind.interval) > now }
    }

    private mutating func removeOld(_ now: BootInstant) {
        guard cleaned.advanced(by: .seconds(60)) <= now else { return }
        cleaned = now
        times = times.filter { count, times in
            times.last.map { $0.advanced(by: count.kind.interval) > now } ?? false
        }
    }
}
