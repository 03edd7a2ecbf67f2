public import GatewayModel

/// Which of the box's radios hear no tag while others do: an antenna that came off, a radio that has gone deaf.
public struct QuietAntennas: Sendable {
    /// Reads of the others within the minute in which it has none. One tag of 100 ms is heard as often within ten
    /// seconds: whoever is that long in the range of one side of a road is heard on the other side as well.
    static let evidence = 100

    private let all: Range<UInt8>
    /// Until it hears a tag again: that nobody passes makes it no better.
    public private(set) var quiet: Set<UInt8> = []

    /// - Parameter count: how many radios the box has; their hits name them from 0 on.
    public init(count: Int) {
        all = 0..<UInt8(clamping: count)
    }

    /// To be called now and then: what `watch` has heard until `now` counts.
    public mutating func look(at watch: TagWatch, now: BootInstant) {
        let whole = watch.readsPerMinute(at: now)
        for antenna in all {
            let own = watch.reads(of: antenna).perMinute(at: now)
            if own > 0 { quiet.remove(antenna) }
            if own == 0, whole >= Self.evidence { quiet.insert(antenna) }
        }
    }
}
