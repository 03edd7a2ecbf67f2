import ControlContract
package import Glibc
import RealTime

/// The few calls of a stream socket in the file system.
package enum UnixSocket {
    /// `sun_path` of unix(7), less its closing zero.
    package static let longestPath = 107

    /// Listens at `path`, by default readable and writable for owner and group.
    ///
    /// A socket left behind by a run that died is replaced; one that answers is not.
    package static func listen(at path: String, mode: mode_t = 0o660) throws -> Int32 {
        if let other = try? connect(to: path) {
            close(other)
            throw ControlError("another gateway already listens at \(path); stop it first")
        }
        unlink(path)
        let descriptor = try open()
        let bound = withAddress(path) { bind(descriptor, $0, $1) }
        guard bound == 0, chmod(path, mode) == 0, Glibc.listen(descriptor, 16) == 0 else {
            let failure = SystemCallError("listening at \(path)")
            close(descriptor)
            throw ControlError("\(failure); check that the directory exists and may be written to")
        }
        return descriptor
    }

    package static func connect(to path: String) throws -> Int32 {
        let descriptor = try open()
        // Also bounds connect(2), which waits while the gateway's queue of callers is full.
        setLimit(SO_SNDTIMEO, descriptor, .seconds(5))
        guard withAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let number = errno
            close(descriptor)
            throw ControlError(hint(for: number, at: path))
        }
        return descriptor
    }

    /// Account of the process that has connected, as the kernel recorded it (SO_PEERCRED of unix(7)); nil where the kernel
    /// does not say.
    package static func peer(of descriptor: Int32) -> uid_t? {
        // struct ucred: pid, uid, gid.
        var credentials: [UInt32] = [0, 0, 0]
        let expected = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
        var size = expected
        let result = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        return result == 0 && size == expected ? credentials[1] : nil
    }

    package static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    package static func setReceiveLimit(_ descriptor: Int32, _ limit: Duration) {
        setLimit(SO_RCVTIMEO, descriptor, limit)
    }

    private static func setLimit(_ option: Int32, _ descriptor: Int32, _ limit: Duration) {
        var time = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func hint(for number: Int32, at path: String) -> String {
        switch number {
        case ENOENT, ECONNREFUSED:
            "no gateway answers at \(path); is it running? (systemctl status homegateway; for another socket: "
                + "--socket FILE, or the environment variable \(ControlClient.socketVariable))"
        case EAGAIN:
            "the gateway at \(path) does not take the connection; see its log"
        case EACCES:
            "not allowed to use \(path); run as root or as a member of the group homegateway"
        default:
            "\(SystemCallError("connecting to \(path)", number: number))"
        }
    }

    private static func open() throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ControlError("\(SystemCallError("socket"))") }
        return descriptor
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        guard path.utf8.count <= longestPath else {
            errno = ENAMETOOLONG
            return -1
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
