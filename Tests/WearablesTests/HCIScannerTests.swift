import GatewayModel
import Glibc
import RealTime
import TestSupport
import Testing
import WireFormats

@testable import Wearables

@Suite struct `An HCI scanner` {
    /// Runs a scanner on a scripted kernel for as long as `body` takes.
    private static func with(
        _ kernel: ScriptedKernel, filter: AdvertFilter = AdvertFilter([.all]), mode: HCIScanner.Mode = .scan,
        _ body: @Sendable (HCIScanner, Recorder<Advert>, Recorder<HCIScanEvent>) async throws -> Void
    ) async throws {
        let adverts = Recorder<Advert>()
        let events = Recorder<HCIScanEvent>()
        let scanner = try HCIScanner(
            adapter: nil, mode: mode, filter: filter, kernel: kernel,
            onAdverts: { $0.forEach(adverts.add) }, onEvent: { events.add($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await scanner.run() }
            do {
                try await body(scanner, adverts, events)
            } catch {
                scanner.stop()
                throw error
            }
            scanner.stop()
            try await group.waitForAll()
        }
    }

    private static func obedient() -> ScriptedKernel {
        let kernel = ScriptedKernel(adapters: [HCIMonitor.hci0])
        kernel.answer { HCIMonitor.obeyed($0) }
        return kernel
    }

    @Test func `starts a scan, brings what is heard in order, and ends the scan`() async throws {
        let kernel = Self.obedient()
        let before = Clock.boot()
        try await Self.with(kernel) { _, adverts, events in
            #expect(await events.wait { $0 == [.scanning(adapter: "hci0")] })
            for number in 0..<200 { kernel.show(HCIMonitor.advert(UInt8(number))) }
            #expect(await adverts.wait { $0.count == 200 })
            #expect(adverts.values.map(\.address.octets) == (0..<200).map { 0xC000_0000_0000 + UInt64($0) })
            #expect(adverts.values.allSatisfy { $0.arrival >= before && $0.arrival <= Clock.boot() })
        }
        #expect(
            kernel.sent.values == [
                .readSupportedCommands, .setParameters(.legacy), .enable(.legacy), .disable(.legacy),
            ])
    }

    @Test func `brings only what is wanted, and follows a change of mind`() async throws {
        let kernel = Self.obedient()
        let wanted = AdvertFilter([.address(DeviceAddress(octets: 0xC000_0000_0001))])
        try await Self.with(kernel, filter: wanted) { scanner, adverts, events in
            #expect(await events.wait { !$0.isEmpty })
            // The wanted one last: once it is heard, none of these is still on its way.
            for number: UInt8 in [0, 2, 3, 1] { kernel.show(HCIMonitor.advert(number)) }
            #expect(await adverts.wait { $0.count == 1 })
            scanner.want(AdvertFilter([.address(DeviceAddress(octets: 0xC000_0000_0003))]))
            for number in 0..<4 { kernel.show(HCIMonitor.advert(UInt8(number))) }
            #expect(await adverts.wait { $0.count == 2 })
            #expect(adverts.values.map { $0.address.octets & 0xFF } == [1, 3])
        }
    }

    @Test func `does not take another adapter's for its own`() async throws {
        let kernel = Self.obedient()
        try await Self.with(kernel) { _, adverts, _ in
            kernel.show(HCIMonitor.advert(1, adapter: 5))
            #expect(await kernel.sent.wait { $0.contains(.enable(.legacy)) })
            kernel.show(HCIMonitor.advert(1, adapter: 5))
            kernel.show(HCIMonitor.advert(2))
            #expect(await adverts.wait { !$0.isEmpty })
            #expect(adverts.values.map { $0.address.octets & 0xFF } == [2])
        }
    }

    @Test func `hears what others' scans bring while it is refused its own`() async throws {
        let kernel = ScriptedKernel(adapters: [HCIMonitor.hci0])
        kernel.answer { command in
            guard case .setParameters = command else { return HCIMonitor.obeyed(command) }
            return [HCIMonitor.complete(command.opcode, status: ScanMachine.disallowed)]
        }
        try await Self.with(kernel) { _, adverts, events in
            #expect(await events.wait { $0 == [.listening(adapter: "hci0", nil)] })
            kernel.show(HCIMonitor.advert(1))
            #expect(await adverts.wait { $0.count == 1 })
        }
        #expect(!kernel.sent.values.contains(.disable(.legacy)))
    }

    @Test func `says why it hears nothing without the capability`() async throws {
        let kernel = ScriptedKernel(adapters: [], refusal: SystemCallError("bind", number: EPERM))
        try await Self.with(kernel) { _, _, events in
            #expect(
                await events.wait { events in
                    if case .unavailable(let obstacle)? = events.first {
                        obstacle.kind == .noPermission
                    } else {
                        false
                    }
                })
        }
        #expect(kernel.sent.values.isEmpty)
    }

    @Test func `follows the adapter off and on`() async throws {
        let kernel = Self.obedient()
        let off = LocalAdapter(number: 0, name: "hci0", address: .init(octets: 1), isUp: false)
        try await Self.with(kernel) { _, _, events in
            #expect(await events.wait { $0.count == 1 })
            kernel.change([off])
            #expect(await events.wait { $0.last == .unavailable(.down("hci0")) })
            kernel.change([HCIMonitor.hci0])
            #expect(await events.wait { $0.last == .scanning(adapter: "hci0") })
        }
        #expect(kernel.watched.values == [0, nil, 0])
    }

    @Test func `counts what it cannot read, and goes on`() async throws {
        let kernel = Self.obedient()
        try await Self.with(kernel) { _, adverts, events in
            #expect(await events.wait { !$0.isEmpty })
            kernel.show(HCIMonitor.event(0x3E, [0x02, 1, 3, 1]))
            kernel.show(HCIMonitor.advert(1))
            #expect(await adverts.wait { $0.count == 1 })
        }
    }
}
