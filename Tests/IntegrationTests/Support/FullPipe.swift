import Glibc
import TestSupport

/// A pipe that takes not one byte more: a terminal that was stopped, a journal that hangs.
final class FullPipe: Sendable {
    let path: String
    private let descriptor: Int32

    init(at path: String) throws {
        self.path = path
        mkfifo(path, 0o600)
        // Both ends are held here, so that opening it waits for nobody and nobody ever reads.
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", number: errno) }
        let bytes = [UInt8](repeating: 0x2E, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
    }

    deinit { close(descriptor) }
}
