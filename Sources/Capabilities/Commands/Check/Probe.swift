import Alarms
import AmbulanceService
import CloudCommands
import Consent
import Contract
import GatewayModel
import Glibc
import HelpLine
import HouseAlarm
import Hub
import Logging
import MQTTBridge
import OutboxService
import RealTime
import RunFiles
import Settings
import SettingsReading
import SignedCommands
import Systemd
import TelephoneCalls
import TextMessages
import Vault
import Wearables
import WireFormats

/// Test of one part that the gateway needs. It changes nothing and leaves nothing behind.
struct Probe: Sendable {
    struct Finding: Sendable {
        let isWell: Bool
        /// Observation and, for a problem, its remedy.
        let text: String

        static func well(_ text: String) -> Finding { Finding(isWell: true, text: text) }
        static func problem(_ text: String) -> Finding { Finding(isWell: false, text: text) }
    }

    let title: String
    let run: @Sendable () async -> Finding

    /// Limit of each try. Its end is told like every other problem.
    static let limit = Duration.seconds(10)

    /// Runs blocking work on a thread of its own. Work that does not end is left behind: the process ends without it.
    static func limited(_ limit: Duration = limit, _ body: @escaping @Sendable () -> Finding) async -> Finding {
        let finding: Finding? = await withTimeout(limit) { answer in
            do throws(SystemCallError) {
                _ = try NamedThread("check") { answer(body()) }
            } catch {
                answer(.problem("\(error)"))
            }
        }
        return finding ?? .problem("no answer within \(limit.components.seconds) s")
    }

    /// - Parameters:
    ///   - file: the settings file.
    ///   - withSound: opens the sound card.
    ///   - withBox: judges clock, power, disk, drives and certificates too.
    static func all(
        for settings: GatewaySettings, of file: String, withSound: Bool = true, withBox: Bool = false
    ) -> [Probe] {
        var probes = [
            Probe(title: "files of the settings") { await limited { namedFiles(file) } },
            Probe(title: "state directory") { state(settings.gateway.stateDirectory) },
            Probe(title: "control socket") { directory(parent(of: settings.gateway.controlSocket)) },
            Probe(title: "bluetooth") { await bluetooth(settings.bluetooth, of: settings.gateway.id) },
        ]
        if settings.bluetooth.tracksideAdapter != nil || !settings.race.adapters.isEmpty
            || settings.wearables.contains(where: { $0.heardBy == .advertising })
        {
            probes += settings.listeners.map { adapter in
                Probe(title: "adverts") { await adverts(adapter) }
            }
        }
        if settings.gpsd.isEnabled {
            probes.append(
                Probe(title: "gpsd") {
                    await reach(
                        settings.gpsd.host, settings.gpsd.port,
                        hint: "check that gpsd runs: systemctl status gpsd")
                })
        }
        probes += settings.broker.access.addresses.map { broker in
            Probe(title: "broker") {
                await reach(broker.host, broker.port, hint: "check the network, and [broker] host and port")
            }
        }
        probes.append(Probe(title: "broker files") { brokerFiles(settings) })
        if !settings.broker.access.addresses.isEmpty {
            probes.append(Probe(title: "broker session") { await brokerSession(settings) })
        }
        if withSound { probes.append(Probe(title: "sound") { await sound(settings.house) }) }
        if let home = settings.homeAssistant, home.isEnabled {
            probes += home.broker.addresses.map { broker in
                Probe(title: "dashboard") {
                    await reach(
                        broker.host, broker.port,
                        hint: "check that its broker runs, and [home_assistant] host and port")
                }
            }
        }
        probes += channels(of: settings)
        if !settings.commands.issuers.isEmpty {
            probes.append(Probe(title: "keys of issuers") { await keys(of: settings.commands.issuers) })
        }
        if settings.wearables.contains(where: { $0.keyFile != nil }) {
            probes.append(Probe(title: "keys of wearables") { keys(of: settings.wearables) })
        }
        return probes + runs(of: settings) + (withBox ? box(for: settings, in: file) : [])
    }

    /// Directories that the systemd unit creates when the service starts; it removes some of them at the stop.
    private static let ofTheUnit: Set = ["/var/lib/homegateway", "/run/homegateway"]

    static func state(_ path: String) -> Finding {
        var status = stat()
        // Its files are the gateway's alone; who writes to the directory can put others in their place.
        if stat(path, &status) == 0, status.st_mode & 0o022 != 0 {
            let mode = String(status.st_mode & 0o777, radix: 8)
            return .problem(
                "\(path): saw mode \(mode), by which other programs of this box can replace agreements and alarms, "
                    + "expected 700: chmod 700 \(path)")
        }
        return RestoredState.warning(in: path).map { .problem($0) } ?? directory(path)
    }

    private static func directory(_ path: String) -> Finding {
        guard access(path, W_OK | X_OK) == 0 else {
            if errno == ENOENT, ofTheUnit.contains(path) {
                return .well("\(path): is not there yet; the systemd unit makes it at its start")
            }
            return .problem(
                "\(path): \(String(cString: strerror(errno))); create it for the user the gateway runs as "
                    + "(the systemd unit does so by itself)")
        }
        return .well(path)
    }

    private static func parent(of path: String) -> String {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + parent
    }

    static func reach(_ host: String, _ port: Int, hint: String) async -> Finding {
        await limited {
            do throws(TCPProbe.Failure) {
                try TCPProbe.connect(host: host, port: port, within: .seconds(3))
                return .well("\(host):\(port) answers")
            } catch {
                return .problem("\(host):\(port): \(error.reason); \(hint)")
            }
        }
    }

    /// Opens the sound card and lets the voice speak, without a sound.
    private static func sound(_ house: GatewaySettings.House) async -> Finding {
        guard let trial = SoundTrial(HouseAlarmSettings(house)) else {
            return .well("off, by the settings: an alarm makes no sound")
        }
        return await limited {
            do throws(SoundTrial.Failure) {
                try trial.probe()
                let voice = trial.hasVoice ? "and the voice work" : "works, without a voice"
                return .well("\(trial.place) \(voice); to hear it: homegateway say \"hello\"")
            } catch {
                return .problem(error.description)
            }
        }
    }

    /// Opens the radio without any wearable until it reports its state.
    private static func bluetooth(
        _ settings: GatewaySettings.Bluetooth, of gateway: GatewayID
    ) async -> Finding {
        let (findings, found) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
        do {
            let radio = try WearableRadio(
                bus: BusAddress(settings.bus), adapter: settings.adapter, wearables: [], inbox: RadioInbox(),
                gateway: gateway
            ) { event in
                guard case .bluetooth(let isAvailable, let reason) = event else { return }
                let seen = "\(reason); \(kernelAdapters)"
                found.yield(isAvailable ? .well(seen) : .problem(seen))
            }
            async let running: Void = radio.run()
            let finding = await first(of: findings, within: .seconds(3))
            radio.stop()
            try await running
            return finding ?? .problem("no answer within 3 s; see: journalctl -u bluetooth")
        } catch {
            return .problem("\(error)")
        }
    }

    /// Listens passively to adverts until the kernel allows or refuses it. No command is sent.
    private static func adverts(_ adapter: String?) async -> Finding {
        let (findings, found) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
        do {
            let scanner = try HCIScanner(
                adapter: adapter, mode: .listen, filter: AdvertFilter([]), onAdverts: { _ in },
                onEvent: { event in if let finding = Self.finding(event) { found.yield(finding) } })
            async let running: Void = scanner.run()
            let finding = await first(of: findings, within: .seconds(3))
            scanner.stop()
            try await running
            return finding ?? .problem("the kernel does not answer within 3 s; see: dmesg")
        } catch {
            return .problem("\(error)")
        }
    }

    /// Returns nil for an event that does not tell whether adverts can be heard.
    private static func finding(_ event: HCIScanEvent) -> Finding? {
        switch event {
        case .scanning(let adapter), .listening(let adapter, _), .silent(let adapter, _),
            .heardAgain(let adapter):
            .well("can be heard directly, by \(adapter)")
        case .unavailable(let obstacle):
            .problem(
                "\(obstacle.reason). They are heard through bluetoothd then, less surely. \(obstacle.remedy)")
        case .lost, .malformed: nil
        }
    }

    static func first(of findings: AsyncStream<Finding>, within limit: Duration) async -> Finding? {
        await withTaskGroup { group in
            group.addTask { await findings.first { _ in true } }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Adapters of the kernel, to tell a missing adapter from one that bluetoothd does not show.
    private static var kernelAdapters: String {
        do throws(LocalAdapters.Failure) {
            let adapters = try LocalAdapters.list()
            guard !adapters.isEmpty else { return "the kernel has no adapter either" }
            return "the kernel has "
                + adapters.map { "\($0.name) (\($0.address), \($0.isUp ? "on" : "off"))" }.joined(
                    separator: ", ")
        } catch {
            return error.description
        }
    }

    private static func keys(of wearables: [GatewaySettings.Wearable]) -> Finding {
        do throws(SettingsError) {
            for wearable in wearables { _ = try wearable.readKey() }
            return .well("usable")
        } catch {
            return .problem("\(error)")
        }
    }

    private static func keys(of issuers: [GatewaySettings.Issuer]) async -> Finding {
        do throws(SettingsError) {
            let count = try await issuers.pinned().flatMap(\.keys).count
            return .well("\(count) usable")
        } catch {
            return .problem("\(error)")
        }
    }

    private static func brokerFiles(_ settings: GatewaySettings) -> Finding {
        do {
            _ = try BrokerSession(
                settings: BrokerSettings(from: settings), subscriptions: [], source: NothingToSend(),
                receive: { _ in .kept }, onEvent: { _ in })
            return .well(
                settings.broker.access.security == BrokerAccess.Security.none
                    ? "no TLS: readings travel in the clear" : "usable")
        } catch {
            return .problem("\(error)")
        }
    }
}

/// Probes of the help channels. Each runs the harmless test of its channel: no help is called, and no text message sent.
extension Probe {
    static func channels(of settings: GatewaySettings) -> [Probe] {
        settings.channels.map { channel in
            Probe(title: "channel \(channel.id)") { await finding(channel, in: settings) }
        }
    }

    private static func finding(_ channel: GatewaySettings.Channel, in settings: GatewaySettings) async
        -> Finding
    {
        do {
            // With its files, as the gateway would at its start.
            let made = try HelpChannels.make(
                channel, in: settings, log: Logger(label: "check") { _ in SwiftLogNoOpLogHandler() },
                reports: ChannelReports(about: { _ in }, tested: { _ in }, noticed: { _, _ in }))
            switch channel.way {
            case .https:
                guard let server = (made as? HTTPSChannel)?.server else { return .well("usable") }
                let reached = await reach(
                    server.host, server.port, hint: "check the network, and url in its [[channel]]")
                return reached.isWell ? try await test(channel, in: settings) : reached
            case .scaip(let way):
                if case .udp = way.transport { return try await test(channel, in: settings) }
                let reached = await reach(
                    way.host, way.port ?? way.registeredPort,
                    hint: "check the network, and server and port in its [[channel]]")
                return reached.isWell ? try await test(channel, in: settings) : reached
            case .sms(let way): return try await testTextMessages(way, id: channel.id)
            case .telephone(let way):
                return try await testTelephone(way, id: channel.id, voiceSpeed: settings.house.voiceSpeed)
            }
        } catch {
            return .problem("\(error)")
        }
    }

    /// Runs the channel's own test, which the running gateway repeats: nobody at its end is called.
    private static func test(
        _ wanted: GatewaySettings.Channel, in settings: GatewaySettings
    ) async throws -> Finding {
        let (findings, found) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let channel = try HelpChannels.make(
            wanted, in: settings, log: Logger(label: "check") { _ in SwiftLogNoOpLogHandler() },
            reports: ChannelReports(
                about: { _ in },
                tested: { test in
                    switch test {
                    case .works(let detail): found.yield(.well(detail))
                    case .fails(let reason): found.yield(.problem(reason))
                    }
                }, noticed: { _, _ in }))
        async let running: Void = channel.run()
        channel.test()
        let finding = await first(of: findings, within: limit)
        channel.stop()
        try await running
        return finding ?? .problem("no answer to its test within 10 s")
    }

    /// Tests as the gateway does, without sending a text message and without switching on a modem.
    private static func testTextMessages(_ sms: GatewaySettings.SMS, id: ChannelID) async throws -> Finding {
        var settings = TextMessagesChannel.Settings(sms, id: id)
        settings.isLookOnly = true
        settings.testRecipient = nil
        settings.attemptLimit = .seconds(5)
        let (findings, found) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let channel = try TextMessagesChannel(
            settings,
            reports: ChannelReports(
                about: { _ in },
                tested: { test in
                    switch test {
                    case .works(let detail):
                        let advice =
                            sms.testRecipient == nil
                            ? "; nothing shows that a text arrives: write the number of its own SIM into test_to, which "
                                + "costs one text a month" : ""
                        found.yield(.well("would text \(sms.reached): \(detail)\(advice)"))
                    case .fails(let reason): found.yield(.problem(reason))
                    }
                }, noticed: { _, _ in }))
        async let running: Void = channel.run()
        channel.test()
        // Above the channel's own limit.
        let finding = await first(of: findings, within: .seconds(8))
        channel.stop()
        try await running
        return finding ?? .problem("no answer within 8 s; see: journalctl -u ModemManager")
    }
}

extension Probe {
    /// Tests as the gateway does: without calling anybody, and without a registration of its own or switching on a modem.
    private static func testTelephone(
        _ telephone: GatewaySettings.Telephone, id: ChannelID, voiceSpeed: Int?
    ) async throws -> Finding {
        var settings = TelephoneChannel.Settings(telephone, id: id, voiceSpeed: voiceSpeed)
        settings.isLookOnly = true
        settings.attemptLimit = .seconds(5)
        let count = telephone.recipients.count
        let (findings, found) = AsyncStream<Finding>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let channel = try TelephoneChannel(
            settings,
            reports: ChannelReports(
                about: { _ in },
                tested: { test in
                    switch test {
                    case .works(let detail):
                        found.yield(
                            .well("would call \(count == 1 ? "1 number" : "\(count) numbers"): \(detail)"))
                    case .fails(let reason): found.yield(.problem(reason))
                    }
                }, noticed: { _, _ in }))
        async let running: Void = channel.run()
        channel.test()
        // Above the channel's own limits.
        let finding = await first(of: findings, within: .seconds(12))
        channel.stop()
        try await running
        return finding ?? .problem("no answer within 12 s; check server, port and transport, or the modem")
    }
}

extension GatewaySettings.SMS {
    /// Number of recipients, and the program. It holds no telephone number: the output of `check` is shown to others.
    fileprivate var reached: String {
        "\(recipients.count == 1 ? "1 number" : "\(recipients.count) numbers") through ModemManager"
    }
}

extension GatewaySettings.SCAIP {
    /// By IANA assignment.
    fileprivate var registeredPort: Int { if case .tls = transport { 5061 } else { 5060 } }
}

extension Probe {
    /// Probe of the run files; empty where their folder does not exist, as in a house without races.
    static func runs(of settings: GatewaySettings) -> [Probe] {
        let folder = RunFolder(path: settings.race.runsDirectory, course: CourseFile.reader)
        guard folder.exists else { return [] }
        return [
            Probe(title: "run files") {
                let content = folder.read()
                guard content.errors.isEmpty else {
                    return .problem("\(content.errors.count) wrong in \(folder.path): homegateway runs check")
                }
                return .well("\(content.files.count) runs in \(folder.path)")
            }
        ]
    }
}
