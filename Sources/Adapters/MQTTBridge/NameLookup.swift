import GatewayModel
import Glibc
import RealTime
import Synchronization

/// One address of a broker, with its port.
struct SocketAddress: Sendable {
    let family: Int32
    /// A sockaddr_in or sockaddr_in6.
    let bytes: [UInt8]
}

/// One name look-up, on a thread of its own: getaddrinfo(3) cannot be cut short, and while it hangs the mqtt
/// thread must still be able to stop. The thread ends with the look-up, whoever still waits for it.
final class NameLookup: Sendable {
    enum Outcome: Sendable {
        case found([SocketAddress])
        case failed(String)
    }

    private let outcome = Mutex<Outcome?>(nil)
    /// Signalled when there is one.
    let done: Wakeup

    var result: Outcome? { outcome.withLock { $0 } }

    /// Starts at once.
    /// - Parameter ask: blocks for as long as it likes.
    init(
        of broker: BrokerEndpoint, by ask: @escaping @Sendable (BrokerEndpoint) -> Outcome
    ) throws(SystemCallError) {
        done = try Wakeup()
        _ = try NamedThread("mqtt-lookup") { [self] in
            let found = ask(broker)
            outcome.withLock { $0 = found }
            done.signal()
        }
    }

    /// The system's resolver (resolv.conf(5): up to 5 s, twice, per name server).
    static func system(_ broker: BrokerEndpoint) -> Outcome {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(broker.host, String(broker.port), &hints, &list)
        guard result == 0 else {
            return .failed("cannot look up \(broker.host): \(String(cString: gai_strerror(result)))")
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr {
                let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
                addresses.append(SocketAddress(family: entry.ai_family, bytes: Array(bytes)))
            }
            next = entry.ai_next
        }
        return .found(addresses)
    }
}
