import GatewayModel
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
}
