import GatewayModel
import SeededRandom
import Testing
import Web

@Suite struct `Places of connections` {
    private static func at(_ number: Int32) -> BootInstant { BootInstant(nanoseconds: Int64(number) + 1) }

    private func places(_ change: (inout WebServer.Limits) -> Void) -> ConnectionPlaces {
        var limits = WebServer.Limits()
        change(&limits)
        return ConnectionPlaces(limits)
    }

    @Test func `of IPv6 are counted by the network too, where one client can have each address`() {
        var places = places { $0.perNetwork = 10 }
        let networks: [UInt64] = [0x2001_0DB8_0000_0001, 0x2001_0DB8_0000_0002]
        for number in Int32(0)..<10 {
            let address = ClientAddress(high: networks[0], low: UInt64(number))
            #expect(places.open(number, from: address, at: Self.at(number)).isEmpty)
        }
        #expect(places.open(10, from: ClientAddress(high: networks[1], low: 1), at: Self.at(10)).isEmpty)
        #expect(places.open(11, from: ClientAddress(high: networks[0], low: 99), at: Self.at(11)) == [0])
        // A stream is at work, and a paired device of the same network does not count.
        places.enter(.stream, 1, at: Self.at(12))
        #expect(places.open(13, from: ClientAddress(high: networks[0], low: 98), at: Self.at(13)).isEmpty)
        places.markPaired(2)
        #expect(places.open(14, from: ClientAddress(high: networks[0], low: 97), at: Self.at(14)).isEmpty)
        #expect(places.open(15, from: ClientAddress(high: networks[0], low: 2), at: Self.at(15)).isEmpty)
        #expect(places.open(16, from: ClientAddress(high: networks[0], low: 96), at: Self.at(16)) == [3])
    }

    @Test func `of IPv4 are not counted by a network`() {
        var places = places { $0.perNetwork = 2 }
        for number in Int32(0)..<10 {
            let address = ClientAddress(high: 0, low: 0xFFFF << 32 | UInt64(number))
            #expect(places.open(number, from: address, at: Self.at(number)).isEmpty)
        }
    }

    @Test func `of paired devices are used by strangers never, and end last`() {
        var places = places { ($0.connections, $0.reserved) = (4, 2) }
        let paired = ClientAddress(high: 0, low: 1)
        func stranger(_ number: Int32) -> ClientAddress { ClientAddress(high: 0, low: UInt64(number) + 100) }
        #expect(places.open(0, from: paired, at: Self.at(0)).isEmpty)
        places.markPaired(0)
        for number in Int32(1)...2 {
            #expect(places.open(number, from: stranger(number), at: Self.at(number)).isEmpty)
        }
        #expect(places.open(3, from: stranger(3), at: Self.at(3)) == [1])
        #expect(places.open(4, from: paired, at: Self.at(4)).isEmpty)
        // Beyond their own places, the half heads of strangers give way first.
        #expect(places.open(5, from: paired, at: Self.at(5)) == [2])
        places.enter(.stream, 3, at: Self.at(6))
        #expect(places.open(7, from: paired, at: Self.at(7)) == [0])
    }

    /// The rule as a look at all connections at once.
    private struct Look {
        struct Place {
            let address: ClientAddress
            var isPaired: Bool
            var phase = ConnectionPlaces.Phase.firstHead
            var since: Int
        }

        let limits: WebServer.Limits
        var places: [Int32: Place] = [:]
        var paired: [ClientAddress] = []

        static func rank(_ place: Place) -> Int? {
            let order: [ConnectionPlaces.Phase] = [.firstHead, .idle, .body, .reply]
            return order.firstIndex(of: place.phase).map { place.isPaired ? $0 + 4 : $0 }
        }

        mutating func open(_ socket: Int32, from address: ClientAddress, at now: Int) -> [Int32] {
            let isPaired = paired.contains(address)
            places[socket] = Place(address: address, isPaired: isPaired, since: now)
            var ended: [Int32] = []
            func bound(to most: UInt32, _ belongs: (Place) -> Bool) {
                let members = places.filter { $0.value.phase != .ended && belongs($0.value) }
                guard members[socket] != nil, members.count > most else { return }
                let victim = members.filter { $0.key != socket && Self.rank($0.value) != nil }.min {
                    (Self.rank($0.value) ?? 0, $0.value.since) < (Self.rank($1.value) ?? 0, $1.value.since)
                }
                ended.append(victim?.key ?? socket)
                places[victim?.key ?? socket]?.phase = .ended
            }
            bound(to: limits.perAddress) { $0.address == address }
            if !isPaired {
                bound(to: limits.connections - limits.reserved) { !$0.isPaired }
            }
            bound(to: limits.connections) { _ in true }
            return ended
        }
    }

    @Test(arguments: 1...20) func `give way as by a look at all of them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var limits = WebServer.Limits()
        (limits.connections, limits.reserved, limits.perAddress) = (12, 3, 4)
        var (places, look) = (ConnectionPlaces(limits), Look(limits: limits))
        var gone = 0
        for step in 0..<3_000 {
            let socket = Int32.random(in: 0..<40, using: &random)
            let known = look.places[socket]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5 where known == nil:
                let address = ClientAddress(high: 0, low: UInt64.random(in: 1...6, using: &random))
                let ended = look.open(socket, from: address, at: step)
                #expect(places.open(socket, from: address, at: Self.at(Int32(step))) == ended)
                gone += ended.count
            case 5..<8 where known != nil && known?.phase != .ended:
                let phases: [ConnectionPlaces.Phase] = [.firstHead, .body, .work, .reply, .stream, .idle]
                let phase = phases[Int.random(in: phases.indices, using: &random)]
                look.places[socket]?.phase = phase
                look.places[socket]?.since = step
                places.enter(phase, socket, at: Self.at(Int32(step)))
            case 8 where known?.address == ClientAddress(high: 0, low: 1):
                look.places[socket]?.isPaired = true
                look.paired = [ClientAddress(high: 0, low: 1)]
                places.markPaired(socket)
            default:
                look.places[socket] = nil
                places.close(socket)
            }
        }
        #expect(gone > 100, "places ran out in the test")
    }
}
