import Glibc

/// The state directory held for one gateway: a lock on a file in it (flock(2)), until the process ends.
///
/// Two gateways on one directory would write into each other's ledger. The kernel gives the lock up with the process,
/// however it ends. Commands that change `devices.toml` lock the directory itself, for milliseconds, and are not kept
/// out by this.
public final class StateLock: Sendable {
    /// Another process holds it.
    public struct Held: Error, CustomStringConvertible, Sendable {
        public let path: String
        /// Nil where it is not known.
        public let pid: Int32?

        public var description: String {
            let holder = pid.map { "the gateway with the process ID \($0)" } ?? "another gateway"
            return "\(path): \(holder) uses this state directory. Expected that no other does: stop it "
                + "(systemctl stop homegateway), or give this one a [gateway] state_directory of its own"
        }
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Takes the lock. Blocks for as long as another process holds it, up to the limit: one that is being killed
    /// holds it until it is gone.
    ///
    /// - Parameters:
    ///   - directory: absolute.
    ///   - limit: 100 times as long as a process takes to die.
    /// - Returns: nil where the disk has no such file and takes none: the house is watched all the same.
    public static func take(
        in directory: String, within limit: Duration = .seconds(5)
    ) throws(Held) -> StateLock? {
        let path = directory + "/gateway.lock"
        let end = ContinuousClock.now.advanced(by: limit)
        while true {
            guard let descriptor = openFile(path) else { return nil }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                if isSame(descriptor, path) {
                    sign(descriptor)
                    return StateLock(descriptor)
                }
            } else if errno != EWOULDBLOCK, errno != EINTR {
                // A file system without locks.
                close(descriptor)
                return nil
            } else if ContinuousClock.now >= end {
                let pid = signature(of: descriptor)
                close(descriptor)
                throw Held(path: path, pid: pid)
            }
            close(descriptor)
            usleep(20_000)
        }
    }

    private static func openFile(_ path: String) -> Int32? {
        // Somebody may have taken our own rights to it.
        chmod(path, 0o600)
        var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // A directory in its place can be locked as well.
        if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        return descriptor < 0 ? nil : descriptor
    }

    /// Whether the file that is locked is the one that bears the name: not one that was removed meanwhile.
    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }

    private static func sign(_ descriptor: Int32) {
        let text = Array("\(getpid())\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static func signature(of descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        return Int32(text.prefix { $0.isNumber })
    }
}
