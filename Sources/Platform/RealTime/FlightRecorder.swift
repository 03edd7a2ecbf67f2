import CLinux
import Glibc

/// Inputs that are being handled, in a mapped file that outlives the process (tmpfs).
///
/// An input is written here before it is handled, and cleared afterwards. An input that is found at the next
/// start was being handled when the process died. Recording is a copy and two stores, without a system call.
/// The file must lie in memory: a store to a page of a disk can wait for that disk.
///
/// `@unchecked Sendable`: each slot belongs to one thread at a time, as `Slot` says; the mapping never moves.
public final class FlightRecorder: @unchecked Sendable {
    /// Where inputs are handled: one after the other, but for requests.
    public enum Slot: Int, CaseIterable, Sendable {
        /// A message of the broker, on the mqtt thread.
        case message
        /// A command that is performed, in the command service.
        case command
        /// A request at the control socket, until its reply: up to `requestsAtOnce` of them.
        case request
        /// A command that is verified, in the inbox of the commands.
        case verification
        /// A file or a line of a program, on the thread of the sources.
        case source
    }

    /// An input in whose handling an earlier process died.
    public struct Found: Hashable, Sendable {
        public let slot: Slot
        public let bytes: [UInt8]
    }

    /// In bytes: the largest packet that the broker may send. Of a longer input the beginning is recorded.
    public static let room = 65_536
    public static let requestsAtOnce = 8

    private static let magic: UInt64 = 0x4847_464C_4947_4854
    /// `isBusy` and `count`, 4 bytes each, then the input.
    private static let head = 8
    private static let firstSlot = 4_096
    private static let slotSize = room + 4_096
    /// The slots, and the further places of requests.
    private static let places = Slot.allCases.count + requestsAtOnce - 1
    private static let size = firstSlot + places * slotSize

    private let start: UnsafeMutableRawPointer
    /// Inputs of the process before this one; empty after an orderly stop.
    public let found: [Found]

    /// Reads the inputs of an earlier process, and begins a new file in its place.
    ///
    /// - Parameter path: absolute, in a directory in memory (below /run, as a rule).
    public init(path: String) throws(SystemCallError) {
        // A new file each time: pages of the old one may still be mapped by a process that is ending.
        found = Self.leftovers(path)
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemCallError("unlink") }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemCallError("open") }
        defer { close(descriptor) }
        switch clinux_is_in_memory(descriptor) {
        case 1: break
        case 0:
            unlink(path)
            throw SystemCallError("recording on a disk", number: ENOTSUP)
        default: throw SystemCallError("fstatfs")
        }
        // Every page is taken now: a store must not find that the memory is full (SIGBUS).
        let result = posix_fallocate(descriptor, 0, off_t(Self.size))
        guard result == 0 else { throw SystemCallError("posix_fallocate", number: result) }
        guard let mapped = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            mapped != MAP_FAILED
        else { throw SystemCallError("mmap") }
        start = mapped
        start.storeBytes(of: Self.magic, as: UInt64.self)
    }

    deinit { munmap(start, Self.size) }

    /// From now until `end` a death of the process is put down to these bytes.
    ///
    /// - Parameter number: below `requestsAtOnce` for a request, 0 for another slot.
    public func begin(_ slot: Slot, number: Int = 0, _ bytes: [UInt8]) {
        let place = place(slot, number)
        let kept = min(bytes.count, Self.room)
        bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            (place + Self.head).copyMemory(from: base, byteCount: kept)
        }
        (place + 4).storeBytes(of: UInt32(kept), as: UInt32.self)
        clinux_store_release(place.assumingMemoryBound(to: UInt32.self), 1)
    }

    public func end(_ slot: Slot, number: Int = 0) {
        let place = place(slot, number)
        clinux_store_release(place.assumingMemoryBound(to: UInt32.self), 0)
    }

    private func place(_ slot: Slot, _ number: Int) -> UnsafeMutableRawPointer {
        let index = number == 0 ? slot.rawValue : Slot.allCases.count + number - 1
        return start + Self.firstSlot + index * Self.slotSize
    }

    /// Nothing where there is no file, or another file than this type writes: damage never stops a start.
    private static func leftovers(_ path: String) -> [Found] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_size == off_t(size)
        else { return [] }
        var bytes = [UInt8](repeating: 0, count: size)
        guard pread(descriptor, &bytes, size, 0) == size else { return [] }
        func word(_ place: Int) -> UInt32 {
            bytes.withUnsafeBytes { $0.load(fromByteOffset: place, as: UInt32.self) }
        }
        guard bytes.withUnsafeBytes({ $0.load(as: UInt64.self) }) == magic else { return [] }
        return (0..<places).compactMap { index in
            let place = firstSlot + index * slotSize
            let slot = Slot(rawValue: index) ?? .request
            let count = Int(word(place + 4))
            guard word(place) == 1, count <= room else { return nil }
            return Found(slot: slot, bytes: Array(bytes[(place + head)..<(place + head + count)]))
        }
    }
}
