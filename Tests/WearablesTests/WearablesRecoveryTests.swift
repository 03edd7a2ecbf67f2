import GatewayModel
import Systemd
import Testing

@testable import Wearables

@Suite struct `Radio recovery` {
    private func at(_ seconds: Double) -> BootInstant { BootInstant(nanoseconds: Int64(seconds * 1e9)) }

    private func recovery(mayRestart: Bool = true) -> RadioRecovery {
        RadioRecovery(mayRestartService: mayRestart, at: at(0))
    }

    @Test func `asks a quiet bluetoothd for a sign and tells a hang within eight seconds`() {
        var recovery = recovery()
        #expect(recovery.deadline == at(5))
        #expect(recovery.tick(at: at(5)) == [.ping])
        #expect(recovery.tick(at: at(7)) == [])
        #expect(recovery.unanswered(byService: true, at: at(8)) == [.suspect(.serviceUnanswered)])
    }

    @Test func `needs no ping while values come`() {
        var recovery = recovery()
        recovery.valueArrived(at: at(4))
        #expect(recovery.tick(at: at(8)) == [])
        #expect(recovery.tick(at: at(9)) == [.ping])
    }

    @Test func `restarts a bluetoothd that does not answer only where it may`() {
        var allowed = recovery()
        _ = allowed.unanswered(byService: true, at: at(8))
        #expect(allowed.tick(at: at(13)).contains(.attempt(.restartService)))
        var forbidden = recovery(mayRestart: false)
        _ = forbidden.unanswered(byService: true, at: at(8))
        #expect(!forbidden.tick(at: at(13)).contains(.attempt(.restartService)))
    }

    @Test func `goes from the gentlest means to the last against an adapter that does not answer`() {
        var recovery = recovery()
        #expect(
            recovery.unanswered(byService: false, at: at(10)) == [
                .suspect(.adapterUnanswered), .attempt(.restartDiscovery),
            ])
        #expect(attempts(&recovery, from: 11, to: 30) == [.powerCycle])
        #expect(attempts(&recovery, from: 31, to: 50) == [.restartService])
        #expect(attempts(&recovery, from: 51, to: 70) == [.restartDiscovery])
        // The rare ones are not repeated within the hour.
        #expect(attempts(&recovery, from: 71, to: 110) == [])
        #expect(recovery.adapterAnswered(at: at(111)) == [.recovered])
    }

    private func attempts(_ recovery: inout RadioRecovery, from: Int, to: Int) -> [RadioRecovery.Stage] {
        var stages: [RadioRecovery.Stage] = []
        for second in from...to {
            for action in recovery.tick(at: at(Double(second))) {
                if case .attempt(let stage) = action { stages.append(stage) }
            }
            _ = recovery.answered(at: at(Double(second)))
        }
        return stages
    }

    @Test func `cycles the power at most once an hour`() {
        var recovery = recovery(mayRestart: false)
        _ = recovery.unanswered(byService: false, at: at(0))
        let stages = attempts(&recovery, from: 1, to: 7_300)
        #expect(stages.filter { $0 == .powerCycle }.count == 3)
    }

    @Test func `leaves a link alone that brings values`() {
        var recovery = recovery()
        _ = recovery.unanswered(byService: false, at: at(0))
        var stages: [RadioRecovery.Stage] = []
        for second in 1...300 {
            recovery.valueArrived(at: at(Double(second)))
            stages += recovery.tick(at: at(Double(second))).compactMap {
                if case .attempt(let stage) = $0 { stage } else { nil }
            }
        }
        #expect(Set(stages) == [.restartDiscovery])
    }

    /// Listening in a house of flats.
    private func noisy(linkUp: Bool = false) -> RadioRecovery {
        var recovery = recovery()
        recovery.listening(true, isAnyLinkUp: linkUp, at: at(0))
        for _ in 0..<RadioRecovery.noise { _ = recovery.adverts(ofStranger: true, at: at(0)) }
        return recovery
    }

    @Test func `only begins the scan anew where nobody else is on the air or a link is up`() {
        var quiet = recovery()
        quiet.listening(true, isAnyLinkUp: false, at: at(0))
        #expect(quiet.tick(at: at(30)).contains(.refreshDiscovery))
        _ = quiet.answered(at: at(59))
        #expect(quiet.tick(at: at(60)).contains(.refreshDiscovery))
        #expect(!quiet.isSuspecting)
        var linked = noisy(linkUp: true)
        #expect(linked.tick(at: at(30)).contains(.refreshDiscovery))
        #expect(!linked.isSuspecting)
    }

    @Test func `takes thirty seconds without an advert among strangers for deafness, one advert for its end`() {
        var recovery = noisy()
        for second in 1...29 { _ = recovery.answered(at: at(Double(second))) }
        #expect(recovery.tick(at: at(29.9)) == [])
        #expect(recovery.tick(at: at(30)) == [.suspect(.deaf), .attempt(.restartDiscovery)])
        #expect(recovery.adverts(at: at(31)) == [.recovered])
    }

    @Test func `does not restart bluetoothd for deafness`() {
        var recovery = noisy()
        #expect(!attempts(&recovery, from: 1, to: 600).contains(.restartService))
    }

    @Test func `takes three lost connects to a wearable that is there for the adapter's fault`() {
        var recovery = recovery()
        #expect(recovery.connectLost(at: at(1)) == [])
        #expect(recovery.connectLost(at: at(2)) == [])
        #expect(recovery.connectLost(at: at(3)).first == .suspect(.adapterUnanswered))
        #expect(recovery.linkCameUp(at: at(4)) == [.recovered])
    }

    @Test func `forgets its suspicion with the bluetoothd it was about`() {
        var recovery = recovery()
        _ = recovery.unanswered(byService: true, at: at(8))
        #expect(recovery.startOver(at: at(9)) == [.recovered])
        #expect(recovery.deadline == at(14))
    }
}

@Suite struct WearableTrackerRecoveryTests {
    @Test func `a hung bluetoothd is told within seconds and restarted through systemd`() {
        var rig = TrackerRig(mayRestartBluetooth: true)
        rig.load(TrackerRig.tree(isConnected: true))
        rig.answer(.startNotify)
        rig.events = []
        rig.isHung = true
        #expect(rig.wait(.seconds(5)).contains(.ping))
        rig.wait(.seconds(3))
        rig.answer(.ping, "org.freedesktop.DBus.Error.NoReply")
        guard case .suspicion(let reason?)? = rig.events.last else { return #expect(Bool(false)) }
        #expect(reason.contains("bluetoothd"))
        rig.wait(.seconds(6))
        let restart = rig.calls.last { $0.call.method == .restartUnit }?.call.busCall
        #expect(restart?.destination == "org.freedesktop.systemd1")
        #expect(restart?.arguments == [.string("bluetooth.service"), .string("replace")])
        rig.after { $0.nameOwnerChanged(isPresent: false, at: $1) }
        #expect(rig.events.contains(.suspicion(nil)))
    }

    @Test func `an adapter that hangs is switched off and on again`() {
        var rig = TrackerRig()
        rig.load([TrackerRig.hci0: TrackerRig.adapter()])
        rig.answer(.setDiscoveryFilter)
        rig.answer(.startDiscovery, "org.freedesktop.DBus.Error.NoReply")
        #expect(rig.events.contains { if case .suspicion(_?) = $0 { true } else { false } })
        rig.wait(.seconds(21))
        let off = BlueZCall.setPower(of: TrackerRig.hci0, false)
        #expect(rig.calls.map(\.call).contains(off))
        rig.answer(.set)
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Powered": .bool(false)])
        rig.wait(.seconds(3))
        #expect(rig.calls.map(\.call).contains(.setPower(of: TrackerRig.hci0, true)))
        rig.answer(.set, "org.bluez.Error.Busy")
        rig.wait(.seconds(5))
        #expect(rig.calls.map(\.call).contains(.setPower(of: TrackerRig.hci0, true)))
        rig.answer(.set)
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Powered": .bool(true)])
        #expect(!rig.wait(.seconds(30)).contains(.set))
    }

    @Test func `an adapter that somebody else switched off is left off`() {
        var rig = TrackerRig()
        rig.load(TrackerRig.tree())
        rig.change(TrackerRig.hci0, BlueZ.adapter, ["Powered": .bool(false)])
        #expect(!rig.wait(.seconds(120)).contains(.set))
    }

    @Test func `an unplugged adapter ends the links and its return begins anew`() {
        var rig = TrackerRig()
        rig.subscribe()
        for path in [TrackerRig.device, TrackerRig.hci0] {
            rig.after { $0.interfacesRemoved(path, [BlueZ.device, BlueZ.adapter], at: $1) }
        }
        guard case .bluetooth(false, _)? = rig.events.last else { return #expect(Bool(false)) }
        rig.calls = []
        rig.after { $0.interfacesAdded(TrackerRig.hci0, TrackerRig.adapter(), at: $1) }
        #expect(rig.open(.startDiscovery) == [TrackerRig.hci0])
    }

    @Test func `bonds are never removed`() {
        // There is no such call to make.
        #expect(BlueZCall.Method(rawValue: "RemoveDevice") == nil)
    }
}
