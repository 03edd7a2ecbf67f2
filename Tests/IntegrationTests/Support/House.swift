import Foundation
import Synchronization
import TestSupport
import Testing

/// A house with all its parts, except the gateway until it is started.
final class House: Sendable {
    let scratch: ScratchDirectory
    let rig: Rig
    let brokerPort: UInt16
    let controlSocket: String
    private let settings: URL
    private let gateways = Mutex<[DaemonProcess]>([])
    private let witnesses = Mutex<[Witness]>([])
    private let children = Mutex<[TiedChild]>([])

    /// A running gateway with a watcher.
    struct Gateway: Sendable {
        let daemon: DaemonProcess
        let feed: FeedWatcher

        /// Returns when the house was informed of an alarm.
        @discardableResult
        func alarm(after mark: Int = 0) async throws -> FeedLine {
            try await feed.first("alarm", after: mark) { $0.repetition == 0 }
        }
    }

    private init(
        _ settings: HouseSettings, without: [String], refusing: Bool, brokerPort: UInt16?
    ) async throws {
        let scratch = try ScratchDirectory()
        let rig = try await Rig(
            settings.residents.map(\.strap)
                + settings.beacons.map { Rig.Wearable(id: $0.id, kind: "beacon", address: $0.address) }
                + settings.strangers,
            without: without + (brokerPort == nil ? [] : ["broker"]),
            refusing: refusing, in: scratch)
        self.scratch = scratch
        controlSocket = settings.controlSocket ?? scratch.file("control.sock").path
        self.rig = rig
        self.brokerPort = brokerPort ?? rig.brokerPort ?? quietPort()
        try FileManager.default.createDirectory(
            at: scratch.file("state"), withIntermediateDirectories: false)
        self.settings = try scratch.write(
            settings.text(
                bus: rig.bus, gpsdPort: settings.gpsdPort ?? rig.gpsdPort ?? quietPort(),
                brokerPort: self.brokerPort,
                directory: scratch.url), to: "gateway.toml")
    }

    /// Builds the house around `body`, and always takes all of it down afterwards.
    ///
    /// - Parameters:
    ///   - without: parts that the rig leaves out: `gpsd`, `broker`.
    ///   - refusing: the rig's broker rejects every client.
    ///   - brokerPort: port of the gateway's broker; nil for the rig's own broker.
    static func with(
        _ settings: HouseSettings = HouseSettings(), without: [String] = ["gpsd"], refusing: Bool = false,
        brokerPort: UInt16? = nil, _ body: @Sendable (House) async throws -> Void
    ) async throws {
        let house = try await House(settings, without: without, refusing: refusing, brokerPort: brokerPort)
        do {
            try await body(house)
        } catch {
            Issue.record("the gateway's log:\n\(house.logs)")
            await house.end()
            throw error
        }
        await house.end()
    }

    private func end() async {
        for gateway in gateways.withLock({ $0 }) { await gateway.child.killed() }
        for witness in witnesses.withLock({ $0 }) { await witness.end() }
        for child in children.withLock({ $0 }) { await child.killed() }
        await rig.end()
    }

    private var logs: String { gateways.withLock { $0 }.map(\.log).joined(separator: "\n---\n") }

    /// Repeats `homegateway status` until it contains `words`: for a condition that may have begun before the watch.
    func status(showing words: String) async throws {
        let end = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < end {
            let answer = try await command("status")
            if answer.code == 0, answer.output.contains(words) { return }
        }
        throw Missing(description: "'\(words)' in the status: \(try await command("status"))")
    }

    /// Repeats `homegateway alarms show` until it contains all `words`: the record is written after the event.
    func record(of alarm: String, showing words: String...) async throws -> String {
        let end = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < end {
            let answer = try await command("alarms", "show", alarm)
            if answer.code == 0, words.allSatisfy(answer.output.contains) { return answer.output }
        }
        throw Missing(
            description: "\(words) in the record: \(try await command("alarms", "show", alarm))")
    }

    // MARK: Clients

    /// Starts a gateway. Returns when it answers. Every later event is seen.
    ///
    /// - Parameter through: a program that becomes the gateway, with its arguments.
    func start(
        environment: [String: String] = [:], stuck: DaemonProcess.Stuck.Stream? = nil, through: [String] = []
    ) async throws -> Gateway {
        let daemon = try launch(environment: environment, stuck: stuck, through: through)
        try await daemon.ready()
        return Gateway(daemon: daemon, feed: try await FeedWatcher(controlSocket))
    }

    /// Starts a gateway without waiting.
    func launch(
        environment: [String: String] = [:], stuck: DaemonProcess.Stuck.Stream? = nil, through: [String] = []
    ) throws -> DaemonProcess {
        let stuck = try stuck.map {
            DaemonProcess.Stuck(stream: $0, pipe: try FullPipe(at: scratch.file("stuck").path))
        }
        let daemon = try DaemonProcess(
            settings: settings, controlSocket: controlSocket, environment: environment, stuck: stuck,
            through: through)
        gateways.withLock { $0.append(daemon) }
        return daemon
    }

    /// Replaces the settings file, as an editor would; nil deletes it. A running gateway has read it already.
    func replaceSettings(with text: String?) throws {
        if let text {
            try Data(text.utf8).write(to: settings)
        } else {
            try FileManager.default.removeItem(at: settings)
        }
    }

    /// Sets the content of a broadcaster's key file from now on.
    func useKey(_ text: String, mode: Int = 0o600) throws {
        let file = try scratch.write(text + "\n", to: HouseSettings.keyFile)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    func witness(session: String? = nil) async throws -> Witness {
        let witness = try await Witness(port: brokerPort, session: session)
        witnesses.withLock { $0.append(witness) }
        return witness
    }

    /// Runs `homegateway WORDS --config …`.
    func command(_ words: String...) async throws -> BuiltProgram.Answer { try await command(words) }

    func command(_ words: [String]) async throws -> BuiltProgram.Answer {
        try await BuiltProgram.run(words + ["--config", settings.path])
    }

    /// Returns the words of the command line, for a caller that starts the program itself.
    func words(_ words: String...) -> [String] { words + ["--config", settings.path] }

    /// Starts the same for a command that runs until it is stopped.
    func running(_ words: String...) throws -> TiedChild {
        let child = try TiedChild([BuiltProgram.homegateway] + words + ["--config", settings.path])
        children.withLock { $0.append(child) }
        return child
    }

    /// Starts a program of the rig, on the house's bus.
    func beside(_ program: String) throws -> TiedChild {
        let path = Rig.directory.appending(path: program).path
        let child = try TiedChild(["/usr/bin/python3", path, rig.bus])
        children.withLock { $0.append(child) }
        return child
    }
}
