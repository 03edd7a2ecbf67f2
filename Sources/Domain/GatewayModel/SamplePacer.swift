/// Chooses the readings that are sent to the broker, where a kind of reading of a person has an interval: the first reading
/// that arrives in each interval.
///
/// Pure: instants are those of arrival. A reading is sent as it was measured, without delay, and none is kept back for later:
/// a kill loses nothing. Each wearable has its own intervals, so that one wearable cannot hide another.
public struct SamplePacer: Sendable {
    /// Seconds of an interval that settings and commands may name; 0 sends every reading.
    public static let seconds: ClosedRange<Int64> = 0...3_600

    private struct Series: Hashable {
        let person: PersonID
        let device: DeviceID
        let kind: QuantityKind
    }

    private struct Pace {
        let interval: Duration
        /// Arrival of the last reading that was sent.
        var last: BootInstant
        /// From here on the next reading is sent.
        var due: BootInstant
    }

    /// Series with an interval. Bounded by the wearables and sources of the settings.
    private var paces: [Series: Pace] = [:]

    public init() {}

    /// Returns whether values of a kind that came with a reading are sent, and counts them as sent if so.
    ///
    /// Single measurements, stored records and undated values are always sent: each is complete in itself. Values of one
    /// notification arrive at the same instant and leave together.
    ///
    /// - Parameters:
    ///   - kind: the reading's own, or that of the intervals between beats that leave with it.
    ///   - interval: zero sends every reading.
    ///   - isPressing: the reading is near a limit, or its person has an open alarm: it is always sent.
    public mutating func admits(
        _ kind: QuantityKind, of reading: Reading, every interval: Duration, isPressing: Bool
    ) -> Bool {
        let series = Series(person: reading.person, device: reading.device, kind: kind)
        guard interval > .zero else {
            paces[series] = nil
            return true
        }
        guard reading.currency == .live, reading.sampling == .stream else { return true }
        let now = reading.arrival.boot
        guard var pace = paces[series], pace.interval == interval else {
            paces[series] = Pace(interval: interval, last: now, due: now.advanced(by: interval))
            return true
        }
        let isDue = now >= pace.due
        guard isDue || isPressing || now == pace.last else { return false }
        pace.last = now
        if isDue {
            // From the earlier due time, not from now: a stream that arrives with jitter keeps its mean interval.
            let next = pace.due.advanced(by: interval)
            pace.due = next > now ? next : now.advanced(by: interval)
        }
        paces[series] = pace
        return true
    }
}
