import ModelSamples
import RealTime
import Systemd
import Testing
import WireFormats

@testable import GatewayModel
@testable import Wearables

/// Position of a wearer: requested only while a recipient has a right to know it.
@Suite struct `Positions of a wearable` {
    private static let ada = TrackerRig.strap.person
    private static let rate = TrackerRig.row(0x2A37, in: "180d", "notify")
    private static let place = TrackerRig.row(0x2A67, in: "1819", "notify")
    private static let quality = TrackerRig.row(0x2A69, in: "1819", "read")

    private typealias Row = (path: String, objects: [String: BlueZInterfaces])

    private func connected(_ rows: [Row], sockets: Bool = false) -> TrackerRig {
        var rig = TrackerRig()
        rig.givesSockets = sockets
        rig.load(TrackerRig.tree(rows))
        rig.answerAll(.startNotify)
        return rig
    }

    @Test func `are not subscribed to, read or taken while nobody has a right to them`() {
        var rig = connected([Self.rate, Self.place, Self.quality])
        rig.wait(.seconds(3))
        #expect(!rig.open(.startNotify).contains(Self.place.path) && rig.open(.readValue).isEmpty)
        // Another program of the house has subscribed: bluetoothd notifies all programs.
        rig.change(Self.place.path, BlueZ.characteristic, ["Value": .bytes([4, 1])])
        #expect(rig.notified.isEmpty)
    }

    @Test func `are subscribed to when they are wanted, and let go of when they are not`() {
        var rig = connected([Self.rate, Self.place])
        #expect(rig.after { $0.followPositions(of: [Self.ada], at: $1) } == [.startNotify])
        rig.answer(.startNotify)
        rig.change(Self.place.path, BlueZ.characteristic, ["Value": .bytes([4, 1])])
        #expect(rig.notified == [[4, 1]])
        #expect(rig.after { $0.followPositions(of: [], at: $1) } == [.stopNotify])
        #expect(rig.open(.stopNotify) == [Self.place.path])
        rig.change(Self.place.path, BlueZ.characteristic, ["Value": .bytes([4, 2])])
        #expect(rig.notified == [[4, 1]])
        rig.change(Self.rate.path, BlueZ.characteristic, ["Value": .bytes([0, 70])])
        #expect(rig.notified == [[4, 1], [0, 70]], "the pulse goes on")
        #expect(rig.open(.disconnect).isEmpty)
    }

    @Test func `close their socket when they are not wanted`() {
        var rig = connected([Self.rate, Self.place], sockets: true)
        rig.after { $0.followPositions(of: [Self.ada], at: $1) }
        #expect(rig.attached == [Self.rate.path, Self.place.path])
        rig.after { $0.followPositions(of: [], at: $1) }
        #expect(rig.attached == [Self.rate.path])
    }

    @Test func `are let go of also before bluetoothd has answered`() {
        var rig = connected([Self.rate, Self.place])
        rig.after { $0.followPositions(of: [Self.ada], at: $1) }
        #expect(rig.after { $0.followPositions(of: [], at: $1) } == [.stopNotify])
        rig.answer(.startNotify)
        rig.change(Self.place.path, BlueZ.characteristic, ["Value": .bytes([4, 1])])
        #expect(rig.notified.isEmpty)
    }

    @Test func `of another person are left alone`() throws {
        var rig = connected([Self.rate, Self.place])
        let other = try #require(PersonID("bob"))
        #expect(rig.after { $0.followPositions(of: [other], at: $1) } == [])
    }

    @Test func `are wanted of the next link too, and after bluetoothd was away`() {
        var rig = connected([Self.rate, Self.place])
        rig.after { $0.followPositions(of: [Self.ada], at: $1) }
        rig.answerAll(.startNotify)
        rig.link(isUp: false)
        rig.link(isUp: true)
        #expect(Set(rig.open(.startNotify)) == [Self.rate.path, Self.place.path])
        rig.after { $0.nameOwnerChanged(isPresent: true, at: $1) }
        rig.load(TrackerRig.tree([Self.rate, Self.place]))
        #expect(rig.open(.startNotify).contains(Self.place.path))
    }

    @Test func `keep a watch that does nothing else connected, so that a run can begin`() {
        var rig = connected([Self.place])
        rig.wait(.seconds(120))
        #expect(rig.open(.disconnect).isEmpty && rig.open(.startNotify).isEmpty)
        #expect(rig.after { $0.followPositions(of: [Self.ada], at: $1) } == [.startNotify])
    }

    @Test func `are asked how good they are each half minute while they are wanted`() {
        var rig = connected([Self.rate, Self.place, Self.quality])
        rig.after { $0.followPositions(of: [Self.ada], at: $1) }
        rig.answerAll(.startNotify)
        #expect(rig.open(.readValue) == [Self.quality.path])
        rig.answer(.readValue, tree: .bytes([0, 0]))
        #expect(rig.notified == [[0, 0]])
        for beat in 0..<29 {
            rig.wait(.seconds(1))
            rig.change(Self.rate.path, BlueZ.characteristic, ["Value": .bytes([0, UInt8(beat)])])
        }
        #expect(rig.open(.readValue).isEmpty)
        rig.wait(.seconds(1))
        #expect(rig.open(.readValue) == [Self.quality.path])
        rig.answer(.readValue, "org.bluez.Error.NotPermitted")
        #expect(rig.open(.disconnect).isEmpty)
        #expect(rig.notified.last == [], "how good they were half a minute ago says nothing of now")
        rig.after { $0.followPositions(of: [], at: $1) }
        for _ in 0..<40 {
            rig.wait(.seconds(1))
            rig.change(Self.rate.path, BlueZ.characteristic, ["Value": .bytes([0, 70])])
        }
        #expect(rig.open(.readValue).isEmpty)
    }

    /// Sends the pulse each second, without other events.
    private func beat(_ rig: inout TrackerRig, _ times: Int) {
        for beat in 0..<times {
            rig.wait(.seconds(1))
            rig.change(Self.rate.path, BlueZ.characteristic, ["Value": .bytes([0, UInt8(60 + beat % 20)])])
        }
    }

    /// Returns whether the watch is asked again for a missing pulse 5 s after it was due, as usual.
    private func misses(_ rig: inout TrackerRig) -> Bool {
        rig.wait(.seconds(3))
        // An unrelated message of bluetoothd makes a check of its presence unnecessary.
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Pairable": .bool(true)])
        return rig.wait(.seconds(2)).contains(.stopNotify) && rig.open(.stopNotify) == [Self.rate.path]
    }

    @Test func `that a watch stopped telling, and how good they were, keep nobody from missing the pulse`() {
        var rig = connected([Self.rate, Self.place, Self.quality])
        rig.after { $0.followPositions(of: [Self.ada], at: $1) }
        rig.answerAll(.startNotify)
        rig.answer(.readValue, tree: .bytes([0, 0]))
        // It sends no more positions, and refuses to.
        rig.change(Self.place.path, BlueZ.characteristic, ["Notifying": .bool(false)])
        for _ in 0..<3 {
            beat(&rig, 20)
            rig.answer(.startNotify, "org.bluez.Error.Failed")
        }
        beat(&rig, 40)
        let isMissed = misses(&rig)
        #expect(isMissed)
    }

    @Test func `whose quality is a long time coming keep nobody from missing the pulse`() {
        var rig = connected([Self.rate, Self.place, Self.quality])
        rig.after { $0.followPositions(of: [Self.ada], at: $1) }
        rig.answerAll(.startNotify)
        #expect(rig.open(.readValue) == [Self.quality.path])
        beat(&rig, 40)
        let isMissed = misses(&rig)
        #expect(isMissed)
    }
}

/// The meaning of the bytes.
@Suite struct `A position on its way` {
    private static let arrival = Moment(
        boot: BootInstant(nanoseconds: 9_000_000_000), wall: WallTime(millisecondsSince1970: 1_768_465_860_000))

    private func events(_ hex: String, quality: String? = nil) -> [WearableEvent] {
        var memory = DeviceMemory()
        var random = MessageIDSequence(SystemRandomNumberGenerator())
        func notification(_ number: UInt16, _ hex: String) -> Notification {
            Notification(
                wearable: TrackerRig.strap, characteristic: BluetoothUUID(assigned: number),
                bytes: hex.split(separator: " ").map { UInt8($0, radix: 16)! }, arrival: Self.arrival,
                zone: .fixed(eastOfUTC: 3_600), gateway: GatewayID(sample: "house-12"))
        }
        if let quality { _ = notification(0x2A69, quality).events(knowing: &memory, using: &random) }
        return notification(0x2A67, hex).events(knowing: &memory, using: &random)
    }

    /// The example of the decoder's tests: 45.4410805 N, 9.1851173 E, 2026-01-15 08:30 UTC.
    private let place = "35 C2 15 1B A5 89 79 05"

    @Test func `is of its person, with the wearable's own time and error`() throws {
        // EHPE of 8.46 m, flag bit 3.
        let told = events("C4 00 \(place) EA 07 01 0F 08 1E 00", quality: "08 00 4E 03 00 00")
        guard case .position(let position)? = told.first, told.count == 1 else {
            Issue.record("\(told)")
            return
        }
        #expect(position.person == TrackerRig.strap.person && position.device == TrackerRig.strap.id)
        #expect(
            position.coordinates == Coordinates(latitude: 45.4410805, longitude: 9.1851173))
        #expect(position.horizontalError == 8.46)
        // It is UTC, independent of the house's clocks.
        #expect(position.deviceTime == WallTime(rfc3339: "2026-01-15T08:30:00Z"))
        #expect(position.arrival == Self.arrival)
    }

    @Test func `has no error that nobody said, and none of before`() {
        for quality in [nil, "00 00", "08 00", "08", ""] {
            guard case .position(let position)? = events("84 00 \(place)", quality: quality).first else {
                Issue.record("no position")
                continue
            }
            #expect(position.horizontalError == nil && position.deviceTime == nil)
        }
    }

    @Test(arguments: [
        // No fix; the last known one.
        "04 00", "84 01",
    ]) func `is none that is not of now`(flags: String) {
        #expect(events("\(flags) \(place)") == [.noFix(TrackerRig.strap.id, TrackerRig.strap.person)])
        #expect(events("20 00 07").isEmpty)
    }

    @Test func `that cannot be read is told without its bytes`() {
        for hex in ["84 00 35 C2 15", "84 00 FF FF FF 7F FF FF FF 7F", "84"] {
            guard case .undecodable(_, _, let bytes, _)? = events(hex).first else {
                Issue.record("\(hex) \(events(hex))")
                continue
            }
            #expect(bytes.isEmpty)
        }
    }
}
