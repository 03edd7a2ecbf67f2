import Audio
import GatewayModel
import HelpLine
import Modems
import RealTime
import Systemd

/// Calls through ModemManager: `Voice.CreateCall`, `Call.Start`, `Call.Hangup`, `Voice.DeleteCall` on the system bus.
///
/// Every call of a method has a limit. A bus that takes calls and never answers fails the telephone call, and the
/// connection with it.
final class ModemCallRoute: CallRoute {
    struct Settings: Hashable, Sendable {
        let bus: BusAddress
        /// IMEI, port or device; nil for the only one.
        let modem: String?
        /// ALSA device of the modem's sound; nil where ModemManager names a port for it.
        let audio: String?
        /// Until a modem that is not ready has to be.
        let reach: Duration
        /// Whether a modem that is off is switched on.
        let mayEnable: Bool
    }

    /// Between two looks at a modem that is not ready yet.
    private static let pause = Duration.milliseconds(500)

    /// 5 s: ModemManager answers these without asking the network.
    private static let callLimit = Duration.seconds(5)
    /// Dialling, and switching on, are done by the modem.
    private static let slowLimit = Duration.seconds(20)

    private enum Job {
        case call(Int, PhoneNumber)
        case look
    }

    /// The call that is on the line.
    private struct Line {
        let number: Int
        /// Nil until ModemManager has made it.
        var path: String?
        var modem: Modem?
        var isActive = false
        var output: (any SoundOutput)?
        var rate = CallSound.rate
        var nextPiece: BootInstant?
        var sound: CallSound?
    }

    private let settings: Settings
    private let wake: () -> Void
    private var connection: BusConnection?
    /// Of the job that is on; the reply to an older one is not taken.
    private var serial = 0
    private var job: Job?
    private var hasEnabled = false
    /// When the job has to have a modem that is ready.
    private var limit = Clock.boot()
    /// The next look at a modem that is not ready; nil while none is wanted.
    private var nextLook: BootInstant?
    private var line: Line?
    private var events: [RouteEvent] = []

    private static let piece = Duration.milliseconds(100)
    /// Sound that is handed over ahead: a card that runs dry clicks.
    private static let lead = Duration.milliseconds(200)

    init(_ settings: Settings, wake: @escaping () -> Void) {
        self.settings = settings
        self.wake = wake
    }

    func run(waitingFor descriptors: [Int32], step: @escaping () -> Bool) {
        defer { end() }
        while step() {
            _ = Poll.wait(descriptors.map { Poll.Interest($0) } + interests, timeout: nil)
        }
    }

    private var interests: [Poll.Interest] {
        guard let connection, let descriptor = try? connection.descriptor, let events = try? connection.events
        else { return [] }
        return [Poll.Interest(descriptor, events: events)]
    }

    func found(_ addresses: [String]) {}

    // MARK: Calls

    func dial(_ number: Int, _ recipient: PhoneNumber) {
        end()
        line = Line(number: number)
        begin(.call(number, recipient))
    }

    func hangUp(_ number: Int) {
        events.removeAll { if case .call(number, _) = $0 { true } else { false } }
        guard line?.number == number else { return }
        if case .call? = job { (job, nextLook) = (nil, nil) }
        end()
    }

    /// Ends the call on the line. Nobody waits for it.
    private func end() {
        guard let line else { return }
        self.line = nil
        serial += 1
        line.output?.close()
        guard let path = line.path, let modem = line.modem else { return }
        let calls = [
            (path, ModemManager.call, "Hangup", [BusArgument]()),
            // It names a person.
            (modem.path, ModemManager.voice, "DeleteCall", [.objectPath(path)]),
        ]
        for (path, interface, member, arguments) in calls {
            try? connection?.send(
                BusCall(
                    destination: ModemManager.service, path: path, interface: interface, member: member,
                    arguments: arguments, timeout: Self.slowLimit)
            ) { _ in }
        }
        // The bus sends them with the next step, or here where there is none.
        try? connection?.process()
    }

    func play(_ number: Int, _ sound: CallSound) {
        guard line?.number == number else { return }
        line?.sound = sound
        if line?.isActive == true, line?.nextPiece == nil { line?.nextPiece = Clock.boot() }
        wake()
    }

    func look() {
        guard line == nil else { return looked(.works(detail: "a call is up")) }
        begin(.look)
    }

    private func looked(_ test: ChannelTest) {
        job = nil
        events.append(.looked(test))
        wake()
    }

    private func begin(_ job: Job) {
        // A look gives way to a call.
        if case .look? = self.job { looked(.works(detail: "a call is up")) }
        serial += 1
        self.job = job
        hasEnabled = false
        nextLook = nil
        // Before the machine gives the call up: the reason is known here.
        limit = Clock.boot().advanced(by: settings.reach - Self.pause)
        do throws(BusError) {
            if connection == nil {
                let connection = try BusConnection(settings.bus)
                try connection.subscribe(
                    "type='signal',sender='\(ModemManager.service)',interface='\(ModemManager.call)'"
                ) { [unowned self] signal in came(signal) }
                self.connection = connection
            }
        } catch {
            connection = nil
            return fail(.route(error.reason("opening \(settings.bus)")))
        }
        find()
    }

    private func fail(_ failure: CallFailure) {
        switch job {
        case .call(let number, _): events.append(.call(number, .ended(.failed(failure))))
        case .look: events.append(.looked(.fails(reason: failure.reason)))
        case nil:
            if let line { events.append(.call(line.number, .ended(.failed(failure)))) }
        }
        job = nil
        end()
        wake()
    }

    // MARK: ModemManager

    /// Sends a call for the job that is on now; a reply that comes when it is over is not heard.
    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [],
        limit: Duration = ModemCallRoute.callLimit, doing: String, then: @escaping ([BusValue]) -> Void
    ) {
        guard let connection else { return fail(.route("\(doing): there is no connection to the bus")) }
        let serial = serial
        do throws(BusError) {
            try connection.send(
                BusCall(
                    destination: ModemManager.service, path: path, interface: interface, member: member,
                    arguments: arguments, timeout: limit)
            ) { [unowned self] reply in
                guard serial == self.serial else { return }
                switch reply {
                case .success(let values): then(values)
                case .failure(let error):
                    fail(error.isAboutTheText ? .number(error.reason(doing)) : .route(error.reason(doing)))
                }
            }
        } catch {
            fail(.route(error.reason(doing)))
        }
    }

    private func find() {
        call(
            ModemManager.root, ModemManager.objects, "GetManagedObjects",
            doing: "asking ModemManager for its modems"
        ) { [unowned self] reply in
            do throws(Modem.Problem) {
                found(try Modem.choose(settings.modem, of: Modem.all(reply)))
            } catch {
                fail(.route(error.reason))
            }
        }
    }

    private func found(_ modem: Modem) {
        switch modem.readiness(for: .calls) {
        case .ready: ready(modem)
        case .toBeEnabled where settings.mayEnable && !hasEnabled:
            hasEnabled = true
            call(
                modem.path, ModemManager.modem, "Enable", [.bool(true)], limit: Self.slowLimit,
                doing: "switching the modem on"
            ) { [unowned self] _ in find() }
        case .toBeEnabled where !settings.mayEnable:
            looked(.works(detail: "a modem that is switched off; the gateway switches it on"))
        case .toBeEnabled: wait("the modem does not stay switched on: see: journalctl -u ModemManager")
        case .waiting(let reason): wait(reason)
        case .never(let reason): fail(.route(reason))
        }
    }

    private func wait(_ reason: String) {
        let next = Clock.boot().advanced(by: Self.pause)
        guard next < limit else { return fail(.route(reason)) }
        nextLook = next
    }

    private func ready(_ modem: Modem) {
        switch job {
        case .look:
            if let device = settings.audio {
                let output = ALSAOutput(device: device)
                defer { output.close() }
                do throws(DeviceFailure) { _ = try output.open() } catch {
                    return fail(.route("the sound of the calls: \(error)"))
                }
            }
            looked(.works(detail: modem.registration))
        case .call(_, let recipient): create(recipient, through: modem)
        case nil: break
        }
    }

    private func create(_ recipient: PhoneNumber, through modem: Modem) {
        call(
            modem.path, ModemManager.voice, "CreateCall", [.options(["number": .string(recipient.text)])],
            doing: "making a call in the modem"
        ) { [unowned self] reply in
            guard let path = reply.first?.objectPath else {
                return fail(
                    .route("ModemManager made a call and did not say where; see: journalctl -u ModemManager"))
            }
            line?.path = path
            line?.modem = modem
            call(path, ModemManager.call, "Start", limit: Self.slowLimit, doing: "dialling") {
                [unowned self] _ in
                job = nil
                if let number = line?.number { put(number, .progress) }
            }
        }
    }

    private func put(_ number: Int, _ event: CallEvent) {
        events.append(.call(number, event))
        wake()
    }

    private func came(_ signal: BusSignal) {
        guard let line, signal.path == line.path else { return }
        switch signal.member {
        case "StateChanged":
            guard signal.arguments.count >= 3, case .int32(let state) = signal.arguments[1],
                case .uint32(let reason) = signal.arguments[2]
            else { return }
            changed(to: state, because: reason, line)
        case "DtmfReceived":
            if let key = signal.arguments.first?.string?.first { put(line.number, .key(key)) }
        default: break
        }
    }

    /// MMCallState and MMCallStateReason.
    private func changed(to state: Int32, because reason: UInt32, _ line: Line) {
        switch state {
        case 1, 2: put(line.number, .progress)
        case 4 where !line.isActive:
            self.line?.isActive = true
            put(line.number, .answered)
            openSound(line)
        // The reply to `Start` tells the reason.
        case 7 where job != nil && reason != 5: break
        case 7:
            let end: CallEnd =
                switch reason {
                case 5: .busy
                case 6, 7: .failed(.number("the network or the modem ended the call"))
                default: line.isActive ? .hungUp : .noAnswer
                }
            job = nil
            put(line.number, .ended(end))
        default: break
        }
    }

    // MARK: Sound

    private func openSound(_ line: Line) {
        guard settings.audio == nil, let path = line.path else {
            return use(ALSAOutput(device: settings.audio ?? "default"))
        }
        call(
            path, "org.freedesktop.DBus.Properties", "Get", [.string(ModemManager.call), .string("AudioPort")],
            doing: "asking for the sound of the call"
        ) { [unowned self] reply in
            guard let port = reply.first?.string, !port.isEmpty, !port.contains("/") else {
                return events.append(
                    .note(
                        .noVoice(
                            reason:
                                "the modem names no port for its sound; write audio_device = \"...\" with its "
                                + "sound card, as aplay -L shows it")))
            }
            use(PortOutput(path: "/dev/\(port)"))
        }
    }

    private func use(_ output: any SoundOutput) {
        do throws(DeviceFailure) {
            let rate = try output.open()
            line?.output = output
            line?.rate = rate
            line?.nextPiece = Clock.boot()
        } catch {
            events.append(.note(.noVoice(reason: error.description)))
        }
        wake()
    }

    private func sendPieces(at now: BootInstant) {
        guard var line, let output = line.output, let first = line.nextPiece else { return }
        var next = first
        let count = CallSound.rate / 10
        while next <= now.advanced(by: Self.lead) {
            // A thread that was held up makes up for nothing.
            if next < now { next = now }
            let wasOver = line.sound?.isOver ?? true
            var samples = Array(line.sound?.next(count) ?? [])
            samples += [Int16](repeating: 0, count: count - samples.count)
            if !wasOver, line.sound?.isOver == true { events.append(.call(line.number, .said)) }
            do throws(DeviceFailure) {
                let sound = PCM(samples: samples, rate: CallSound.rate).resampled(to: line.rate)
                try output.write(sound.samples[...])
            } catch {
                events.append(.note(.noVoice(reason: error.description)))
                line.output = nil
                break
            }
            next = next.advanced(by: Self.piece)
        }
        line.nextPiece = next
        self.line = line
    }

    // MARK: Time

    var deadline: BootInstant? {
        if !events.isEmpty { return Clock.boot() }
        let bus = ((try? connection?.timeout) ?? nil).map { Clock.boot().advanced(by: $0) }
        let piece = line?.output == nil ? nil : line?.nextPiece?.advanced(by: .zero - Self.lead)
        return [bus, piece, nextLook].compactMap(\.self).min()
    }

    func advance(at now: BootInstant) -> [RouteEvent] {
        do throws(BusError) { try connection?.process() } catch {
            connection = nil
            fail(.route(error.reason("the connection to ModemManager")))
        }
        if let due = nextLook, due <= now {
            nextLook = nil
            if job != nil { find() }
        }
        sendPieces(at: now)
        defer { events = [] }
        return events
    }
}
