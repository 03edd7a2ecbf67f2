import GatewayModel
import Systemd
import Testing
import WireFormats

@testable import Wearables

@Suite struct `An alarm that is felt` {
    private static let strap = TrackerRig.strap
    private static let alert = TrackerRig.row(0x2A06, in: "1802", "write-without-response")
    private static let lossAlert = TrackerRig.row(0x2A06, in: "1803", "read", "write")

    private func rig(_ level: AlertLevel = .high) -> TrackerRig {
        var rig = TrackerRig([
            Wearable(
                id: Self.strap.id, address: Self.strap.address, person: Self.strap.person, alarmAlert: level)
        ])
        rig.load(TrackerRig.tree([Self.lossAlert, Self.alert]))
        return rig
    }

    @Test func `is written without response, its end too, and told`() {
        var rig = rig()
        rig.after { $0.alarm(Self.strap.person, isOn: true, at: $1) }
        #expect(rig.calls.map(\.call) == [BlueZCall.writeValue(Self.alert.path, [2], awaitsResponse: false)])
        rig.answer(.writeValue)
        #expect(rig.events.last == .alerted(Self.strap.id, .high))
        rig.after { $0.alarm(Self.strap.person, isOn: false, at: $1) }
        #expect(rig.calls.map(\.call) == [BlueZCall.writeValue(Self.alert.path, [0], awaitsResponse: false)])
        rig.answer(.writeValue, "org.bluez.Error.Failed")
        guard case .callFailed(Self.strap.id, "Immediate Alert", _, _, _)? = rig.events.last else {
            return #expect(Bool(false))
        }
    }

    @Test func `is as strong as the settings say, or not at all`() {
        var mild = rig(.mild)
        mild.after { $0.alarm(Self.strap.person, isOn: true, at: $1) }
        #expect(mild.calls.map(\.call) == [BlueZCall.writeValue(Self.alert.path, [1], awaitsResponse: false)])
        var none = rig(.none)
        #expect(none.after { $0.alarm(Self.strap.person, isOn: true, at: $1) } == [])
    }

    @Test func `is nobody else's, and passes over who is not there or cannot`() {
        var rig = rig()
        #expect(rig.after { $0.alarm(TrackerRig.band.person, isOn: true, at: $1) } == [])
        rig.link(isUp: false)
        #expect(!rig.after { $0.alarm(Self.strap.person, isOn: true, at: $1) }.contains(.writeValue))
        var plain = TrackerRig()
        plain.subscribe()
        #expect(plain.after { $0.alarm(Self.strap.person, isOn: true, at: $1) } == [])
    }

    private static func write(_ level: UInt8) -> BlueZCall {
        BlueZCall.writeValue(alert.path, [level], awaitsResponse: false)
    }

    @Test func `is felt too by a person who looks for one wearable, and ends by itself`() {
        // An alarm of its wearer is silent here.
        var rig = rig(.none)
        rig.after { $0.buzz(Self.strap.id, at: $1) }
        #expect(rig.calls.map(\.call) == [Self.write(1)] && rig.buzzes.isEmpty)
        rig.answer(.writeValue)
        #expect(rig.buzzes == [.begun])
        rig.wait(BuzzOutcome.duration - .milliseconds(1))
        #expect(rig.calls.isEmpty)
        rig.wait(.milliseconds(1))
        #expect(rig.calls.map(\.call) == [Self.write(0)] && rig.buzzes == [.begun])
    }

    @Test func `comes before a search, which neither begins in it nor ends it`() {
        var rig = rig()
        rig.after { $0.buzz(Self.strap.id, at: $1) }
        rig.after { $0.alarm(Self.strap.person, isOn: true, at: $1) }
        #expect(rig.calls.map(\.call) == [Self.write(2), Self.write(2)] && rig.buzzes == [.alarmOpen])
        rig.answer(.writeValue)
        rig.answer(.writeValue)
        rig.wait(BuzzOutcome.duration)
        #expect(rig.calls.isEmpty, "the alarm goes on")
        rig.buzzes = []
        #expect(rig.after { $0.buzz(Self.strap.id, at: $1) } == [])
        #expect(rig.buzzes == [.alarmOpen])
        rig.after { $0.alarm(Self.strap.person, isOn: false, at: $1) }
        #expect(rig.after { $0.buzz(Self.strap.id, at: $1) } == [.writeValue])
    }

    @Test func `leaves a search to end by itself where the alarm does not use the wearable`() {
        var rig = rig(.none)
        rig.after { $0.buzz(Self.strap.id, at: $1) }
        rig.answer(.writeValue)
        rig.after { $0.alarm(Self.strap.person, isOn: true, at: $1) }
        #expect(rig.buzzes == [.begun])
        rig.wait(BuzzOutcome.duration)
        #expect(rig.calls.map(\.call) == [Self.write(0)])
    }

    @Test func `is refused to a search for a wearable that is away or has no buzzer`() {
        var away = rig()
        away.link(isUp: false)
        away.after { $0.buzz(Self.strap.id, at: $1) }
        #expect(away.buzzes == [.notConnected])
        var plain = TrackerRig()
        plain.subscribe()
        plain.after { $0.buzz(Self.strap.id, at: $1) }
        plain.after { $0.buzz(TrackerRig.band.id, at: $1) }
        #expect(plain.buzzes == [.noBuzzer, .notConnected])
    }

    @Test func `answers each search, also where the wearable does not`() {
        var lost = rig()
        lost.after { $0.buzz(Self.strap.id, at: $1) }
        lost.link(isUp: false)
        lost.wait(BuzzOutcome.duration)
        #expect(lost.buzzes == [.failed("no answer within 3 s")])
        var refusing = rig()
        refusing.after { $0.buzz(Self.strap.id, at: $1) }
        refusing.answer(.writeValue, "org.bluez.Error.Failed")
        guard case .failed? = refusing.buzzes.first else { return #expect(Bool(false), "\(refusing.buzzes)") }
        refusing.wait(BuzzOutcome.duration)
        #expect(refusing.calls.isEmpty, "nothing buzzes, so nothing has to end")
    }

    @Test func `is a request where the tag has it so`() {
        var rig = TrackerRig()
        let alert = TrackerRig.row(0x2A06, in: "1802", "write")
        rig.load(TrackerRig.tree([alert]))
        rig.after { $0.alarm(Self.strap.person, isOn: true, at: $1) }
        #expect(rig.calls.map(\.call) == [BlueZCall.writeValue(alert.path, [2], awaitsResponse: true)])
    }

    @Test func `is set for the loss of the link where the settings want it`() {
        var rig = TrackerRig([
            Wearable(
                id: Self.strap.id, address: Self.strap.address, person: Self.strap.person,
                linkLossAlert: .mild, alarmAlert: .high)
        ])
        rig.load(TrackerRig.tree([Self.lossAlert, Self.alert]))
        #expect(
            rig.calls.map(\.call) == [BlueZCall.writeValue(Self.lossAlert.path, [1], awaitsResponse: true)])
    }

    @Test func `is told of a tag that has nothing to subscribe to: it is there`() {
        let rig = rig()
        #expect(rig.events.last == .subscribed(Self.strap.id, []))
    }
}
