import GatewayModel
import Systemd
import Testing

@testable import Wearables

/// The pairing as a machine: called with events and instants, no bus.
@Suite struct PairingOperationTests {
    private static let address = DeviceAddress("C0:FF:EE:00:00:01")!
    private static let hci0 = "/org/bluez/hci0"
    private static let path = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"

    /// A machine, its table and its clock.
    private struct Rig {
        var errand = PairingOperation(PairingOperationTests.address, adapter: nil, capability: .keyboardDisplay)
        var table = DeviceTable()
        var now = BootInstant(nanoseconds: 1_000_000_000)

        init(isPowered: Bool = true) {
            table.add(PairingOperationTests.hci0, [BlueZ.adapter: ["Powered": .bool(isPowered)]])
        }

        mutating func tell(_ event: BlueZOperationEvent) -> [PairingOperation.Action] {
            errand.handle(event, table, at: now)
        }

        mutating func change(_ properties: [String: BusValue]) -> [PairingOperation.Action] {
            table.change(PairingOperationTests.path, BlueZ.device, properties, invalidated: [])
            return tell(.changed(PairingOperationTests.path))
        }

        mutating func appear(_ properties: [String: BusValue] = ["RSSI": .int16(-60)]) {
            let known: [String: BusValue] = [
                "Address": .string("C0:FF:EE:00:00:01"), "Adapter": .objectPath(PairingOperationTests.hci0),
                "Paired": .bool(false), "Bonded": .bool(false),
            ]
            table.add(PairingOperationTests.path, [BlueZ.device: known.merging(properties) { $1 }])
        }

        mutating func answer(_ member: String, _ error: String? = nil) -> [PairingOperation.Action] {
            let call = BusCall(
                destination: "", path: "", interface: "", member: member, timeout: .seconds(1))
            return tell(
                .replied(call, error.map { .failure(.remote(name: $0, message: "x")) } ?? .success([])))
        }

        mutating func wait(_ duration: Duration) -> [PairingOperation.Action] {
            now = now.advanced(by: duration)
            return tell(.tick)
        }

        /// Up to Pair under way.
        mutating func pair() {
            appear()
            _ = tell(.began)
            _ = answer("RegisterAgent")
        }
    }

    private func calls(_ actions: [PairingOperation.Action]) -> [String] {
        actions.compactMap { if case .call(let call) = $0 { call.member } else { nil } }
    }

    private func outcome(_ actions: [PairingOperation.Action]) -> Result<NearbyDevice, PairingError>? {
        for case .finish(let result) in actions { return result }
        return nil
    }

    /// What it ends with, once its goodbye is answered.
    private func failure(_ rig: inout Rig, _ actions: [PairingOperation.Action]) -> PairingError? {
        var actions = actions
        for member in calls(actions) where outcome(actions) == nil { actions = rig.answer(member) }
        guard case .failure(let error)? = outcome(actions) else { return nil }
        return error
    }

    @Test func `a device that is heard is paired bonded trusted and the agent goes`() throws {
        var rig = Rig()
        rig.appear()
        #expect(calls(rig.tell(.began)) == ["RegisterAgent"])
        #expect(calls(rig.answer("RegisterAgent")) == ["Pair"])
        #expect(calls(rig.answer("Pair")) == [])
        #expect(calls(rig.change(["Paired": .bool(true)])) == [])
        #expect(calls(rig.change(["Bonded": .bool(true)])) == ["Set"])
        #expect(calls(rig.answer("Set")) == ["UnregisterAgent"])
        let device = try #require(try outcome(rig.answer("UnregisterAgent"))?.get())
        #expect(device.address == Self.address && device.isPaired && device.isBonded)
    }

    @Test func `a device that is not heard is sought and discovery ends before pairing`() {
        var rig = Rig()
        rig.appear([:])
        #expect(calls(rig.tell(.began)) == ["SetDiscoveryFilter", "StartDiscovery"])
        #expect(calls(rig.change(["RSSI": .int16(-70)])) == ["StopDiscovery", "RegisterAgent"])
    }

    @Test func `a device that stays away is told after the limit and discovery ends`() {
        var rig = Rig()
        _ = rig.tell(.began)
        #expect(rig.wait(.seconds(19)) == [])
        let actions = rig.wait(.seconds(1))
        #expect(calls(actions) == ["StopDiscovery"])
        #expect(failure(&rig, actions) == .deviceAway(Self.address, after: .seconds(20)))
    }

    @Test func `a search that the controller refused is begun again`() {
        var rig = Rig()
        _ = rig.tell(.began)
        #expect(calls(rig.answer("StartDiscovery", "org.bluez.Error.InProgress")) == [])
        #expect(calls(rig.wait(.seconds(1))) == ["StartDiscovery"])
        #expect(calls(rig.answer("StartDiscovery")) == [])
        rig.appear()
        #expect(calls(rig.tell(.changed(Self.path))) == ["StopDiscovery", "RegisterAgent"])
    }

    @Test func `a search that is refused again and again ends at its limit`() {
        var rig = Rig()
        _ = rig.tell(.began)
        for _ in 1..<20 {
            _ = rig.answer("StartDiscovery", "org.bluez.Error.InProgress")
            #expect(calls(rig.wait(.seconds(1))) == ["StartDiscovery"])
        }
        #expect(calls(rig.wait(.seconds(1))) == ["StopDiscovery"])
    }

    @Test func `a scan that the controller refused is begun again and not for ever`() {
        var table = DeviceTable()
        table.add(Self.hci0, [BlueZ.adapter: ["Powered": .bool(true)]])
        var scan = ScanOperation(adapter: nil, duration: .seconds(8))
        var now = BootInstant(nanoseconds: 1_000_000_000)
        var last = scan.handle(.began, table, at: now)
        var starts = 0
        while case .call(let call)? = last.last {
            starts += 1
            let refusal = BusError.remote(name: "org.bluez.Error.InProgress", message: "x")
            last = scan.handle(.replied(call, .failure(refusal)), table, at: now)
            guard let deadline = scan.deadline else { break }
            now = deadline
            last = scan.handle(.tick, table, at: now)
        }
        #expect(starts == ScanOperation.mostRefusals + 1)
        guard case .finish(.failure(.refused))? = last.last else { return #expect(Bool(false)) }
    }

    @Test func `a scan reports its devices twice a second at most, and only after news`() {
        var table = DeviceTable()
        table.add(Self.hci0, [BlueZ.adapter: ["Powered": .bool(true)]])
        var scan = ScanOperation(adapter: nil, duration: .seconds(8))
        var now = BootInstant(nanoseconds: 1_000_000_000)
        let begun = scan.handle(.began, table, at: now)
        guard case .call(let call)? = begun.last else { return #expect(Bool(false)) }
        _ = scan.handle(.replied(call, .success([])), table, at: now)
        #expect(scan.handle(.tick, table, at: now).isEmpty, "nothing was heard")

        func hear(_ signal: Int16) -> [ScanOperation.Action] {
            table.add(
                "\(Self.hci0)/dev",
                [
                    BlueZ.device: [
                        "Address": .string("C0:FF:EE:00:00:01"), "Adapter": .objectPath(Self.hci0),
                        "RSSI": .int16(signal),
                    ]
                ])
            return scan.handle(.changed("\(Self.hci0)/dev"), table, at: now)
                + scan.handle(.tick, table, at: now)
        }
        func signals(_ actions: [ScanOperation.Action]) -> [Int?]? {
            if case .report(let devices)? = actions.last { devices.map(\.signal) } else { nil }
        }
        #expect(signals(hear(-70)) == [-70])
        now = now.advanced(by: .milliseconds(100))
        #expect(hear(-60).isEmpty, "too early")
        now = now.advanced(by: ScanOperation.reportPause)
        #expect(signals(scan.handle(.tick, table, at: now)) == [-60])
        now = now.advanced(by: ScanOperation.reportPause)
        #expect(scan.handle(.tick, table, at: now).isEmpty, "nothing new")
    }

    @Test func `a paired device and an adapter that is off are told at once`() {
        var rig = Rig()
        rig.appear(["Paired": .bool(true)])
        #expect(outcome(rig.tell(.began)) == .failure(.alreadyPaired(Self.address)))
        var dark = Rig(isPowered: false)
        guard case .failure(.unavailable(let reason))? = outcome(dark.tell(.began)) else {
            return #expect(Bool(false))
        }
        #expect(reason.contains("hci0 is switched off"))
    }

    @Test func `the passkey of the person goes to bluetoothd`() {
        var rig = Rig()
        rig.pair()
        #expect(rig.tell(.agent(1, .requestPasskey(device: Self.path))) == [.ask(1, .passkey)])
        #expect(rig.tell(.answered(1, .passkey(123_456))) == [.reply(1, [.uint32(123_456)])])
        #expect(rig.tell(.answered(1, .passkey(1))) == [])
        let actions = rig.answer("Pair", "org.bluez.Error.AuthenticationFailed")
        #expect(calls(actions) == ["UnregisterAgent"])
        #expect(failure(&rig, actions) == .wrongPasskey)
    }

    @Test func `a passkey of seven digits is none`() {
        var rig = Rig()
        rig.pair()
        _ = rig.tell(.agent(1, .requestPasskey(device: Self.path)))
        #expect(
            rig.tell(.answered(1, .passkey(1_000_000))) == [.refuse(1, name: "org.bluez.Error.Rejected")])
    }

    @Test func `a passkey to be typed at the device is shown once with its zeros`() {
        var rig = Rig()
        rig.pair()
        #expect(
            rig.tell(.agent(1, .displayPasskey(device: Self.path, 42, entered: 0)))
                == [.show(passkey: "000042"), .reply(1, [])])
        #expect(rig.tell(.agent(2, .displayPasskey(device: Self.path, 42, entered: 1))) == [.reply(2, [])])
    }

    @Test func `a number that the person does not see ends the pairing`() {
        var rig = Rig()
        rig.pair()
        #expect(
            rig.tell(.agent(1, .requestConfirmation(device: Self.path, 7)))
                == [.ask(1, .isShown(passkey: "000007"))])
        #expect(rig.tell(.answered(1, .no)) == [.refuse(1, name: "org.bluez.Error.Rejected")])
        let actions = rig.answer("Pair", "org.bluez.Error.AuthenticationRejected")
        #expect(failure(&rig, actions) == .cancelled(here: true))
    }

    @Test func `another device is not let in through this agent`() {
        var rig = Rig()
        rig.pair()
        #expect(
            rig.tell(.agent(1, .requestConfirmation(device: "/org/bluez/hci0/dev_other", 7)))
                == [.refuse(1, name: "org.bluez.Error.Rejected")])
        #expect(
            rig.tell(.agent(2, .authorizeService(device: Self.path)))
                == [.refuse(2, name: "org.bluez.Error.Rejected")])
    }

    @Test func `a question that bluetoothd takes back is withdrawn`() {
        var rig = Rig()
        rig.pair()
        _ = rig.tell(.agent(1, .requestPasskey(device: Self.path)))
        #expect(
            rig.tell(.agent(2, .cancel))
                == [.reply(2, []), .refuse(1, name: "org.bluez.Error.Canceled"), .withdraw])
        #expect(rig.tell(.answered(1, .passkey(1))) == [])
    }

    @Test func `stopping cancels at bluetoothd and takes the agent away`() {
        var rig = Rig()
        rig.pair()
        let actions = rig.tell(.cancelled)
        #expect(calls(actions) == ["CancelPairing", "UnregisterAgent"])
        #expect(rig.answer("Pair", "org.bluez.Error.AuthenticationCanceled") == [])
        #expect(failure(&rig, actions) == .cancelled(here: true))
    }

    @Test func `a goodbye that is not answered is not waited for long`() {
        var rig = Rig()
        rig.pair()
        _ = rig.tell(.cancelled)
        #expect(rig.errand.deadline == rig.now.advanced(by: .seconds(2)))
        #expect(outcome(rig.wait(.seconds(2))) == .failure(.cancelled(here: true)))
    }

    @Test func `a pair without an answer is cancelled at bluetoothd`() {
        var rig = Rig()
        rig.pair()
        let actions = rig.answer("Pair", "org.freedesktop.DBus.Error.NoReply")
        #expect(calls(actions) == ["CancelPairing", "UnregisterAgent"])
        #expect(failure(&rig, actions) == .timedOut(after: .seconds(120)))
    }

    @Test func `a bond that is not kept is an error`() {
        var rig = Rig()
        rig.pair()
        _ = rig.answer("Pair")
        _ = rig.change(["Paired": .bool(true)])
        let actions = rig.wait(.seconds(10))
        #expect(failure(&rig, actions) == .notBonded)
    }

    @Test(
        arguments: [
            ("AuthenticationFailed", .authenticationFailed), ("AuthenticationRejected", .rejected),
            ("AuthenticationCanceled", .cancelled(here: false)),
            ("AuthenticationTimeout", .timedOut(after: .seconds(120))),
            ("AlreadyExists", .alreadyPaired(address)), ("InProgress", .busy),
            ("ConnectionAttemptFailed", .connectionFailed(address, "x")),
            ("DoesNotExist", .deviceAway(address, after: .zero)),
            (
                "Unheard",
                .refused(step: "to pair", .remote(name: "org.bluez.Error.Unheard", message: "x"))
            ),
        ] as [(String, PairingError)])
    func `each answer of bluetoothd is an error with a remedy`(_ name: String, _ error: PairingError) {
        var rig = Rig()
        rig.pair()
        let actions = rig.answer("Pair", "org.bluez.Error." + name)
        #expect(failure(&rig, actions) == error)
        #expect(error.description.count > 30)
    }

    @Test func `before BlueZ 5.65 paired is all there is to see`() {
        var rig = Rig()
        rig.table.add(
            Self.path,
            [
                BlueZ.device: [
                    "Address": .string("C0:FF:EE:00:00:01"), "Adapter": .objectPath(Self.hci0),
                    "RSSI": .int16(-50),
                ]
            ])
        _ = rig.tell(.began)
        _ = rig.answer("RegisterAgent")
        _ = rig.answer("Pair")
        #expect(calls(rig.change(["Paired": .bool(true)])) == ["Set"])
    }
}
