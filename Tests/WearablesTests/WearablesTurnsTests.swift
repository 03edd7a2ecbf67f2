import GatewayModel
import Systemd
import Testing

@testable import Wearables

@Suite struct `The turns of absent wearables` {
    private static let hci0 = TrackerRig.hci0

    private func heard(_ rig: inout TrackerRig, _ path: String) -> [BlueZCall.Method] {
        rig.change(path, BlueZ.device, ["RSSI": .int16(-50)])
    }

    private func two(isBandHeard: Bool = false) -> TrackerRig {
        var rig = TrackerRig([TrackerRig.strap, TrackerRig.band])
        rig.load([
            Self.hci0: TrackerRig.adapter(), TrackerRig.device: TrackerRig.device(),
            TrackerRig.other: TrackerRig.device(TrackerRig.band, isHeard: isBandHeard),
        ])
        return rig
    }

    @Test func `the one that is heard goes first, and one that is not waits while it is about to be due`() {
        var rig = two(isBandHeard: true)
        #expect(rig.open(.connect) == [TrackerRig.other])
        rig.answer(.connect, "org.bluez.Error.Failed")
        rig.answer(.startDiscovery)
        #expect(rig.open(.connect) == [])
        rig.wait(.seconds(1))
        rig.answer(.stopDiscovery)
        #expect(rig.open(.connect) == [TrackerRig.other])
    }

    @Test func `after a try of one that is not heard the radio listens for eight seconds`() {
        var rig = two()
        #expect(rig.open(.connect) == [TrackerRig.device])
        rig.answer(.connect, "org.bluez.Error.Failed")
        rig.answer(.startDiscovery)
        #expect(!rig.wait(.milliseconds(7_900)).contains(.stopDiscovery))
        #expect(rig.wait(.milliseconds(100)).contains(.stopDiscovery))
        rig.answer(.stopDiscovery)
        #expect(rig.open(.connect) == [TrackerRig.other])
    }

    @Test func `one that is heard meanwhile is tried at once`() {
        var rig = two()
        rig.answer(.connect, "org.bluez.Error.Failed")
        rig.answer(.startDiscovery)
        rig.wait(.seconds(2))
        #expect(heard(&rig, TrackerRig.other) == [.stopDiscovery])
        #expect(rig.answer(.stopDiscovery) == [.connect])
        #expect(rig.open(.connect) == [TrackerRig.other])
    }

    @Test func `one that was heard while it was a stranger's is tried as one that is there`() {
        var rig = TrackerRig([])
        rig.load([Self.hci0: TrackerRig.adapter(), TrackerRig.device: TrackerRig.device()])
        _ = heard(&rig, TrackerRig.device)
        #expect(rig.after { $0.replace([TrackerRig.strap], at: $1) } == [.connect])
        #expect(rig.calls[0].call.timeout == BlueZCall.connectLimit)
    }

    @Test(arguments: [false, true])
    func `one that sleeps is tried without being heard only where it is bonded`(isBonded: Bool) {
        let cuff = Wearable(
            id: TrackerRig.strap.id, address: TrackerRig.strap.address, person: TrackerRig.strap.person,
            rhythm: .sleeps, alarmAlert: .high)
        var rig = TrackerRig([cuff])
        var device = TrackerRig.device()
        device[BlueZ.device]?["Paired"] = .bool(isBonded)
        rig.load([Self.hci0: TrackerRig.adapter(), TrackerRig.device: device])
        rig.answer(.startDiscovery)
        rig.wait(.seconds(20))
        #expect(rig.open(.connect).isEmpty != isBonded)
        guard !isBonded else { return }
        #expect(heard(&rig, TrackerRig.device).contains(.stopDiscovery))
        #expect(rig.answer(.stopDiscovery) == [.connect])
    }

    /// The wait of one that comes back among `absent` others, whenever in their round that is.
    @Test(arguments: [0, 2, 5])
    func `one that is back among others that are away is connected within ten seconds`(absent: Int) {
        var longest = Duration.zero
        for tenths in stride(from: 0, to: 900, by: 7) {
            var house = QuietHouse(others: absent)
            house.pass(.milliseconds(100 * tenths))
            house.isBack = true
            longest = max(longest, house.timeUntilConnected(limit: .seconds(120)))
        }
        // A try of another (5 s), its cancellation (2 s), and the slowest advert (2.5 s).
        #expect(longest <= .seconds(10))
    }
}

/// bluetoothd in a house whose wearables are all away, answering as 5.66 does, on instants of its own.
private struct QuietHouse {
    private static let step = Duration.milliseconds(100)
    /// The slowest usual advertising interval.
    private static let advertInterval = Duration.milliseconds(2_500)
    private static let returning = TrackerRig.device

    var rig: TrackerRig
    var isBack = false
    private var due: [(id: Int, at: BootInstant)] = []
    private var nextAdvert: BootInstant
    private var isDiscovering = false
    private var isConnected = false

    init(others: Int) {
        let away = (0..<others).map { number in
            Wearable(
                id: DeviceID("away\(number)")!, address: DeviceAddress("C0:FF:EE:00:01:0\(number)")!,
                person: TrackerRig.strap.person, alarmAlert: .high)
        }
        rig = TrackerRig([TrackerRig.strap] + away)
        nextAdvert = rig.now
        var tree = [TrackerRig.hci0: TrackerRig.adapter(), Self.returning: TrackerRig.device()]
        for (number, wearable) in away.enumerated() {
            tree["/org/bluez/hci0/dev_away\(number)"] = TrackerRig.device(wearable)
        }
        rig.load(tree)
    }

    mutating func pass(_ duration: Duration) {
        let end = rig.now.advanced(by: duration)
        while rig.now < end { turn() }
    }

    mutating func timeUntilConnected(limit: Duration) -> Duration {
        let begin = rig.now
        while !isConnected, begin.duration(to: rig.now) < limit { turn() }
        return begin.duration(to: rig.now)
    }

    private mutating func turn() {
        rig.wait(Self.step)
        for index in rig.calls.indices.reversed() {
            let (id, call) = rig.calls[index]
            if due.contains(where: { $0.id == id }) { continue }
            due.append((id, rig.now.advanced(by: latency(of: call))))
        }
        for entry in due where entry.at <= rig.now { answer(entry.id) }
        if isBack, rig.now >= nextAdvert {
            nextAdvert = rig.now.advanced(by: Self.advertInterval)
            if isDiscovering { rig.change(Self.returning, BlueZ.device, ["RSSI": .int16(-60)]) }
        }
    }

    private func latency(of call: BlueZCall) -> Duration {
        switch call.method {
        case .connect: isBack && call.path == Self.returning ? .milliseconds(400) : call.timeout
        case .disconnect: .seconds(2)
        default: .zero
        }
    }

    private mutating func answer(_ id: Int) {
        due.removeAll { $0.id == id }
        guard let index = rig.calls.firstIndex(where: { $0.id == id }) else { return }
        let call = rig.calls.remove(at: index).call
        var reply = BusConnection.Reply.success([])
        switch call.method {
        case .startDiscovery: isDiscovering = true
        case .stopDiscovery: isDiscovering = false
        case .connect where isBack && call.path == Self.returning: isConnected = true
        case .connect:
            reply = .failure(.remote(name: "org.freedesktop.DBus.Error.NoReply", message: "test"))
        default: break
        }
        rig.after { $0.replied(id, reply, at: $1) }
    }
}
