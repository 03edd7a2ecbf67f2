import GatewayModel
import Glibc
import RealTime

/// Whether something accepts connections at a host and port.
enum TCPProbe {
    struct Failure: Error {
        let reason: String
    }

    /// Connects to the first address that answers and closes at once.
    ///
    /// Blocks for at most `limit` an address, plus the name look-up, which the system bounds.
    static func connect(host: String, port: Int, within limit: Duration) throws(Failure) {
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
            guard let refusal = attempt(entry.pointee, within: limit) else { return }
            failure = refusal
            next = entry.pointee.ai_next
        }
        throw failure
    }

    /// - Returns: nil where it connected.
    private static func attempt(_ address: addrinfo, within limit: Duration) -> Failure? {
        let descriptor = socket(
            address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return Failure(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return Failure(reason: String(cString: strerror(errno))) }
        guard Poll.wait([Poll.Interest(descriptor, events: POLLOUT)], timeout: limit).writable[0] else {
            return Failure(reason: "no answer within \(limit.wholeMilliseconds / 1_000) s")
        }
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
        return number == 0 ? nil : Failure(reason: String(cString: strerror(number)))
    }
}
