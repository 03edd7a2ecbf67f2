import CAdvertPeer
import GatewayModel
import WireFormats

// How many adverts a second one core takes through parse and filter, beside the same work as a bare C loop and
// beside a memcpy of the same bytes, in turns in the same run. The budget of a Raspberry Pi 4 is 200,000.

private let traffic = Traffic(advertisers: 1_000)
private let rounds = 2_000
private let turns = 5

private func perSecond(_ work: () -> Void) -> Double {
    let duration = ContinuousClock().measure(work)
    return Double(rounds * traffic.reports) / (Double(duration.wholeNanoseconds) / 1e9)
}

private func swift(_ filter: AdvertFilter) -> (rate: Double, matched: Int) {
    var intake = AdvertIntake(filter)
    var adverts: [Advert] = []
    let rate = perSecond {
        for round in 0..<rounds {
            let arrival = BootInstant(nanoseconds: Int64(round))
            adverts.removeAll(keepingCapacity: true)
            for event in traffic.events { intake.take(event.span, arrival: arrival, into: &adverts) }
        }
    }
    return (rate, intake.counts.matched / rounds)
}

private func peer() -> (rate: Double, matched: Int) {
    let addresses = traffic.ours.map(\.octets).sorted()
    var kept = [UInt8](repeating: 0, count: 256)
    var result = advert_peer_result()
    let rate = addresses.withUnsafeBufferPointer { addresses in
        Traffic.tagUUID.withUnsafeBufferPointer { uuid in
            var filter = advert_peer_filter(
                addresses: addresses.baseAddress, address_count: addresses.count,
                ibeacon_uuid: uuid.baseAddress, bthome: 1)
            return perSecond {
                for _ in 0..<rounds {
                    for event in traffic.events {
                        advert_peer_take(event, event.count, &filter, &kept, &result)
                    }
                }
            }
        }
    }
    return (rate, Int(result.matched) / rounds)
}

private func copying() -> Double {
    var kept = [UInt8](repeating: 0, count: 512)
    return perSecond {
        for _ in 0..<rounds {
            for event in traffic.events { advert_peer_copy(event, event.count, &kept) }
        }
    }
}

private func hundredths(_ number: Double) -> Double { Double(Int(number * 100 + 0.5)) / 100 }
private func millions(_ rate: Double) -> String { "\(hundredths(rate / 1_000_000)) M reports/s" }

private let high = Traffic.tagUUID.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
private let low = Traffic.tagUUID.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
private let rules: [AdvertFilter.Rule] =
    traffic.ours.map(AdvertFilter.Rule.address)
    + [.iBeacon(IBeacon.ProximityUUID(high: high, low: low), major: nil, minor: nil), .btHome]

print("\(traffic.reports) advertisers, a tenth wanted, \(rounds) rounds, one core; five turns")
for _ in 0..<turns {
    let ours = swift(AdvertFilter(rules))
    let peer = peer()
    let ratio = hundredths(ours.rate / peer.rate)
    print(
        "parse and filter \(millions(ours.rate)) (\(ours.matched) kept), C loop \(millions(peer.rate))"
            + " (\(peer.matched) kept), memcpy \(millions(copying())), ratio to C \(ratio)")
}
print("everything kept: \(millions(swift(AdvertFilter([.all])).rate))")
