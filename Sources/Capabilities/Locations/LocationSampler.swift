import GatewayModel

/// Selection of the positions that are kept and shared: for each person one in an interval. Pure.
struct LocationSampler: Sendable {
    private struct Last {
        let sampled: BootInstant
        /// When a wearable of the person gave a position; nil before the first.
        var worn: BootInstant?
    }

    private var last: [PersonID: Last] = [:]

    /// Returns whether the position of a person's wearable is to be sampled.
    mutating func takes(_ position: WearablePosition, every interval: Duration) -> Bool {
        let (person, now) = (position.person, position.arrival.boot)
        guard isDue(person, at: now, every: interval) else {
            last[person]?.worn = now
            return false
        }
        last[person] = Last(sampled: now, worn: now)
        return true
    }

    /// Returns the persons of `carriers` whose position is that of the box. A wearable that gave one within the interval
    /// goes first.
    mutating func takes(_ fix: Fix, of carriers: [PersonID], every interval: Duration) -> [PersonID] {
        let now = fix.arrival.boot
        return carriers.filter { person in
            if let worn = last[person]?.worn, worn.duration(to: now) < interval { return false }
            guard isDue(person, at: now, every: interval) else { return false }
            last[person] = Last(sampled: now, worn: last[person]?.worn)
            return true
        }
    }

    private func isDue(_ person: PersonID, at now: BootInstant, every interval: Duration) -> Bool {
        last[person].map { $0.sampled.duration(to: now) >= interval } ?? true
    }
}
