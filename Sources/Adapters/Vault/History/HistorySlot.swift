import GatewayModel

/// How history cuts time: into pieces of UTC, so that a change to summer time is nothing to it.
enum HistorySlot {
    /// Milliseconds that the readings of one row share. Each minute that row is written anew with what has come:
    /// a whole hour at 1 Hz would be some 20 kB each time, a quarter is 5 kB at most.
    static let raw: Int64 = 900_000
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000
    /// Roll-ups of one day share a row.
    static let day: Int64 = 86_400_000

    /// The number of the piece that a time lies in; floored, so that it is sound before 1970 as well.
    static func number(of time: Int64, length: Int64) -> Int64 {
        let quotient = time / length
        return time % length < 0 ? quotient - 1 : quotient
    }

    /// The quarters of an hour of a day.
    static func rawSlots(ofDay day: Int64) -> ClosedRange<Int64> {
        let perDay = Self.day / raw
        return day * perDay...day * perDay + perDay - 1
    }

    /// The slots that a row's place has room for.
    static let slots: ClosedRange<Int64> = -(1 << 31)...(1 << 31) - 1
    /// The times in them, some 60,000 years to either side: a clock that is off by more ends at the edge.
    static let times: ClosedRange<Int64> = -(1 << 31) * raw...((1 << 31) * raw - 1)

    /// A row by its series and its slot in one number: those of a series stand together, by time, and need no
    /// index besides.
    static func place(_ series: Int64, _ slot: Int64) -> Int64 {
        series << 32 + (slots.clamp(slot) - slots.lowerBound)
    }

    static func places(_ series: Int64, _ slots: ClosedRange<Int64>) -> ClosedRange<Int64> {
        place(series, slots.lowerBound)...place(series, slots.upperBound)
    }

    /// All of a series.
    static func places(of series: Int64) -> ClosedRange<Int64> { places(series, slots) }

    static func slot(ofPlace place: Int64) -> Int64 { (place & 0xFFFF_FFFF) + slots.lowerBound }
    static func series(ofPlace place: Int64) -> Int64 { place >> 32 }
}

extension ClosedRange<Int64> {
    func clamp(_ number: Int64) -> Int64 { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
