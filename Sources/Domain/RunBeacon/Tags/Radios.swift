public import GatewayModel

/// The radios that send one tag's name, by their addresses: whether there are two at a time.
///
/// A tag that changes its address does so once in minutes and does not take the old one again. Addresses of which each
/// is heard again after another was are of as many radios. Three are told apart; of more, the last three.
struct Radios: Sendable {
    private struct Heard {
        let address: UInt64
        var last: BootInstant
    }

    /// An address heard again within this time is in use: tags that change it keep one for longer.
    private static let recent = Duration.seconds(10)
    /// So often within `recent` of each other: once might be an advertisement that was held up on its way.
    private static let returns = 2

    private var current: Heard
    private var others: (Heard?, Heard?) = (nil, nil)
    private var lastReturn: BootInstant?
    private var count = 0
    /// When two were last heard at a time.
    private(set) var cloned: BootInstant?

    init(_ address: UInt64, at arrival: BootInstant) {
        current = Heard(address: address, last: arrival)
    }

    mutating func hear(_ address: UInt64, at arrival: BootInstant) {
        guard address != current.address else {
            current.last = arrival
            return
        }
        let known = [others.0, others.1].compactMap(\.self).first { $0.address == address }
        if let known, known.last.duration(to: arrival) <= Self.recent { noteReturn(at: arrival) }
        let kept = others.0?.address == address ? others.1 : others.0
        others = (current, kept)
        current = Heard(address: address, last: arrival)
    }

    private mutating func noteReturn(at arrival: BootInstant) {
        let isFollowing = lastReturn.map { $0.duration(to: arrival) <= Self.recent } ?? false
        count = isFollowing ? count + 1 : 1
        lastReturn = arrival
        if count >= Self.returns { cloned = arrival }
    }
}

/// Tags at one of the box's radios: the last minute, and the last one.
public struct AntennaReads: Sendable {
    private static let seconds = 60

    /// The last one heard, and when.
    public private(set) var latest: TagHit?
    /// A ring: how many in which second.
    private var counts = [Int](repeating: 0, count: seconds)
    private var stamps = [Int64](repeating: -1, count: seconds)

    mutating func hear(_ hit: TagHit) {
        if latest.map({ $0.arrival <= hit.arrival }) ?? true { latest = hit }
        let second = hit.arrival.nanoseconds / 1_000_000_000
        let slot = Int(second.magnitude % UInt64(Self.seconds))
        if stamps[slot] < second { (stamps[slot], counts[slot]) = (second, 0) }
        if stamps[slot] == second { counts[slot] += 1 }
    }

    /// Hits in the 60 seconds before `now`.
    public func perMinute(at now: BootInstant) -> Int {
        let second = now.nanoseconds / 1_000_000_000
        return zip(stamps, counts).reduce(0) { sum, slot in
            slot.0 > second - Int64(Self.seconds) && slot.0 <= second ? sum + slot.1 : sum
        }
    }
}

/// Which of the box's radios hear no tag while others do: an antenna that came off, a radio that has gone deaf.
public struct QuietAntennas: Sendable {
    /// Reads of the others within the minute in which it has none. One tag of 100 ms is heard as often within ten
    /// seconds: a runner in the range of one side of a road for this time is heard on the other side as well.
    private static let evidence = 100

    private let all: Range<UInt8>
    /// Until it hears a tag again: that nobody passes makes it no better.
    public private(set) var quiet: Set<UInt8> = []

    /// - Parameter count: how many radios the box has; their hits name them from 0 on.
    public init(count: Int) {
        all = 0..<UInt8(clamping: count)
    }

    /// To be called now and then: the hits of `watch` until `now` count.
    public mutating func look(at watch: TagWatch, now: BootInstant) {
        let whole = watch.readsPerMinute(at: now)
        for antenna in all {
            let own = watch.reads(of: antenna).perMinute(at: now)
            if own > 0 { quiet.remove(antenna) }
            if own == 0, whole >= Self.evidence { quiet.insert(antenna) }
        }
    }
}
