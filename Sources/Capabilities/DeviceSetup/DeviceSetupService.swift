package import ControlContract
import GatewayModel
package import Hub
import Logging
package import OutboxService
package import Readings
import RealTime
package import ServiceLifecycle
import Settings
import SettingsReading
import Synchronization
import Systemd
import Wearables
import WireFormats

/// Scans, pairings, additions and removals of wearables for installers, while the gateway watches the others.
///
/// Each work has a bus connection and a thread of its own ("pairing"), and files are written on another ("devices"): the
/// radio, the readings and the alarms wait for none of them. It writes the devices file alone.
package final class DeviceSetupService: Capability {
    private struct State {
        var machine = SetupMachine()
        /// Ends the work that runs; nil while none does.
        var stop: (@Sendable () -> Void)?
        /// The work is to end as soon as it can.
        var isStopRequested = false
        /// Sends the answer to the open question.
        var answer: (@Sendable (PairingAnswer) -> Void)?
    }

    /// Named on top of the devices file.
    private static let author = "homegateway, by the page of an installer"

    private let core: GatewayCore
    private let settingsFile: String
    private let broadcasters: BroadcasterState
    private let search: @Sendable (Bool) -> Void
    private let reload: @Sendable () -> ControlReply<NoDocument>
    /// Number of the search that `search` has begun.
    private let searching = Mutex<Int?>(nil)
    private let state = Mutex(State())
    private let orders: AsyncStream<SetupMachine.Work>
    private let order: AsyncStream<SetupMachine.Work>.Continuation

    /// - Parameters:
    ///   - settingsFile: the file of the settings; it is read, and never written.
    ///   - broadcasters: hears the devices that only advertise.
    ///   - search: begins or ends the search for them; must return at once.
    ///   - reload: reads the devices again; may block.
    package init(
        _ core: GatewayCore, settingsFile: String, broadcasters: BroadcasterState,
        search: @escaping @Sendable (Bool) -> Void, reload: @escaping @Sendable () -> ControlReply<NoDocument>
    ) {
        (self.core, self.settingsFile, self.reload) = (core, settingsFile, reload)
        (self.broadcasters, self.search) = (broadcasters, search)
        // The machine begins one work at a time.
        (orders, order) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    package var services: [any Service] { [ThreadService(run: run, stop: stop)] }

    package var careTasks: [CareTask] {
        [CareTask { [self] now in perform(state.withLock { $0.machine.tick(at: now.boot) }) }]
    }

    package var controls: [ControlHandler] {
        [
            handler(Verb.DeviceSetup.self) { _, _, _, _ in },
            handler(Verb.ScanDevices.self) { service, scan, owner, now throws(ControlError) in
                try service.begin(.scan(.seconds(scan.seconds)), owner, at: now)
            },
            handler(Verb.PairDevice.self) { service, wearable, owner, now throws(ControlError) in
                try service.begin(.pair(wearable), owner, at: now)
            },
            handler(Verb.AddBroadcaster.self) { service, device, owner, now throws(ControlError) in
                try service.check(device)
                try service.begin(.add(device), owner, at: now)
            },
            handler(Verb.ForgetDevice.self) { service, forget, owner, now throws(ControlError) in
                guard service.core.roster.wearables.contains(where: { $0.id == forget.device }) else {
                    throw ControlError(
                        "\(forget.device): no wearable has this id; see: homegateway devices list")
                }
                try service.begin(.forget(forget.device), owner, at: now)
            },
            handler(Verb.AnswerPairing.self) { service, answer, owner, _ throws(ControlError) in
                service.perform(
                    try service.state.withLock { state throws(ControlError) in
                        try state.machine.answer(answer.answer, by: owner)
                    })
            },
            handler(Verb.StopSetup.self) { service, _, owner, _ in
                service.perform(service.state.withLock { $0.machine.stop(by: owner) })
            },
            ControlHandler(Verb.TrackDevice.self, track),
        ]
    }

    /// Handler of an act, which is answered with the state after it.
    private func handler<Act: ControlAct>(
        _ verb: Act.Type,
        _ act:
            @escaping @Sendable (DeviceSetupService, Act, SetupOwner, BootInstant) throws(ControlError) -> Void
    ) -> ControlHandler where Act.Document == DeviceSetupDocument {
        ControlHandler(verb) { [self] request, reply in
            let (owner, now) = (SetupOwner(request.caller), Clock.boot())
            do throws(ControlError) {
                try act(self, request, owner, now)
                reply(look(owner, at: now))
            } catch {
                reply(.refused(error))
            }
        }
    }

    // MARK: Requests

    /// A device is added only after it was heard, and with a key that opens its adverts.
    private func check(_ device: Verb.AddBroadcaster) throws(ControlError) {
        let address = device.address
        switch broadcasters.judge(device.key, of: address) {
        case .fits: return
        case .notHeard:
            throw ControlError(
                "\(address): the search has heard no advert of it; look again, and press its button near the box",
                .notHeard)
        case .missing:
            throw ControlError(
                "\(address): its adverts are encrypted, expected its bind key in 'key'; copy it from the device's app",
                .keyMissing)
        case .unused:
            throw ControlError(
                "\(address): its adverts are in the clear, and a key protects nothing; leave it out, or switch on "
                    + "encryption in the device's app and look again", .keyUnused)
        case .wrong:
            throw ControlError(
                "\(address): the key does not open its adverts; copy it again from the device's app, press its button, "
                    + "and try again", .keyWrong)
        }
    }

    private func begin(_ work: SetupMachine.Work, _ owner: SetupOwner, at now: BootInstant) throws(ControlError)
    {
        let actions = try state.withLock { state throws(ControlError) in
            try state.machine.begin(work, by: owner, at: now)
        }
        core.log.notice("work on wearables", metadata: ["work": "\(work.word)"])
        perform(actions)
    }

    private func look(_ owner: SetupOwner, at now: BootInstant) -> ControlReply<DeviceSetupDocument> {
        let known = Dictionary(core.roster.wearables.map { ($0.address, $0.id) }) { first, _ in first }
        let found = broadcasters.found
        let document = state.withLock {
            $0.machine.look(by: owner, known: known, broadcasters: found, at: now)
        }
        return .done(with: document)
    }

    private func perform(_ actions: [SetupMachine.Action]) {
        settleSearch()
        for action in actions {
            switch action {
            case .begin(let work):
                state.withLock { $0.isStopRequested = false }
                order.yield(work)
            case .cancel:
                let stop = state.withLock { state in
                    state.isStopRequested = true
                    return state.stop
                }
                stop?()
            case .answer(let answer): state.withLock { $0.answer }?(answer)
            }
        }
    }

    /// Lets the search follow the machine. Two threads may come here in any order: the newest state counts.
    private func settleSearch() {
        searching.withLock { current in
            let wanted = state.withLock(\.machine.search)
            guard wanted != current else { return }
            if current != nil { search(false) }
            if wanted != nil { search(true) }
            current = wanted
        }
    }

    private func tell(_ event: SetupMachine.Event) {
        perform(state.withLock { $0.machine.handle(event, at: Clock.boot()) })
    }

    // MARK: The work

    private func run() async {
        for await work in orders {
            let end: SetupMachine.End
            do {
                end = try await self.end(of: work)
            } catch {
                end = .failed(Self.lines(error))
            }
            state.withLock { ($0.stop, $0.answer) = (nil, nil) }
            tell(.ended(end))
        }
    }

    private func stop() {
        order.finish()
        let stop = state.withLock { state in
            state.isStopRequested = true
            return state.stop
        }
        stop?()
    }

    /// Makes the work stoppable. A stop that was asked for before the work began ends it at once.
    private func admit(_ stop: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            state.stop = stop
            return state.isStopRequested
        }
        if isStopped { stop() }
    }

    private func end(of work: SetupMachine.Work) async throws -> SetupMachine.End {
        switch work {
        case .scan(let duration): try await scan(duration)
        case .pair(let wearable): try await pair(wearable)
        case .add(let device): try await add(device)
        case .forget(let device): try await forget(device)
        }
    }

    private func scan(_ duration: Duration) async throws -> SetupMachine.End {
        let bluetooth = core.settings().bluetooth
        let list = try DiscoveryList(
            bus: BusAddress(bluetooth.bus), adapter: bluetooth.adapter, duration: duration
        ) { [self] in tell(.heard($0)) }
        admit { list.stop() }
        tell(.heard(try await list.run()))
        return .scanned
    }

    private func pair(_ wearable: Verb.PairDevice) async throws -> SetupMachine.End {
        let prompts = PairingPrompts(
            ask: { [self] question, answer in
                state.withLock { $0.answer = answer }
                tell(.asked(question))
            },
            show: { [self] in tell(.shown(passkey: $0)) }, withdraw: { [self] in tell(.withdrawn) })
        let device = NewDevice(id: wearable.id, address: wearable.address, person: wearable.person)
        let settings = try await OwnThread.result("devices") { [settingsFile] () throws(SettingsError) in
            try GatewaySettings.load(path: settingsFile)
        }
        let pairing = try DevicePairing(
            device, by: wearable.isBonded ? .pairing : .none, in: settings, settingsPath: settingsFile,
            capability: .keyboardDisplay, prompts: prompts, author: Self.author)
        try await OwnThread.result("devices") { () throws(DevicesFileError) in try pairing.check() }
        admit { pairing.stop() }
        switch try await pairing.run(report: { _ in }) {
        case .unchanged:
            return .paired(
                wearable.id, lines: ["'\(wearable.id)' was added before; its settings are unchanged"])
        case .useless(let found, let isBondDeleted):
            return .failed([
                "\(found.address) gives nothing that this gateway can read. It was not added"
                    + (isBondDeleted ? ", and its bond is deleted again" : "")
                    + ": check that this is the wearable that you mean"
            ])
        case .added(let after, let found):
            let reply = await reloaded()
            guard reply.isDone else {
                return .failed(["'\(wearable.id)' is added, and not in use:"] + reply.lines)
            }
            let added = after.wearables.first { $0.id == wearable.id }
            let uses = added.map { added in
                KindUse.all(
                    of: added, measuring: found?.services.flatMap(\.kinds) ?? [], among: after.wearables,
                    of: after.persons
                ).map { "\($0.kind): \($0.words)" }
            }
            return .paired(wearable.id, lines: reply.lines + (uses ?? []))
        }
    }

    private func add(_ broadcaster: Verb.AddBroadcaster) async throws -> SetupMachine.End {
        let device = NewDevice(
            id: broadcaster.id, address: broadcaster.address, person: broadcaster.person,
            heardBy: .advertising, signals: GatewaySettings.Signals(broadcaster.meanings))
        try await OwnThread.result("devices") { [settingsFile] () throws(DevicesFileError) in
            _ = try Self.file(settingsFile).add(device, bindKey: broadcaster.key?.hexadecimal, by: Self.author)
        }
        let reply = await reloaded()
        guard reply.isDone else {
            return .failed(["'\(device.id)' is added, and not in use:"] + reply.lines)
        }
        return .paired(
            device.id,
            lines: reply.lines + device.signals.meanings.map { "\($0.event): means \($0.means.rawValue)" })
    }

    /// Blocking I/O.
    private static func file(_ settingsFile: String) throws(DevicesFileError) -> DevicesFile {
        do throws(SettingsError) {
            return DevicesFile(of: try GatewaySettings.load(path: settingsFile), settingsPath: settingsFile)
        } catch {
            throw .settings(error)
        }
    }

    private func forget(_ id: DeviceID) async throws -> SetupMachine.End {
        let (wearable, bus) = try await OwnThread.result("devices") {
            [settingsFile] () throws(DevicesFileError) in
            let settings: GatewaySettings
            do throws(SettingsError) {
                settings = try GatewaySettings.load(path: settingsFile)
            } catch {
                throw .settings(error)
            }
            let wearable = try settings.wearable(id)
            _ = try DevicesFile(of: settings, settingsPath: settingsFile).remove(id, by: Self.author)
            return (wearable, settings.bluetooth.bus)
        }
        // First, so that the gateway does not connect it again while it is forgotten.
        let reply = await reloaded()
        guard reply.isDone else { return .failed(reply.lines) }
        guard wearable.heardBy == .connection else { return .forgotten(id, lines: reply.lines) }
        do throws(PairingError) {
            let wasKnown = try await KnownDevices.forget(wearable.address, bus: BusAddress(bus))
            return .forgotten(
                id, lines: reply.lines + [wasKnown ? "its bond is deleted" : "there was no bond to delete"])
        } catch {
            return .failed(
                reply.lines + [
                    "\(error)",
                    "its bond was not deleted; delete it later: bluetoothctl remove \(wearable.address)",
                ])
        }
    }

    private func reloaded() async -> ControlReply<NoDocument> {
        do {
            return try await OwnThread.result("reload") { [reload] () throws(Never) in reload() }
        } catch {
            return .refused("the gateway cannot reload now: \(error)")
        }
    }

    /// On a thread of its own: the control thread, which cancels alarms, must not wait for a disk.
    private func track(
        _ tracking: Verb.TrackDevice, _ reply: ControlAnswer<NoDocument>
    ) {
        do throws(SystemCallError) {
            _ = try NamedThread("devices") { [self] in reply(tracked(tracking)) }
        } catch {
            reply(.refused("the gateway cannot change the devices now: \(error)"))
        }
    }

    /// Blocking I/O.
    private func tracked(_ tracking: Verb.TrackDevice) -> ControlReply<NoDocument> {
        do {
            let settings = try GatewaySettings.load(path: settingsFile)
            let person = try settings.wearable(tracking.device).person
            let after = try DevicesFile(of: settings, settingsPath: settingsFile).track(
                tracking.kind, of: tracking.device, isOn: tracking.isOn, isSOSSource: tracking.isSOSSource,
                in: settings, by: Self.author)
            guard let after else { return .done("no change: the value is already set") }
            core.log.notice(
                "a kind of reading was switched",
                metadata: [
                    "device": "\(tracking.device)", "kind": "\(tracking.kind.rawValue)",
                    "on": "\(tracking.isOn)",
                ])
            let reply = reload()
            guard reply.isDone else { return reply }
            return ControlReply(
                isDone: true, lines: reply.lines + [after.silenced(tracking.kind, of: person)].compactMap { $0 }
            )
        } catch {
            return ControlReply(isDone: false, lines: Self.lines(error))
        }
    }

    private static func lines(_ error: any Error) -> [String] {
        "\(error)".split(separator: "\n").map(String.init)
    }
}

extension SetupMachine.Work {
    /// For the log: it names no person.
    fileprivate var word: String {
        switch self {
        case .scan: "scan"
        case .pair(let wearable): "pair \(wearable.id)"
        case .add(let device): "add \(device.id)"
        case .forget(let device): "forget \(device)"
        }
    }
}
