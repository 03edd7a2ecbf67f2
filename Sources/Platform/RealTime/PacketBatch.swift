import CLinux
import Glibc

/// Room for a batch of packets, filled by one system call. Used by one thread.
///
/// On a busy radio most of a reader's time is system calls: one for many packets instead of one each.
public struct PacketBatch: ~Copyable, Sendable {
    private var bytes: [UInt8]
    private var lengths: [UInt32]
    private let slot: Int
    private var count = 0

    /// - Parameters:
    ///   - packets: at most so many at once; the kernel's wrapper uses no more than 64.
    ///   - size: of the longest packet, in bytes. Longer ones are cut.
    public init(packets: Int, size: Int) {
        bytes = [UInt8](repeating: 0, count: packets * size)
        lengths = [UInt32](repeating: 0, count: packets)
        slot = size
    }

    /// Takes what waits at the socket, in place of what was here. Never waits itself.
    /// - Returns: how many packets; 0 when none waits.
    public mutating func receive(from descriptor: Int32) throws(SystemCallError) -> Int {
        count = 0
        let received = clinux_receive_batch(descriptor, &bytes, slot, UInt32(lengths.count), &lengths)
        guard received >= 0 else {
            if errno == EAGAIN || errno == EINTR { return 0 }
            throw SystemCallError("recvmmsg")
        }
        count = Int(received)
        return count
    }

    /// Each packet where it lies, in order of arrival.
    public borrowing func visit(_ body: (Span<UInt8>) -> Void) {
        let all = bytes.span
        for index in 0..<count {
            let start = index * slot
            body(all.extracting(start..<start + min(Int(lengths[index]), slot)))
        }
    }
}
