import GatewayModel
import Glibc

/// Whether something accepts connections at a host and port.
public enum TCPProbe {
    public struct Failure: Error {
        public let reason: String
    }

    /// Connects to the first address that answers and closes at once.
    ///
    /// Blocks for at most `limit` an address, plus the name look-up, which the system bounds.
    public static func connect(host: String, port: Int, within limit: Duration) throws(Failure) {
        close(try open(host: host, port: port, within: limit))
    }

    /// The same, and leaves the socket to the caller. It blocks then, for at most `limit` an operation.
    public static func open(host: String, port: Int, within limit: Duration) throws(Failure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &list)
        guard result == 0 else {
            throw Failure(reason: "the name is not known (\(String(cString: gai_strerror(result))))")
        }
        defer { freeaddrinfo(list) }
        var failure = Failure(reason: "no address")
        var next = list
        while let entry = next {
            do throws(Failure) {
                return try attempt(entry.pointee, within: limit)
            } catch {
                failure = error
            }
            next = entry.pointee.ai_next
        }
        throw failure
    }

    private static func attempt(_ address: addrinfo, within limit: Duration) throws(Failure) -> Int32 {
        let descriptor = socket(
            address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        do throws(Failure) {
            try wait(for: descriptor, at: address, within: limit)
        } catch {
            close(descriptor)
            throw error
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var time = timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        return descriptor
    }

    private static func wait(
        for descriptor: Int32, at address: addrinfo, within limit: Duration
    ) throws(Failure) {
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return }
        guard errno == EINPROGRESS else { throw Failure(reason: String(cString: strerror(errno))) }
        guard Poll.wait([Poll.Interest(descriptor, events: POLLOUT)], timeout: limit).writable[0] else {
            throw Failure(reason: "no answer within \(limit.wholeMilliseconds / 1_000) s")
        }
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        guard number == 0 else { throw Failure(reason: String(cString: strerror(number))) }
    }
}
