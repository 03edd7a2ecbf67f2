import GatewayModel

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
