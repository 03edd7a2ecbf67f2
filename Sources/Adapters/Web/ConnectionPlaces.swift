import CMicroHTTPD
package import GatewayModel
import Glibc

/// Address of a client. An IPv4 address has its form within IPv6 (RFC 4291, section 2.5.5.2).
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    private let high, low: UInt64

    /// Nil where the library does not know it, and for an address of another family.
    init?(of connection: OpaquePointer) {
        guard let address = cmicrohttpd_address(connection) else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let number = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            (high, low) = (0, 0xFFFF << 32 | UInt64(UInt32(bigEndian: number)))
        case AF_INET6:
            let bytes = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            let halves = withUnsafeBytes(of: bytes) { bytes in
                [0, 8].map { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
            }
            (high, low) = (halves[0], halves[1])
        default: return nil
        }
    }

    /// - Parameters:
    ///   - high: the network of an IPv6 address; 0 for IPv4.
    ///   - low: the rest of an IPv6 address.
    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// In hexadecimal digits.
    package var description: String { "\(String(high, radix: 16)):\(String(low, radix: 16))" }

    /// The /64 network of an IPv6 address: one client can have all its addresses. Nil for IPv4 and this machine itself.
    var network: UInt64? { high == 0 ? nil : high }
}

/// Places of the connections: decides which connection ends when they run out. Pure.
///
/// Connections that wait for their client end first: half a head, an idle one, half a body, an answer that is not read, in
/// this order, and of each the oldest. A new connection is refused only where all others are at work. Paired devices have places of their own, and keep theirs
/// as long as others have one.
package struct ConnectionPlaces: Sendable {
    package enum Phase: Sendable { case firstHead, body, work, reply, stream, idle, ended }

    private struct Place {
        let address: ClientAddress?
        var isPaired: Bool
        var phase = Phase.firstHead
        var since: BootInstant

        /// Order of giving way; nil for a connection that keeps its place.
        var rank: Int? {
            let rank: Int
            switch phase {
            case .firstHead: rank = 0
            case .idle: rank = 1
            case .body: rank = 2
            case .reply: rank = 3
            case .work, .stream, .ended: return nil
            }
            return isPaired ? rank + 4 : rank
        }
    }

    /// Maximum number of addresses of paired devices: as many as sessions of the console. The earliest gives way.
    private static let mostPaired = 64

    private let limits: WebServer.Limits
    /// By socket.
    private var places: [Int32: Place] = [:]
    /// Addresses that have shown a session, the latest last.
    private var paired: [ClientAddress] = []

    package init(_ limits: WebServer.Limits) { self.limits = limits }

    /// - Returns: the connections to end; the new one is among them where it has no place.
    package mutating func open(_ socket: Int32, from address: ClientAddress?, at now: BootInstant) -> [Int32] {
        let isPaired = address.map(paired.contains) ?? false
        places[socket] = Place(address: address, isPaired: isPaired, since: now)
        var ended: [Int32] = []
        func bound(to most: UInt32, _ belongs: (Place) -> Bool) {
            guard most > 0, let victim = victim(most, keeping: socket, belongs) else { return }
            places[victim]?.phase = .ended
            ended.append(victim)
        }
        if let address { bound(to: limits.perAddress) { $0.address == address } }
        if !isPaired {
            if let network = address?.network {
                bound(to: limits.perNetwork) {
                    !$0.isPaired && $0.address?.network == network && $0.rank != nil
                }
            }
            bound(to: limits.connections - min(limits.reserved, limits.connections / 2)) { !$0.isPaired }
        }
        bound(to: limits.connections) { _ in true }
        return ended
    }

    /// The connection that gives way where more than `most` belong together; nil where there are not more.
    private func victim(_ most: UInt32, keeping newest: Int32, _ belongs: (Place) -> Bool) -> Int32? {
        guard places[newest]?.phase != .ended else { return nil }
        var count = 0
        var found: (socket: Int32, rank: Int, since: BootInstant)?
        for (socket, place) in places where place.phase != .ended && belongs(place) {
            count += 1
            guard socket != newest, let rank = place.rank else { continue }
            if let found, (found.rank, found.since) < (rank, place.since) { continue }
            found = (socket, rank, place.since)
        }
        return count > most ? found?.socket ?? newest : nil
    }

    package mutating func enter(_ phase: Phase, _ socket: Int32, at now: BootInstant) {
        // One that gives way stays so until the library has closed it.
        guard places[socket]?.phase != .ended else { return }
        places[socket]?.phase = phase
        places[socket]?.since = now
    }

    /// A request of this connection showed a session: its address is that of a paired device from now on.
    package mutating func markPaired(_ socket: Int32) {
        places[socket]?.isPaired = true
        guard let address = places[socket]?.address else { return }
        paired.removeAll { $0 == address }
        paired.append(address)
        if paired.count > Self.mostPaired { paired.removeFirst() }
    }

    package mutating func close(_ socket: Int32) { places[socket] = nil }

    /// Connections that are in their phase for too long. The library knows pauses only, not the whole time.
    func overdue(at now: BootInstant) -> [Int32] {
        places.compactMap { socket, place in
            let limit: Duration? =
                switch place.phase {
                case .firstHead: limits.headTime
                case .body: limits.bodyTime
                // A next head that comes, or an answer that goes, byte by byte.
                case .idle, .reply: .seconds(2 * Int64(limits.idleSeconds))
                case .work, .stream, .ended: nil
                }
            return limit.map { place.since.duration(to: now) >= $0 } == true ? socket : nil
        }
    }
}
