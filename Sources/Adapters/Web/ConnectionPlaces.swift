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
/// this order, and of each the oldest. A new connection is refused only where all others are at work. Paired devices have
/// places of their own, and keep theirs as long as others have one. A flood costs each new connection the same, however
/// many there are.
package struct ConnectionPlaces: Sendable {
    package enum Phase: Sendable { case firstHead, body, work, reply, stream, idle, ended }

    private struct Place {
        let address: ClientAddress?
        var isPaired: Bool
        var phase = Phase.firstHead
        var since: BootInstant
        /// Number of the change that brought it into its phase: the order within a phase.
        var turn: UInt64

        /// Order of giving way; nil for a connection that keeps its place.
        var rank: Int? {
            switch phase {
            case .firstHead: 0
            case .idle: 1
            case .body: 2
            case .reply: 3
            case .work, .stream, .ended: nil
            }
        }
    }

    /// Connections of one phase in the order in which they came into it. One that has gone on leaves its entry behind.
    private struct Line {
        private var entries: [(socket: Int32, turn: UInt64)] = []
        private var first = 0

        /// - Parameter stands: whether an entry is still true.
        mutating func append(
            _ socket: Int32, _ turn: UInt64, most: Int, _ stands: ((socket: Int32, turn: UInt64)) -> Bool
        ) {
            entries.append((socket, turn))
            guard entries.count > 2 * most + 64 else { return }
            entries = entries[first...].filter(stands)
            first = 0
        }

        /// Returns the first connection whose entry is still true, and forgets the entries before it.
        mutating func head(_ stands: ((socket: Int32, turn: UInt64)) -> Bool) -> Int32? {
            while first < entries.count, !stands(entries[first]) { first += 1 }
            return first < entries.count ? entries[first].socket : nil
        }
    }

    /// Maximum number of addresses of paired devices: as many as sessions of the console. The earliest gives way.
    private static let mostPaired = 64

    private let limits: WebServer.Limits
    /// By socket.
    private var places: [Int32: Place] = [:]
    /// Addresses that have shown a session, the latest last.
    private var paired: [ClientAddress] = []
    /// Connections that have not been ended, by their address and by their network; those of paired devices; their number.
    private var byAddress: [ClientAddress: Set<Int32>] = [:]
    private var byNetwork: [UInt64: Set<Int32>] = [:]
    private var ofPaired: Set<Int32> = []
    private var count = 0
    /// Strangers that wait, by rank.
    private var lines = [Line](repeating: Line(), count: 4)
    private var turns: UInt64 = 0

    package init(_ limits: WebServer.Limits) { self.limits = limits }

    /// - Returns: the connections to end; the new one is among them where it has no place.
    package mutating func open(_ socket: Int32, from address: ClientAddress?, at now: BootInstant) -> [Int32] {
        close(socket)
        let isPaired = address.map(paired.contains) ?? false
        turns += 1
        places[socket] = Place(address: address, isPaired: isPaired, since: now, turn: turns)
        count += 1
        if let address { byAddress[address, default: []].insert(socket) }
        if let network = address?.network { byNetwork[network, default: []].insert(socket) }
        if isPaired { ofPaired.insert(socket) }
        wait(socket)

        var ended: [Int32] = []
        if let address, let own = byAddress[address], own.count > limits.perAddress, limits.perAddress > 0 {
            end(oldest(of: own, but: socket) ?? socket, &ended)
        }
        if !isPaired {
            if let network = address?.network, limits.perNetwork > 0, ended.last != socket {
                let strangers = (byNetwork[network] ?? []).filter {
                    places[$0].map { !$0.isPaired && $0.rank != nil } ?? false
                }
                if strangers.count > limits.perNetwork {
                    end(oldest(of: strangers, but: socket) ?? socket, &ended)
                }
            }
            let most = limits.connections - min(limits.reserved, limits.connections / 2)
            if most > 0, count - ofPaired.count > most, ended.last != socket {
                end(oldestStranger(but: socket) ?? socket, &ended)
            }
        }
        if limits.connections > 0, count > limits.connections, ended.last != socket {
            end(oldestStranger(but: socket) ?? oldest(of: ofPaired, but: socket) ?? socket, &ended)
        }
        return ended
    }

    private mutating func end(_ socket: Int32, _ ended: inout [Int32]) {
        leave(socket)
        places[socket]?.phase = .ended
        ended.append(socket)
    }

    /// The connection is not counted any more.
    private mutating func leave(_ socket: Int32) {
        guard let place = places[socket], place.phase != .ended else { return }
        count -= 1
        if let address = place.address { Self.remove(socket, from: &byAddress, at: address) }
        if let network = place.address?.network { Self.remove(socket, from: &byNetwork, at: network) }
        ofPaired.remove(socket)
    }

    private static func remove<Key>(_ socket: Int32, from groups: inout [Key: Set<Int32>], at key: Key) {
        groups[key]?.remove(socket)
        if groups[key]?.isEmpty ?? false { groups[key] = nil }
    }

    /// Puts a stranger that waits for its client at the end of its line.
    private mutating func wait(_ socket: Int32) {
        guard let place = places[socket], !place.isPaired, let rank = place.rank else { return }
        lines[rank].append(socket, place.turn, most: places.count) { [places] in Self.stands($0, places) }
    }

    private static func stands(_ entry: (socket: Int32, turn: UInt64), _ places: [Int32: Place]) -> Bool {
        places[entry.socket].map { $0.turn == entry.turn && !$0.isPaired && $0.rank != nil } ?? false
    }

    /// The stranger that gives way first; nil where none waits but the newest connection, which has come last.
    private mutating func oldestStranger(but newest: Int32) -> Int32? {
        for rank in lines.indices {
            let head = lines[rank].head { [places] in Self.stands($0, places) }
            if let head, head != newest { return head }
        }
        return nil
    }

    /// Of these, the connection that gives way first.
    private func oldest(of sockets: Set<Int32>, but newest: Int32) -> Int32? {
        sockets.filter { $0 != newest }.compactMap { socket in
            places[socket].flatMap { place in
                place.rank.map {
                    (socket: socket, order: ($0 + (place.isPaired ? lines.count : 0), place.turn))
                }
            }
        }.min { $0.order < $1.order }?.socket
    }

    package mutating func enter(_ phase: Phase, _ socket: Int32, at now: BootInstant) {
        // One that gives way stays so until the library has closed it.
        guard let place = places[socket], place.phase != .ended else { return }
        turns += 1
        places[socket] = Place(
            address: place.address, isPaired: place.isPaired, phase: phase, since: now, turn: turns)
        wait(socket)
    }

    /// A request of this connection showed a session: its address is that of a paired device from now on.
    package mutating func markPaired(_ socket: Int32) {
        guard let place = places[socket] else { return }
        places[socket]?.isPaired = true
        if place.phase != .ended { ofPaired.insert(socket) }
        guard let address = place.address else { return }
        paired.removeAll { $0 == address }
        paired.append(address)
        if paired.count > Self.mostPaired { paired.removeFirst() }
    }

    package mutating func close(_ socket: Int32) {
        leave(socket)
        places[socket] = nil
    }

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
