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

    /// Takes the packets that wait at the socket, in place of earlier ones. Never waits itself.
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

/// A classic BPF program that the kernel runs on each packet before it queues it at a socket (socket(7),
/// SO_ATTACH_FILTER): packets that the program refuses are never copied here.
public struct SocketFilter: Hashable, Sendable {
    /// One step. Jumps are counted from the step after.
    public enum Step: Hashable, Sendable {
        /// Loads one byte at an offset of the packet. A packet that ends before it is refused.
        case byte(at: UInt32)
        /// Loads two bytes, the first as the more significant, for any protocol.
        case pair(at: UInt32)
        case ifEqual(UInt32, then: UInt8, otherwise: UInt8)
        case accept, refuse
    }

    public let steps: [Step]

    public init(_ steps: [Step]) { self.steps = steps }

    /// Replaces the socket's filter.
    public func attach(to descriptor: Int32) throws(SystemCallError) {
        let program = steps.map(\.compiled)
        guard clinux_attach_filter(descriptor, program, UInt16(program.count)) == 0 else {
            throw SystemCallError("setsockopt SO_ATTACH_FILTER")
        }
    }

    /// How many packets the kernel has dropped since the socket was opened because nobody read in time.
    public static func drops(at descriptor: Int32) -> UInt32 { clinux_socket_drops(descriptor) }
}

extension SocketFilter.Step {
    /// The codes of linux/bpf_common.h, which are macros that do not import.
    fileprivate var compiled: clinux_filter_step {
        func step(_ code: UInt16, _ operand: UInt32, _ then: UInt8 = 0, _ otherwise: UInt8 = 0)
            -> clinux_filter_step
        {
            clinux_filter_step(code: code, if_true: then, if_false: otherwise, operand: operand)
        }
        return switch self {
        case .byte(let offset): step(0x30, offset)  // BPF_LD | BPF_B | BPF_ABS
        case .pair(let offset): step(0x28, offset)  // BPF_LD | BPF_H | BPF_ABS
        // BPF_JMP | BPF_JEQ | BPF_K
        case .ifEqual(let value, let then, let otherwise): step(0x15, value, then, otherwise)
        case .accept: step(0x06, UInt32.max)  // BPF_RET: keep the whole packet
        case .refuse: step(0x06, 0)
        }
    }
}
