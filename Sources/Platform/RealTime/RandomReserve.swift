public import GatewayModel
import Glibc

/// The system's random numbers, fetched 32 at a time: one system call for as many instead of one each.
public struct RandomReserve: RandomNumberGenerator, Sendable {
    /// 256 bytes: the most that getentropy(3) gives at once.
    private var words = [UInt64](repeating: 0, count: 32)
    private var left = 0

    public init() {}

    public mutating func next() -> UInt64 {
        if left == 0 { refill() }
        left -= 1
        return words[left]
    }

    private mutating func refill() {
        left = words.count
        let result = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        guard result != 0 else { return }
        // A kernel without the call: the standard library knows other ways.
        var system = SystemRandomNumberGenerator()
        for index in words.indices { words[index] = system.next() }
    }
}

extension MessageID {
    /// A new id made at `wall`, with the system's random numbers.
    public static func random(at wall: WallTime) -> MessageID {
        var random = SystemRandomNumberGenerator()
        return MessageID(wall: wall, using: &random)
    }
}
