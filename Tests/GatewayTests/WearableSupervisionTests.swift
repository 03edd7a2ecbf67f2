import GatewayModel
import HomeGateway
import ModelSamples
import Samples
import Testing
import Wearables

@testable import Hub
@testable import Readings
@testable import Supervision

@Suite struct `Supervision of a wearable` {
    private static let strap = DeviceID(sample: "strap")
    private static let streams = Wearable.Rhythm.streams(limit: .seconds(5))

    private func at(_ seconds: Double) -> BootInstant { Sample.moment(seconds).boot }

    private func holding(_ changes: [HealthChange]) -> [HealthCode] {
        changes.filter(\.holds).map(\.condition.code)
    }

    private func supervision(_ rhythm: Wearable.Rhythm? = nil) -> WearableSupervision {
        WearableSupervision(wearables: [Self.strap: rhythm], startingAt: at(0))
    }

    private func subscribed(_ rhythm: Wearable.Rhythm = streams) -> WearableSupervision {
        var supervision = supervision()
        _ = supervision.subscribed(Self.strap, rhythm, at: at(1))
        return supervision
    }

    @Test func `calls it away until it answers`() {
        var supervision = supervision()
        #expect(holding(supervision.bluetoothTold(at: at(0.1))) == [.wearableAway])
        #expect(holding(supervision.subscribed(Self.strap, Self.streams, at: at(1))) == [])
        #expect(holding(supervision.disconnected(Self.strap, at: at(2))) == [.wearableAway])
        // A value is an answer too.
        #expect(holding(supervision.heard(Sample.reading(3))) == [])
    }

    @Test func `names one that gives nothing known, which is not out of reach`() {
        var supervision = supervision()
        #expect(holding(supervision.bluetoothTold(at: at(0.1))) == [.wearableAway])
        #expect(holding(supervision.unsupported(Self.strap, at: at(10))) == [.wearableUnsupported])
        #expect(holding(supervision.disconnected(Self.strap, at: at(12))) == [.wearableUnsupported])
        #expect(holding(supervision.subscribed(Self.strap, Self.streams, at: at(60))) == [])
        #expect(holding(supervision.disconnected(Self.strap, at: at(62))) == [.wearableAway])
    }

    @Test func `takes an impossible pulse of a cuff for no loss of the skin`() {
        // 72 with its bytes exchanged.
        let worn = Sample.reading(2, bpm: 18_432, contact: .unknown)
        let cuff = Reading(
            id: worn.id, person: worn.person, device: worn.device, quantity: worn.quantity, contact: .unknown,
            sampling: .spot, arrival: worn.arrival)
        var supervision = subscribed(.sleeps)
        #expect(holding(supervision.heard(cuff)) == [])
        #expect(holding(supervision.heard(worn)) == [.sensorContactLost])
    }

    @Test func `waits two seconds for Bluetooth to tell what it knows of one whose rhythm nobody gave`() {
        let unknown = supervision()
        #expect(holding(unknown.tick(at: at(1.9))) == [])
        #expect(holding(unknown.tick(at: at(2))) == [.wearableAway])
        #expect(holding(supervision(Self.streams).tick(at: at(0))) == [.wearableAway])
    }

    @Test func `never misses what sleeps, known from the settings or from Bluetooth`() {
        let given = supervision(.sleeps)
        #expect(holding(given.tick(at: at(3_600))) == [])
        var recognised = supervision()
        #expect(holding(recognised.recognised(Self.strap, .sleeps, at: at(0.1))) == [])
        #expect(holding(recognised.bluetoothTold(at: at(0.1))) == [])
        #expect(holding(recognised.tick(at: at(3_600))) == [])
    }

    @Test func `takes a cuff that connects and has nothing to say for present`() {
        var supervision = subscribed(.sleeps)
        #expect(holding(supervision.tick(at: at(3_600))) == [])
        #expect(holding(supervision.disconnected(Self.strap, at: at(3_601))) == [])
    }

    @Test func `misses a button that is out of reach, and never its word`() {
        var supervision = subscribed(.attends)
        #expect(holding(supervision.tick(at: at(3_600))) == [])
        #expect(holding(supervision.disconnected(Self.strap, at: at(3_601))) == [.wearableAway])
    }

    @Test func `knows better what a device has subscribed to than what it was known for`() {
        var supervision = subscribed()
        _ = supervision.recognised(Self.strap, .sleeps, at: at(2))
        #expect(holding(supervision.disconnected(Self.strap, at: at(3))) == [.wearableAway])
    }

    @Test func `calls one that says nothing silent after five seconds`() {
        var supervision = subscribed()
        #expect(holding(supervision.tick(at: at(5.9))) == [])
        #expect(holding(supervision.tick(at: at(6))) == [.wearableSilent])
        #expect(holding(supervision.heard(Sample.reading(7))) == [])
        #expect(holding(supervision.tick(at: at(12))) == [.wearableSilent])
    }

    @Test func `tells lost contact from silence and from absence`() {
        var supervision = subscribed()
        #expect(holding(supervision.heard(Sample.reading(2, bpm: 0, contact: .lost))) == [.sensorContactLost])
        #expect(holding(supervision.tick(at: at(7))) == [.wearableSilent])
        #expect(holding(supervision.disconnected(Self.strap, at: at(8))) == [.wearableAway])
    }

    @Test func `does not take a value that no living person has for a sign of health`() {
        var supervision = subscribed()
        #expect(
            holding(supervision.heard(Sample.reading(2, bpm: 0, contact: .unknown))) == [.sensorContactLost])
        #expect(holding(supervision.heard(Sample.reading(3))) == [])
    }

    @Test func `does not trip over a device it does not know`() {
        var supervision = supervision()
        #expect(supervision.subscribed(DeviceID(sample: "other"), Self.streams, at: at(1)).isEmpty)
    }
}

@Suite struct `Failures of Bluetooth calls` {
    private static let strap = DeviceID(sample: "strap")

    @Test func `are news once, and again when their kind changes or the trouble was over`() {
        let failures = CallFailures()
        #expect(failures.record(Self.strap, "Connect", .absent))
        for _ in 0..<1_000 { #expect(!failures.record(Self.strap, "Connect", .absent)) }
        #expect(failures.record(Self.strap, "Connect", .needsPerson))
        #expect(failures.record(Self.strap, "Connect", .absent))
        failures.forget(nil)
        #expect(!failures.record(Self.strap, "Connect", .absent))
        failures.forget(Self.strap, "StartNotify")
        #expect(!failures.record(Self.strap, "Connect", .absent))
        failures.forget(Self.strap)
        #expect(failures.record(Self.strap, "Connect", .absent))
    }

    @Test func `are told apart by device and call`() {
        let failures = CallFailures()
        #expect(failures.record(Self.strap, "Connect", .absent))
        #expect(failures.record(Self.strap, "StartNotify", .absent))
        #expect(failures.record(nil, "Connect", .absent))
    }
}
