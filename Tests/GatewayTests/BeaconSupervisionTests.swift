import GatewayModel
import HomeGateway
import Hub
import ModelSamples
import Samples
import Testing

@testable import Supervision

@Suite struct `Supervision of a wearable that advertises` {
    private static let sensor = DeviceID(sample: "sensor")

    private func at(_ seconds: Double) -> BootInstant { Sample.moment(seconds).boot }

    private func holding(_ changes: [HealthChange]) -> [HealthCode] {
        changes.filter(\.holds).map(\.condition.code)
    }

    private func supervision(silence: Duration? = nil, sendsRegularly: Bool = false) -> BeaconSupervision {
        BeaconSupervision(
            [Self.sensor: .init(silence: silence, sendsRegularly: sendsRegularly)], startingAt: at(0))
    }

    @Test func `never calls a button silent`() {
        var supervision = supervision()
        #expect(holding(supervision.tick(at: at(1e6))) == [])
        #expect(holding(supervision.believed(Self.sensor, isTriggerBased: true, at: at(1e6))) == [])
        #expect(holding(supervision.tick(at: at(2e6))) == [])
    }

    @Test func `calls a sensor that sends at intervals away after a time that fits them`() {
        var supervision = supervision()
        for minute in 0..<6 {
            // Six times within a second, as sensors do it.
            for tenth in 0..<6 {
                let now = at(Double(minute) * 60 + Double(tenth) / 10)
                _ = supervision.believed(Self.sensor, isTriggerBased: false, at: now)
            }
        }
        #expect(holding(supervision.tick(at: at(300 + 239))) == [])
        #expect(holding(supervision.tick(at: at(300 + 241))) == [.wearableAway])
        #expect(holding(supervision.believed(Self.sensor, isTriggerBased: false, at: at(600))) == [])
    }

    @Test func `gives one whose interval is not known a quarter of an hour`() {
        var supervision = supervision()
        _ = supervision.believed(Self.sensor, isTriggerBased: false, at: at(0))
        #expect(holding(supervision.tick(at: at(899))) == [])
        #expect(holding(supervision.tick(at: at(900))) == [.wearableAway])
    }

    @Test func `remembers over a restart that one sends at intervals`() {
        #expect(holding(supervision(sendsRegularly: true).tick(at: at(900))) == [.wearableAway])
    }

    @Test func `goes by the settings where they say how long`() {
        var supervision = supervision(silence: .seconds(10))
        #expect(holding(supervision.tick(at: at(10))) == [.wearableAway])
        _ = supervision.believed(Self.sensor, isTriggerBased: true, at: at(11))
        #expect(holding(supervision.tick(at: at(20))) == [])
        #expect(holding(supervision.tick(at: at(21))) == [.wearableAway])
    }

    @Test func `tells a frame that is not believed until one is`() {
        var supervision = supervision()
        #expect(holding(supervision.refused(Self.sensor, at: at(1))) == [.advertsRefused])
        #expect(holding(supervision.tick(at: at(1000))) == [.advertsRefused])
        #expect(holding(supervision.believed(Self.sensor, isTriggerBased: true, at: at(1001))) == [])
    }

    @Test func `tells of a counter that began anew until it is confirmed, and takes it for no sign of life`() {
        var supervision = BeaconSupervision(
            [Self.sensor: .init(silence: .seconds(10), sendsRegularly: false)], startingAt: at(0))
        #expect(holding(supervision.unproven(Self.sensor, at: at(9))) == [.batteryUnconfirmed])
        #expect(Set(holding(supervision.tick(at: at(10)))) == [.wearableAway, .batteryUnconfirmed])
        #expect(holding(supervision.batteryConfirmed(Self.sensor, at: at(11))) == [.wearableAway])
        _ = supervision.unproven(Self.sensor, at: at(12))
        #expect(holding(supervision.believed(Self.sensor, isTriggerBased: true, at: at(13))) == [])
    }

    @Test func `tells a battery that is nearly empty until it is well above`() {
        var supervision = supervision()
        #expect(holding(supervision.battery(Self.sensor, percent: 15, at: at(1))) == [.batteryLow])
        #expect(holding(supervision.battery(Self.sensor, percent: 19, at: at(2))) == [.batteryLow])
        #expect(holding(supervision.battery(Self.sensor, percent: 20, at: at(3))) == [])
        #expect(holding(supervision.battery(Self.sensor, isLow: true, at: at(4))) == [.batteryLow])
    }

    @Test func `ends the conditions of one that is no more`() {
        var supervision = supervision(silence: .seconds(2))
        let ends = supervision.replace([:], at: at(5))
        #expect(
            ends.contains(
                HealthChange(condition: HealthCondition(.wearableAway, subject: "sensor"), holds: false)))
        #expect(holding(supervision.tick(at: at(9))) == [])
        #expect(supervision.believed(Self.sensor, isTriggerBased: false, at: at(10)).isEmpty)
    }
}

@Suite struct `A cadence` {
    private func limit(_ seconds: [Double]) -> Duration {
        var cadence = Cadence()
        for second in seconds { cadence.heard(at: Sample.moment(second).boot) }
        return cadence.limit
    }

    @Test func `is the longest of the last gaps, four times over`() {
        #expect(limit([0, 20, 40, 60, 90]) == .seconds(120))
        #expect(limit([0, 20, 40, 60]) == Cadence.longest)
    }

    @Test func `is neither shorter than what hides a frame nor longer than its limit`() {
        #expect(limit((0..<20).map { Double($0) }) == Cadence.shortest)
        #expect(limit((0..<20).map { Double($0) * 600 }) == Cadence.longest)
    }

    @Test func `does not learn from an absence, and forgets what is long ago`() {
        #expect(limit([0, 10, 20, 30, 40, 4_000, 4_010]) == .seconds(40))
        #expect(limit([0, 200] + (0..<17).map { 210 + Double($0) * 10 }) == .seconds(40))
    }
}
