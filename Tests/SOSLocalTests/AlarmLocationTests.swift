import GatewayModel
import ModelSamples
import SOSLocal
import Testing

@Suite struct `The location sent` {
    private func location(fixAt: Double?) -> AlarmLocation? {
        var machine = House.machine()
        if let fixAt { _ = machine.handle(.fix(House.fix(at: fixAt)), at: House.at(fixAt)) }
        for second in [100.0, 101, 102] { _ = machine.hear(150, at: second) }
        return machine.advance(to: House.at(104.5)).orders.first?.location
    }

    @Test func `is the fix while it is fresh at the dispatch`() {
        #expect(location(fixAt: 74.5) == .fix(House.fix(at: 74.5), of: .box, age: .seconds(30)))
    }

    @Test func `is the last known one with its age when it is older`() {
        #expect(location(fixAt: 74.4) == .lastKnown(House.fix(at: 74.4), of: .box, age: .milliseconds(30_100)))
    }

    @Test func `is the installed address when there was never a fix`() {
        #expect(location(fixAt: nil) == .installed(House.place))
    }

    @Test func `never goes back to an older fix that arrives late`() {
        var machine = House.machine()
        _ = machine.handle(.fix(House.fix(at: 20)), at: House.at(20))
        _ = machine.handle(.fix(House.fix(at: 5)), at: House.at(21))
        for second in [22.0, 23, 24] { _ = machine.hear(150, at: second) }
        #expect(
            machine.advance(to: House.at(26.5)).orders.first?.location
                == .fix(House.fix(at: 20), of: .box, age: .milliseconds(6_500)))
    }

    // MARK: Of the person's own wearable

    private static let watch = DeviceID(sample: "watch")

    private static func position(of person: PersonID = House.maria, at second: Double) -> WearablePosition {
        WearablePosition(
            person: person, device: watch, coordinates: Coordinates(latitude: 45.47, longitude: 9.21)!,
            horizontalError: 6, deviceTime: nil, arrival: House.moment(second))
    }

    private static func ownFix(at second: Double) -> Fix { PersonFix(position(at: second)).fix }

    /// The location in the first order of an alarm at 104.5.
    private func location(
        _ own: WearablePosition?, boxAt: Double?, _ machine: SOSMachine = House.machine()
    ) -> AlarmLocation? {
        var machine = machine
        if let own { _ = machine.handle(.position(own), at: own.arrival.boot) }
        if let boxAt { _ = machine.handle(.fix(House.fix(at: boxAt)), at: House.at(max(boxAt, 100))) }
        for second in [100.0, 101, 102] { _ = machine.hear(150, at: second) }
        return machine.advance(to: House.at(104.5)).orders.first?.location
    }

    @Test func `is the person's own before the box's, while it is fresh`() {
        let own = AlarmLocation.fix(Self.ownFix(at: 94.5), of: .wearable(Self.watch), age: .seconds(10))
        #expect(location(Self.position(at: 94.5), boxAt: 99) == own)
        #expect(location(Self.position(at: 94.5), boxAt: nil) == own)
        // Another person's says nothing.
        let other = Self.position(of: House.giuseppe, at: 94.5)
        #expect(location(other, boxAt: nil) == .installed(House.place))
    }

    @Test func `is the box's where the person's own is old, else the newer of both with its age`() {
        let old = Self.position(at: 70)
        #expect(
            location(old, boxAt: 99) == .fix(House.fix(at: 99), of: .box, age: .milliseconds(5_500)))
        #expect(
            location(old, boxAt: 60)
                == .lastKnown(Self.ownFix(at: 70), of: .wearable(Self.watch), age: .milliseconds(34_500)))
        #expect(
            location(old, boxAt: 72)
                == .lastKnown(House.fix(at: 72), of: .box, age: .milliseconds(32_500)))
    }

    @Test func `is the address where the person's own is so old that they may be back`() {
        var machine = House.machine()
        _ = machine.handle(.position(Self.position(at: 10)), at: House.at(10))
        for second in [700.0, 701, 702] { _ = machine.hear(150, at: second) }
        #expect(machine.advance(to: House.at(704.5)).orders.first?.location == .installed(House.place))
    }

    @Test func `is newer in the repetition, where the wearable answers after the first call`() throws {
        var machine = House.machine()
        for second in [100.0, 101, 102] { _ = machine.hear(150, at: second) }
        let called = machine.advance(to: House.at(104.5)).orders
        let first = try #require(called.first)
        #expect(first.location == .installed(House.place))
        _ = machine.handle(.channel(House.mqtt, .handedOver(first.alarm, .confirmed)), at: House.at(105))
        _ = machine.handle(.position(Self.position(at: 106)), at: House.at(106))
        var orders: [DispatchOrder] = []
        for second in 107...200 where orders.isEmpty {
            orders = machine.advance(to: House.at(Double(second))).orders
        }
        #expect(orders.first?.round == 2)
        #expect(orders.first?.location.bearer == .wearable(Self.watch))
    }

    @Test func `is known over a restart, and too old to be called fresh after a power cut`() {
        var machine = House.machine()
        _ = machine.handle(.position(Self.position(at: 90)), at: House.at(90))
        var next = SOSMachine(plans: [House.plan()], installed: House.place, startingAt: House.at(95))
        _ = next.resume(machine.snapshot, after: .known)
        #expect(location(nil, boxAt: nil, next)?.bearer == .wearable(Self.watch))
        #expect(location(nil, boxAt: nil, next)?.source == "fix")
        var later = SOSMachine(plans: [House.plan()], installed: House.place, startingAt: House.at(95))
        _ = later.resume(machine.snapshot.withFixAged(at: House.moment(95)), after: .unknown)
        #expect(location(nil, boxAt: nil, later)?.source == "last-known")
    }
}
