import GatewayModel
import RealTime
import Testing

@testable import Wearables

/// 2026-01-15 08:31:00 UTC, in a house an hour ahead.
private let now: Int64 = 1_768_465_860
private let east: Int64 = 3_600
private let day: Int64 = 86_400

@Suite struct `The dating of a measurement` {
    private func date(
        _ secondsAgo: Int64, _ origin: ReadingMapper.Origin = .notified, clock: DeviceClock = DeviceClock()
    ) -> (currency: Reading.Currency, time: DeviceTime?) {
        Dating(zone: .fixed(eastOfUTC: east), clock: clock)
            .date(
                .local(now + east - secondsAgo), origin, arrival: WallTime(millisecondsSince1970: now * 1_000))
    }

    /// Found off by so much on each of the last connections, the last of them this one.
    private func clock(behind seconds: Int64, connections: Int) -> DeviceClock {
        var clock = DeviceClock()
        for connection in (0..<connections).reversed() {
            clock.connectionEnded()
            let then = now - Int64(connection) * day
            clock.read(showing: then + east - seconds, at: then, eastOfUTC: east)
        }
        return clock
    }

    @Test func `calls what is older than five minutes history`() {
        #expect(date(300).currency == .live)
        #expect(date(301).currency == .history)
        #expect(date(0, .store).currency == .history)
    }

    /// In the future, before 2015.
    @Test(arguments: [-301, -3_600, 400_000_000] as [Int64])
    func `leaves undated, as of its arrival, what came unasked with a time that cannot be meant`(seconds: Int64)
    {
        #expect(date(seconds).currency == .undated)
        #expect(date(seconds).time == nil)
        for origin: ReadingMapper.Origin in [.record, .store] {
            #expect(date(seconds, origin).currency == .history)
        }
    }

    @Test func `takes what is later than its clock shows for a record of before that was put back`() {
        #expect(date(-3_600, clock: clock(behind: 190_000_000, connections: 1)).currency == .history)
        #expect(date(-3_600, clock: clock(behind: 0, connections: 2)).currency == .history)
    }

    @Test func `believes a record that was asked for only by a clock that is known`() {
        #expect(date(10, .record).currency == .history)
        #expect(date(10, .record, clock: clock(behind: 0, connections: 1)).currency == .live)
        #expect(date(301, .record, clock: clock(behind: 0, connections: 1)).currency == .history)
        #expect(date(10, .store, clock: clock(behind: 0, connections: 2)).currency == .history)
    }

    @Test(arguments: [3_600, -3_600, 31_536_000] as [Int64])
    func `dates by a clock that is off once it was found so twice`(behind: Int64) {
        let once = clock(behind: behind, connections: 1)
        #expect(date(behind + 10, clock: once).currency == .undated)
        #expect(date(behind + 10, .record, clock: once).currency == .history)
        #expect(date(behind + 3_600, clock: once).currency == .history)
        let known = clock(behind: behind, connections: 2)
        let fresh = date(behind + 10, clock: known)
        #expect(fresh.currency == .live)
        #expect(fresh.time?.corrected == WallTime(millisecondsSince1970: (now - 10) * 1_000))
        #expect(date(behind + 3_600, clock: known).currency == .history)
        #expect(date(behind + 10, .record, clock: known).currency == .live)
    }

    @Test func `takes a record that comes an hour late for no reading of now, whatever the clock is off by`() {
        for behind: Int64 in [-7_200, -3_600, 0, 3_600, 7_200] {
            for connections in 0...3 {
                for origin: ReadingMapper.Origin in [.notified, .record] where connections > 0 || behind == 0 {
                    let known = clock(behind: behind, connections: connections)
                    #expect(date(behind + 3_600, origin, clock: known).currency == .history)
                }
            }
        }
    }

    @Test func `reads a device's time as the house's`() {
        let zone = LocalZone { wall in wall.millisecondsSince1970 < 1_774_746_000_000 ? 3_600 : 7_200 }
        // 2026-03-29 01:59:59 is winter time, 03:00:00 summer time, one second later.
        #expect(zone.wall(ofLocal: 1_774_749_599).millisecondsSince1970 == 1_774_745_999_000)
        #expect(zone.wall(ofLocal: 1_774_753_200).millisecondsSince1970 == 1_774_746_000_000)
    }
}

@Suite struct `A device's clock` {
    /// Shows so much less than the house's.
    private func read(_ clock: inout DeviceClock, behind seconds: Int64, at now: Int64, east: Int64 = east) {
        clock.connectionEnded()
        clock.read(showing: now + east - seconds, at: now, eastOfUTC: east)
    }

    @Test func `is known at once where it is right, and where it is off when it was found so again`() {
        var right = DeviceClock()
        read(&right, behind: 30, at: now)
        #expect(right.offset(of: now)?.isSure == true)
        var off = DeviceClock()
        read(&off, behind: 3_600, at: now)
        #expect(off.offset(of: now)?.isSure == false)
        read(&off, behind: 3_610, at: now + day)
        #expect(off.offset(of: now)?.isSure == true)
    }

    @Test func `is not known after somebody has touched it`() {
        var clock = DeviceClock()
        read(&clock, behind: 0, at: now)
        read(&clock, behind: 3_600, at: now + day)
        #expect(clock.offset(of: now)?.isSure == false)
        // A new battery.
        read(&clock, behind: 190_000_000, at: now + 2 * day)
        #expect(clock.offset(of: now)?.isSure == false)
    }

    @Test func `is the same when the house changes to summer time and the device does not`() {
        var clock = DeviceClock()
        read(&clock, behind: 0, at: now)
        read(&clock, behind: 3_600, at: now + 90 * day, east: 7_200)
        #expect(clock.offset(of: now)?.isSure == true)
    }

    @Test func `holds as it was last seen until it is read on the next connection`() {
        var clock = DeviceClock()
        read(&clock, behind: 3_600, at: now)
        read(&clock, behind: 3_600, at: now + day)
        clock.connectionEnded()
        #expect(clock.offset(of: now)?.seconds == 3_600 - east)
        #expect(clock.offset(of: now)?.isSure == true)
    }

    @Test func `is known from when it was set forward, and before that as far as it was`() {
        var clock = DeviceClock()
        let shown = now + east - 31_536_000
        read(&clock, behind: 31_536_000, at: now)
        clock.wasSet(eastOfUTC: east)
        #expect(clock.offset(of: shown - 60)?.isSure == false)
        let after = clock.offset(of: now + east + 5)
        #expect(after?.seconds == -east && after?.isSure == true)
        read(&clock, behind: 0, at: now + day)
        #expect(clock.offset(of: now + east + 5)?.isSure == true)
    }

    @Test func `leaves in doubt the time that it shows twice when it is set back`() {
        var clock = DeviceClock()
        let shown = now + east + 3_600
        read(&clock, behind: -3_600, at: now)
        clock.wasSet(eastOfUTC: east)
        #expect(clock.offset(of: shown - 10)?.isSure == false)
        #expect(clock.offset(of: shown + 10)?.isSure == true)
        read(&clock, behind: 0, at: now + 1_800)
        #expect(clock.offset(of: shown - 1_800)?.isSure == false)
        read(&clock, behind: 0, at: now + day)
        #expect(clock.offset(of: now + east + day)?.isSure == true)
    }

    @Test func `that takes no notice of being set is known by what it is off`() {
        var clock = DeviceClock()
        for connection: Int64 in 0..<3 {
            read(&clock, behind: 3_600, at: now + connection * day)
            clock.wasSet(eastOfUTC: east)
        }
        clock.connectionEnded()
        let known = clock.offset(of: now + 3 * day)
        #expect(known?.seconds == 3_600 - east && known?.isSure == true)
    }

    @Test func `that was never read says nothing`() {
        var clock = DeviceClock()
        clock.wasSet(eastOfUTC: east)
        clock.connectionEnded()
        #expect(clock.offset(of: now) == nil)
    }
}
