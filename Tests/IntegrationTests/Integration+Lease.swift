import ConsentService
import ControlContract
import ControlLink
import ControlSocket
import DeviceSetup
import Foundation
import GatewayModel
import Hub
import Logging
import OutboxService
import Readings
import RealTime
import ServiceLifecycle
import Settings
import Synchronization
import TestSupport
import Testing
import Vault

extension Integration {
    /// The parts of the gateway behind an installer's page, from the control socket to bluetoothd. They run in this process,
    /// and the test gives them the time of their care tasks: a minute passes at once.
    @Suite struct Lease {
        private static let lease = Duration.seconds(60)
        private static let band = DeviceAddress("C0:FF:EE:00:00:09")!

        private struct Parts {
            let setup: DeviceSetupService
            let socket: String
            let radio: Radio

            /// Records how the search for broadcasters is switched.
            final class Radio: Sendable {
                private let switches = Mutex<[Bool]>([])
                var searches: [Bool] { switches.withLock { $0 } }
                func setSearching(_ isOn: Bool) { switches.withLock { $0.append(isOn) } }
            }

            /// On a thread of its own: the client blocks, and the server in this process needs the threads of the pool.
            func ask<Act: ControlVerb>(
                _ act: Act, by name: String = "Gino"
            ) async throws -> ControlReply<Act.Document> {
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread { [socket] in
                        continuation.resume(
                            with: Result {
                                var client = try ControlClient(path: socket)
                                return try client.ask(act.named(by: Caller(name)))
                            })
                    }
                }
            }

            /// The phase as another installer sees it. Such a look keeps no work alive.
            func phase() async throws -> DeviceSetupDocument.Phase {
                guard let state = try await ask(Verb.DeviceSetup(), by: "Pina").document else {
                    throw Missing(description: "the state of the work on wearables")
                }
                return state.phase
            }

            func becomesIdle() async throws {
                guard try await eventually({ try await phase() == .idle }) else {
                    throw Missing(description: "the end of the work on wearables")
                }
            }

            func care(at instant: BootInstant) {
                for task in setup.careTasks { task.body(Moment(boot: instant, wall: Clock.wall())) }
            }
        }

        /// Runs the parts over the bus of a house whose gateway is not started.
        private static func with(_ body: @escaping @Sendable (House, Parts) async throws -> Void) async throws {
            var settings = HouseSettings()
            settings.strangers = [
                Rig.Wearable(id: "band", address: band.description, pairing: "passkey:271828")
            ]
            try await House.with(settings) { house in
                let file = house.scratch.file("gateway.toml").path
                let settings = try GatewaySettings.load(path: file)
                let log = Logger(label: "test")
                let marks = StateMarks(in: settings.gateway.stateDirectory, boot: "test")
                let (gate, ledger) = ConsentStart(of: settings, marks, log).parts
                let core = try GatewayCore(
                    version: "test", settings: { settings }, boot: "test", marks: marks, gate: gate,
                    ledger: ledger, isClockTrusted: { true }, log: log)
                let radio = Parts.Radio()
                let setup = DeviceSetupService(
                    core, settingsFile: file,
                    broadcasters: try BroadcasterState(of: [], from: core.database, log),
                    search: { radio.setSearching($0) }, reload: { .done("") })
                let parts = Parts(setup: setup, socket: settings.gateway.controlSocket, radio: radio)
                let server = try ControlServer(
                    path: parts.socket, feed: core.feed, poison: core.poison, greeting: { $0([]) },
                    router: ControlRouter(setup.controls))
                let group = ServiceGroup(
                    configuration: ServiceGroupConfiguration(
                        services: ([server.service] + setup.services).map { .init(service: $0) }, logger: log))
                async let run: Void = group.run()
                try await body(house, parts)
                await group.triggerGracefulShutdown()
                try await run
            }
        }

        @Test func `of a page that has vanished ends its scan, and that of a page that looks does not`()
            async throws
        {
            try await Self.with { house, parts in
                let mark = house.rig.mark
                #expect(try await parts.ask(try Verb.ScanDevices(seconds: 120)).isDone)
                try await house.rig.event("the scan", after: mark) { $0.event == "discovering" }
                // Without the look the scan would end at the instant after it.
                let begun = Clock.boot()
                #expect(try await parts.ask(Verb.DeviceSetup()).isDone)
                let seen = Clock.boot()
                parts.care(at: begun.advanced(by: Self.lease))
                #expect(try await parts.phase() == .scanning)
                #expect(parts.radio.searches == [true])
                #expect(!house.rig.hasTold { $0.event == "discovery-stopped" })
                parts.care(at: seen.advanced(by: Self.lease))
                #expect(parts.radio.searches == [true, false], "with the scan, the search for broadcasters")
                try await house.rig.event("the end of the scan", after: mark) {
                    $0.event == "discovery-stopped"
                }
                try await parts.becomesIdle()
            }
        }

        @Test func `of a page that has vanished ends its pairing, with its agent`() async throws {
            try await Self.with { house, parts in
                let mark = house.rig.mark
                let wearable = Verb.PairDevice(
                    id: DeviceID("band")!, address: Self.band, person: PersonID("maria")!)
                #expect(try await parts.ask(wearable).isDone)
                try await house.rig.event("the question for the passkey", after: mark) { $0.event == "asked" }
                #expect(try await parts.phase() == .pairing)
                parts.care(at: Clock.boot().advanced(by: Self.lease))
                try await house.rig.event("the end of the agent", after: mark) { $0.event == "agent-gone" }
                try await parts.becomesIdle()
                let devices = house.scratch.file("state/devices.toml").path
                #expect(!FileManager.default.fileExists(atPath: devices), "nothing was added")
            }
        }
    }
}
