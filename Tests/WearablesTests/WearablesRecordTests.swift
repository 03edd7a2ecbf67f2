import GatewayModel
import ModelSamples
import RealTime
import Testing
import WireFormats

@testable import Wearables

/// Measurements that a device has dated itself, reported by one run of the gateway after the other.
@Suite struct `A record of a wearable` {
    /// 2026-01-15 08:31:00 UTC; the house is an hour ahead.
    private static let noon = Moment(
        boot: BootInstant(nanoseconds: 9_000_000_000), wall: WallTime(millisecondsSince1970: 1_768_465_860_000))

    private static let house = GatewayID(sample: "house-12")
    /// 2026-01-15 09:30, of some pressures.
    private static let cuff = "02 78 00 50 00 5D 00 EA 07 01 0F 09 1E 00"

    private func notification(
        _ hex: String = "", of characteristic: BluetoothUUID = .glucoseMeasurement,
        from wearable: Wearable = TrackerRig.strap, at gateway: GatewayID = Self.house, after seconds: Int64 = 0
    ) -> Notification {
        let arrival = Moment(
            boot: Self.noon.boot,
            wall: WallTime(millisecondsSince1970: Self.noon.wall.millisecondsSince1970 + seconds * 1_000))
        return Notification(
            wearable: wearable, characteristic: characteristic,
            bytes: hex.split(separator: " ").map { UInt8($0, radix: 16)! }, arrival: arrival,
            zone: .fixed(eastOfUTC: 3_600), gateway: gateway)
    }

    private func ids(of events: [WearableEvent]) -> [MessageID] {
        events.compactMap { if case .reading(let reading) = $0 { reading.id } else { nil } }
    }

    /// Returns the ids of unsolicited measurements, as in a run that knows nothing of an earlier one.
    private func ids(of notification: Notification) -> [MessageID] {
        var memory = DeviceMemory()
        return ids(of: notification, &memory)
    }

    private func ids(of notification: Notification, _ memory: inout DeviceMemory) -> [MessageID] {
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        return ids(of: notification.events(knowing: &memory, using: &random))
    }

    /// Returns 95 mg/dL, or another value, at a minute past nine.
    private func glucose(_ number: UInt8, minute: UInt8 = 30, value: UInt8 = 0x5F) throws
        -> GlucoseMeasurement
    {
        var reader = ByteReader([0x02, number, 0, 0xEA, 7, 1, 15, 9, minute, 0, value, 0xB0, 0x11])
        return try GlucoseMeasurement(from: &reader)
    }

    /// Returns the ids of measurements that a meter sends on request.
    private func ids(
        ofStored measurements: [GlucoseMeasurement], _ memory: inout DeviceMemory, after seconds: Int64 = 0
    ) -> [MessageID] {
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let notification = notification(after: seconds)
        return measurements.flatMap { measurement in
            ids(
                of: notification.events(
                    for: ReadingMapper(measurement, origin: .record), knowing: &memory, using: &random))
        }
    }

    @Test func `has one id in every run, which no version changes`() throws {
        var (first, second) = (DeviceMemory(), DeviceMemory())
        let stored = try [glucose(5), glucose(6, minute: 45)]
        let before = ids(ofStored: stored, &first)
        let after = ids(ofStored: stored, &second, after: 86_400)
        #expect(before.count == 2 && before == after)
        // Computed independently of this code, from the words, FNV-1a, SplitMix64 and RFC 9562.
        #expect(before.first?.description == "019bc0fd-89c0-7c8c-aa26-c058835890d0")
    }

    @Test func `has the id that it had when it came unasked, whatever is known of the clock since`() throws {
        let unasked = ids(of: notification("02 05 00 EA 07 01 0F 09 1E 00 5F B0 11"))
        var memory = DeviceMemory()
        // Current Time, an hour behind the house's.
        memory.clockRead(
            .currentTime, [0xEA, 7, 1, 15, 8, 31, 0, 4, 0, 0], .fixed(eastOfUTC: 3_600),
            arrival: Self.noon.wall)
        let asked = ids(ofStored: [try glucose(5)], &memory)
        #expect(unasked.count == 1 && unasked == asked)
    }

    @Test func `shares its id with no other measurement`() throws {
        var memory = DeviceMemory()
        // Of one minute and one value, of one number, and of both.
        let stored = try [
            glucose(5), glucose(6), glucose(5, minute: 31), glucose(5, value: 0x60), glucose(7, minute: 32),
        ]
        let told = ids(ofStored: stored, &memory)
        #expect(told.count == 5 && Set(told).count == 5)
    }

    @Test func `of a cuff is told apart by all that it says: by its user, too, and whose it is`() {
        let pressure = BluetoothUUID.bloodPressureMeasurement
        let band = Wearable(
            id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: PersonID(sample: "bob"),
            alarmAlert: .high)
        let shared = Wearable(
            id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: TrackerRig.strap.person,
            users: [1: PersonID(sample: "maria"), 2: PersonID(sample: "gino")], alarmAlert: .high)

        let all = [
            notification(Self.cuff, of: pressure),
            // With a user id, 1 and 2.
            notification("0A 78 00 50 00 5D 00 EA 07 01 0F 09 1E 00 01", of: pressure, from: shared),
            notification("0A 78 00 50 00 5D 00 EA 07 01 0F 09 1E 00 02", of: pressure, from: shared),
            notification(Self.cuff, of: pressure, from: band),
            notification(Self.cuff, of: pressure, at: GatewayID(sample: "house-13")),
        ].flatMap { ids(of: $0) }
        // Systolic, diastolic and mean of each.
        #expect(all.count == 15 && Set(all).count == 15)
        // Again, a day later, by a fresh run: the same.
        let again = ids(of: notification(Self.cuff, of: pressure, after: 86_400))
        #expect(again == Array(all.prefix(3)))
    }

    @Test func `is told once, though a transfer breaks off and begins again`() throws {
        var memory = DeviceMemory()
        let stored = try [glucose(5), glucose(6), glucose(7)]
        let first = ids(ofStored: Array(stored.prefix(2)), &memory)
        memory.forgetConnection()
        let second = ids(ofStored: stored, &memory)
        memory.forgetConnection()
        let third = ids(ofStored: stored, &memory)
        #expect(first.count == 2 && second.count == 1 && third.isEmpty)
    }

    @Test func `is not told by the run after, which knows what was`() throws {
        var first = DeviceMemory()
        let stored = try [glucose(5), glucose(6)]
        _ = ids(ofStored: stored, &first)
        let (news, noNews) = (first.takeToldNews(), first.takeToldNews())
        #expect(news?.count == 2 && noNews == nil)
        var second = DeviceMemory(told: try #require(news))
        let told = ids(ofStored: stored + [try glucose(7)], &second)
        #expect(told.count == 1)
        // Nor under another person, if the device changed hands.
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        let bob = Wearable(
            id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: PersonID(sample: "bob"),
            alarmAlert: .high)

        let mapped = ReadingMapper(try glucose(6), origin: .record)
        let events = notification(from: bob).events(for: mapped, knowing: &second, using: &random)
        #expect(events.isEmpty)
    }

    /// Otherwise a scale that restarts with each use would be heard once in its life.
    @Test(arguments: [
        // Year 0, and 2000-01-01 00:05.
        "02 78 00 50 00 5D 00 00 00 00 00 00 00 00", "02 78 00 50 00 5D 00 D0 07 01 01 00 05 00",
    ])
    func `without a time that can be meant has no lasting id`(hex: String) {
        let value = notification(hex, of: .bloodPressureMeasurement)
        var memory = DeviceMemory()
        let first = ids(of: value, &memory)
        let news = memory.takeToldNews()
        #expect(first.count == 3 && news == nil)
        #expect(Set(first).isDisjoint(with: ids(of: value)))
        #expect(first.allSatisfy { $0.wall == Self.noon.wall })
    }

    @Test func `is kept in the last two thousand`() throws {
        let told = (0..<3_000).map { UInt64($0) }
        #expect(DeviceMemory(told: told).told == Array(told.suffix(2_000)))
    }
}
