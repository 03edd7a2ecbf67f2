import BusSupport
import GatewayModel
import Synchronization
import Systemd
import TestSupport
import Testing
import WireFormats

@testable import Wearables

/// Pairing as it is run, against the virtual bluetoothd over a real dbus-daemon.
@Suite struct PairingBusTests {
    private static let strap =
        "{\"id\": \"strap\", \"kind\": \"heart_rate\", \"address\": \"C0:FF:EE:00:00:01\", \"name\": \"Virtual Strap\"}"

    /// A wearable that pairs in that way.
    private static func meter(_ way: String, more: String = "") -> String {
        "{\"id\": \"meter\", \"kind\": \"heart_rate\", \"address\": \"C0:FF:EE:00:00:02\", \"pairing\": \"\(way)\"\(more)}"
    }

    private static let meterAddress = DeviceAddress("C0:FF:EE:00:00:02")!

    private func pair(
        _ rig: PairingRig, _ capability: AgentCapability = .keyboardDisplay,
        prompts: PairingPrompts = .nobody
    ) async -> Result<NearbyDevice, PairingError> {
        do throws(PairingError) {
            let session = try PairingSession(
                bus: .address(rig.bus.address), adapter: nil, device: Self.meterAddress,
                capability: capability, prompts: prompts)
            return .success(try await session.run())
        } catch {
            return .failure(error)
        }
    }

    private func result(of session: PairingSession) async -> Result<NearbyDevice, PairingError> {
        do throws(PairingError) {
            return .success(try await session.run())
        } catch {
            return .failure(error)
        }
    }

    private func prompts(_ answer: PairingAnswer) -> PairingPrompts {
        PairingPrompts(ask: { $1(answer) }, show: { _ in }, withdraw: {})
    }

    @Test func `a scan tells the devices around, the strongest first`() async throws {
        let rig = try await PairingRig([
            Self.meter("just_works", more: ", \"rssi\": -80"), Self.strap,
            "{\"id\": \"far\", \"kind\": \"heart_rate\", \"address\": \"C0:FF:EE:00:00:03\", \"on_air\": false}",
        ])
        let devices = try await DiscoveryList(
            bus: .address(rig.bus.address), adapter: nil, duration: .milliseconds(300)
        ).run()
        #expect(devices.map(\.address.description) == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"])
        #expect(devices.map(\.signal) == [-58, -80])
        #expect(devices.first?.name == "Virtual Strap")
        #expect(devices.first?.services == [.heartRate, .battery])
        #expect(await eventually { rig.events.contains("discovery-stopped") })
    }

    @Test func `a wearable that asks for nothing is paired bonded and trusted`() async throws {
        let rig = try await PairingRig([Self.meter("just_works")])
        let device = try await pair(rig, .noInputNoOutput).get()
        #expect(device.isPaired && device.isBonded && device.isTrusted)
        #expect(await eventually { rig.events.contains("agent-gone") })
    }

    @Test func `a passkey that is typed in pairs`() async throws {
        let rig = try await PairingRig([Self.meter("passkey:123456")])
        #expect(try await pair(rig, prompts: prompts(.passkey(123_456))).get().isBonded)
    }

    @Test func `a wrong passkey is said to be one`() async throws {
        let rig = try await PairingRig([Self.meter("passkey:123456")])
        #expect(await pair(rig, prompts: prompts(.passkey(654_321))) == .failure(.wrongPasskey))
        #expect(await eventually { rig.events.contains("agent-gone") })
        // And the next try may be right.
        #expect(try await pair(rig, prompts: prompts(.passkey(123_456))).get().isBonded)
    }

    @Test func `a passkey to be typed at the wearable is shown`() async throws {
        let rig = try await PairingRig([Self.meter("display:42")])
        let shown = Mutex("")
        let screen = PairingPrompts(
            ask: { $1(.no) }, show: { text in shown.withLock { $0 = text } }, withdraw: {})
        #expect(try await pair(rig, prompts: screen).get().isBonded)
        #expect(shown.withLock { $0 } == "000042")
    }

    @Test func `a number on both sides is confirmed by the person only`() async throws {
        let rig = try await PairingRig([Self.meter("confirm:777")])
        #expect(await pair(rig, prompts: prompts(.no)) == .failure(.cancelled(here: true)))
        #expect(try await pair(rig, prompts: prompts(.yes)).get().isBonded)
    }

    @Test func `an old pin and an authorisation are asked for too`() async throws {
        let pin = try await PairingRig([Self.meter("pin:0000")])
        #expect(try await pair(pin, prompts: prompts(.pinCode("0000"))).get().isBonded)
        let allow = try await PairingRig([Self.meter("allow")])
        #expect(try await pair(allow, prompts: prompts(.yes)).get().isBonded)
    }

    @Test func `a wearable that refuses and one that wants a passkey nobody can give are told apart`()
        async throws
    {
        #expect(await pair(try await PairingRig([Self.meter("rejects")])) == .failure(.rejected))
        #expect(
            await pair(try await PairingRig([Self.meter("passkey:1")]), .noInputNoOutput)
                == .failure(.authenticationFailed))
    }

    @Test func `a wearable that keeps no keys is not taken for bonded`() async throws {
        let rig = try await PairingRig([Self.meter("just_works", more: ", \"bonds\": false")])
        // Ended early here: the machine's own test has the 10 s.
        let session = try PairingSession(
            bus: .address(rig.bus.address), adapter: nil, device: Self.meterAddress,
            capability: .noInputNoOutput, prompts: .nobody)
        async let outcome = result(of: session)
        #expect(await eventually { rig.events.contains("\"paired\"") })
        session.stop()
        let ended = await outcome
        #expect(ended == .failure(.cancelled(here: true)))
    }

    @Test func `a pairing that goes nowhere ends when the person stops it`() async throws {
        let rig = try await PairingRig([Self.meter("never")])
        let session = try PairingSession(
            bus: .address(rig.bus.address), adapter: nil, device: Self.meterAddress,
            capability: .keyboardDisplay, prompts: .nobody)
        async let outcome = result(of: session)
        #expect(await eventually { rig.events.contains("\"connected\"") })
        session.stop()
        let ended = await outcome
        #expect(ended == .failure(.cancelled(here: true)))
        #expect(await eventually { rig.events.contains("AuthenticationCanceled") })
        #expect(await eventually { rig.events.contains("agent-gone") })
    }

    @Test func `a paired device is not paired twice`() async throws {
        let rig = try await PairingRig([
            Self.meter("just_works", more: ", \"known\": true, \"paired\": true")
        ])
        #expect(await pair(rig) == .failure(.alreadyPaired(Self.meterAddress)))
    }

    @Test func `a forgotten device is unknown and unpaired`() async throws {
        let rig = try await PairingRig([Self.meter("just_works")])
        _ = try await pair(rig, .noInputNoOutput).get()
        let bus = BusAddress.address(rig.bus.address)
        #expect(try await KnownDevices.list(bus: bus).map(\.isPaired) == [true])
        #expect(try await KnownDevices.forget(Self.meterAddress, bus: bus))
        #expect(try await KnownDevices.list(bus: bus).isEmpty)
        #expect(try await !KnownDevices.forget(Self.meterAddress, bus: bus))
    }

    @Test func `without a bus or a bluetoothd it names the service to start`() async throws {
        await #expect(throws: PairingError.self) {
            try await KnownDevices.list(bus: .address("unix:path=/nonexistent"))
        }
        let bus = try PrivateBus()
        await #expect(throws: PairingError.unavailable(Availability.noService.reason)) {
            try await KnownDevices.list(bus: .address(bus.address))
        }
    }

    @Test func `only bluetoothd may speak to the agent`() async throws {
        let rig = try await PairingRig([Self.meter("passkey:123456")])
        let session = try PairingSession(
            bus: .address(rig.bus.address), adapter: nil, device: Self.meterAddress,
            capability: .keyboardDisplay,
            prompts: PairingPrompts(ask: { _, _ in }, show: { _ in }, withdraw: {}))
        async let outcome = result(of: session)
        #expect(await eventually { rig.events.contains("RequestPasskey") })
        let stranger = try BusConnection(.address(rig.bus.address))
        let names = try rig.bus.reply(
            to: BusCall(
                destination: "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus",
                member: "ListNames", timeout: .seconds(5)), on: stranger)
        var refusals = 0
        for name in try names?.get().first?.strings ?? [] where name.hasPrefix(":") {
            let reply = try rig.bus.reply(
                to: BusCall(
                    destination: name, path: AgentCall.path, interface: AgentCall.interface,
                    member: "RequestPasskey", arguments: [.objectPath("/x")], timeout: .seconds(1)),
                on: stranger)
            if case .failure(.remote("org.freedesktop.DBus.Error.AccessDenied", _))? = reply { refusals += 1 }
        }
        #expect(refusals == 1)
        session.stop()
        let ended = await outcome
        #expect(ended == .failure(.cancelled(here: true)))
    }

    @Test func `a pairing ends with the process that asked for it`() async throws {
        let rig = try await PairingRig([Self.meter("never", more: ", \"known\": true")])
        do {
            let connection = try BusConnection(.address(rig.bus.address))
            let path = "/org/bluez/hci0/dev_C0_FF_EE_00_00_02"
            try connection.send(.device(path, "Pair", timeout: .seconds(60))) { _ in }
            try rig.bus.turn(connection) { rig.events.contains("\"connected\"") }
        }
        #expect(await eventually { rig.events.contains("AuthenticationCanceled") })
    }
}
