import GatewayModel
import Glibc
import HelpLine
import Modems
import RealTime
import Systemd

/// Texts through ModemManager: `Messaging.Create`, `Sms.Send`, `Messaging.Delete` on the system bus.
///
/// Made, used and dropped on the channel's thread; nothing here waits for the bus. One text at a time, for a modem sends
/// one at a time. Every call has a limit, and each job one besides: a bus
/// that takes calls and never answers ends the job, and the connection with it.
final class ModemManagerBackend {
    struct Settings: Hashable, Sendable {
        let bus: BusAddress
        /// IMEI, port or device; nil for the only one.
        let modem: String?
        let attemptLimit: Duration
        /// Whether a modem that is off is switched on.
        let mayEnable: Bool
    }

    /// 5 s: ModemManager answers these without asking the modem.
    private static let callLimit = Duration.seconds(5)
    /// Between two looks at a modem that is not ready yet.
    static let pause = Duration.milliseconds(500)
    /// Between two looks for texts that came in, while a call can be accepted by one.
    private static let listenInterval = Duration.seconds(2)

    let settings: Settings
    var connection: BusConnection?
    private var job: ModemJob?
    private var waiting: [ModemJob.Work] = []
    var events: [TextWayEvent] = []
    private var serial = 0
    /// The next look for texts that came in; nil while none is wanted.
    private var nextListen: BootInstant?
    /// Texts that were reported, by their path, with the modem of each.
    private var heard: [String: Modem] = [:]

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// Attempts a text once. `advance` reports the outcome of `number` within the attempt's limit. A look for texts that
    /// came in does not hold it up.
    func start(_ number: Int, _ text: OutgoingText) {
        if case .listen? = job?.work { job = nil }
        waiting.append(.text(number, text))
    }

    /// Looks whether texts could be sent now, without sending one. `advance` tells.
    func look() { waiting.append(.look) }

    /// Looks for texts that came in, from now on or no longer. `advance` reports each of them once.
    func listen(_ isOn: Bool) {
        guard isOn != (nextListen != nil) else { return }
        nextListen = isOn ? Clock.boot() : nil
        if !isOn { heard = [:] }
    }

    /// Deletes a text that `advance` has reported.
    func discard(_ text: IncomingText) {
        if let modem = heard[text.id] { delete(text.id, from: modem) }
    }

    /// Descriptors to wait for besides `deadline`.
    var interests: [Poll.Interest] {
        guard let connection, let descriptor = try? connection.descriptor,
            let events = try? connection.events
        else { return [] }
        return [Poll.Interest(descriptor, events: events)]
    }

    /// When `advance` has something to do at the latest.
    var deadline: BootInstant? {
        if !events.isEmpty || job == nil && !waiting.isEmpty { return Clock.boot() }
        let bus = ((try? connection?.timeout) ?? nil).map { Clock.boot().advanced(by: $0) }
        let pause: BootInstant? = if case .waiting(let until, _)? = job?.stage { until } else { nil }
        return [bus, pause, job?.limit, job == nil ? nextListen : nil].compactMap(\.self).min()
    }

    /// Advances all texts, and returns the outcomes of those that have ended, and the texts that came in.
    func advance(at now: BootInstant) -> [TextWayEvent] {
        do throws(BusError) { try connection?.process() } catch { lose(error) }
        if let job {
            if job.limit <= now {
                timeOut(job)
            } else if case .waiting(let until, _) = job.stage, until <= now {
                find()
            }
        }
        while job == nil, !waiting.isEmpty { begin(waiting.removeFirst(), at: now) }
        if job == nil, let due = nextListen, due <= now {
            nextListen = now.advanced(by: Self.listenInterval)
            begin(.listen, at: now)
        }
        defer { events = [] }
        return events
    }

    private func begin(_ work: ModemJob.Work, at now: BootInstant) {
        serial += 1
        let limit = if case .listen = work { Self.callLimit } else { settings.attemptLimit }
        job = ModemJob(serial: serial, work: work, limit: now.advanced(by: limit))
        do throws(BusError) {
            if connection == nil { connection = try BusConnection(settings.bus) }
        } catch {
            return fail(.way(error.reason("opening \(settings.bus)")))
        }
        find()
    }

    /// The connection is of no use any more; what hangs on it has failed.
    private func lose(_ error: BusError) {
        connection = nil
        guard let job else { return }
        fail(.way(error.reason(job.doing), mayHaveArrived: job.isSending))
    }

    private func timeOut(_ job: ModemJob) {
        // A modem that is not ready is no fault of the bus. Anything else still has a call out, whose late reply
        // is not to be taken for another's.
        if case .waiting = job.stage {} else { connection = nil }
        let limit = settings.attemptLimit.components.seconds
        fail(.way("\(job.doing); given up after \(limit) s", mayHaveArrived: job.isSending))
    }

    func fail(_ failure: TextFailure) {
        switch job?.work {
        case .text(let number, _): events.append(.ended(number, .failed(failure)))
        case .look: events.append(.looked(.fails(reason: failure.reason)))
        // It is looked for again soon, and a text that is to leave tells of the failure.
        case .listen, nil: break
        }
        job = nil
    }

    /// Sends a call for the job that is on now; a reply that comes when it is over is not heard.
    func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [BusArgument] = [], limit: Duration,
        orElse scope: @escaping (BusError) -> TextFailure, then: @escaping ([BusValue]) -> Void
    ) {
        guard let connection, let job else { return }
        // A little more than is left: where the attempt's time is over, that is said, and not that a call was slow.
        let left = Clock.boot().duration(to: job.limit) + .seconds(1)
        let call = BusCall(
            destination: ModemManager.service, path: path, interface: interface, member: member,
            arguments: arguments, timeout: max(min(limit, left), .milliseconds(1)))
        do throws(BusError) {
            try connection.send(call) { [unowned self] reply in
                guard self.job?.serial == job.serial else { return }
                switch reply {
                case .success(let values): then(values)
                case .failure(let error): self.fail(scope(error))
                }
            }
        } catch {
            fail(scope(error))
        }
    }
}

/// The steps of one job.
extension ModemManagerBackend {
    func find() {
        job?.stage = .finding
        call(
            ModemManager.root, ModemManager.objects, "GetManagedObjects", limit: Self.callLimit,
            orElse: { .way($0.reason("asking ModemManager for its modems")) },
            then: { [unowned self] reply in
                do throws(Modem.Problem) {
                    found(try Modem.choose(settings.modem, of: Modem.all(reply)))
                } catch {
                    fail(.way(error.reason))
                }
            })
    }

    private func found(_ modem: Modem) {
        switch modem.readiness(for: .texts) {
        case .ready: ready(modem)
        case .toBeEnabled where settings.mayEnable && job?.hasEnabled == false: enable(modem)
        case .toBeEnabled where !settings.mayEnable:
            // Only looked for, and not to be changed. Such a channel calls nobody, and does not listen.
            events.append(.looked(.works(detail: "a modem that is switched off; the gateway switches it on")))
            job = nil
        case .toBeEnabled: wait("the modem does not stay switched on: see: journalctl -u ModemManager")
        case .waiting(let reason): wait(reason)
        case .never(let reason): fail(.way(reason))
        }
    }

    private func wait(_ reason: String) {
        job?.stage = .waiting(until: Clock.boot().advanced(by: Self.pause), reason: reason)
    }

    private func enable(_ modem: Modem) {
        job?.stage = .enabling
        job?.hasEnabled = true
        call(
            modem.path, ModemManager.modem, "Enable", [.bool(true)], limit: settings.attemptLimit,
            orElse: { .way($0.reason("switching the modem on")) },
            then: { [unowned self] _ in find() })
    }

    private func ready(_ modem: Modem) {
        switch job?.work {
        case .look:
            events.append(.looked(.works(detail: modem.registration)))
            job = nil
        case .text(_, let text): create(text, in: modem)
        case .listen: list(in: modem)
        case nil: break
        }
    }

    private func list(in modem: Modem) {
        job?.stage = .listening
        call(
            modem.path, ModemManager.messaging, "List", limit: Self.callLimit,
            orElse: { .way($0.reason("asking for the texts that came in")) },
            then: { [unowned self] reply in
                let paths = reply.first?.array?.compactMap(\.objectPath) ?? []
                read(paths.filter { heard[$0] == nil }[...], in: modem)
            })
    }

    /// Reads one text after the other. Each reply comes by itself from the bus.
    private func read(_ paths: ArraySlice<String>, in modem: Modem) {
        guard let path = paths.first else {
            job = nil
            return
        }
        call(
            path, "org.freedesktop.DBus.Properties", "GetAll", [.string(ModemManager.sms)],
            limit: Self.callLimit,
            orElse: { .way($0.reason("reading a text that came in")) },
            then: { [unowned self] reply in
                let properties = reply.first?.properties ?? [:]
                if case .uint32(ModemManager.received)? = properties["State"] {
                    heard[path] = modem
                    let (sender, text) = (properties["Number"]?.string ?? "", properties["Text"]?.string ?? "")
                    events.append(.received(IncomingText(id: path, sender: sender, text: text)))
                }
                read(paths.dropFirst(), in: modem)
            })
    }

    private func create(_ text: OutgoingText, in modem: Modem) {
        job?.stage = .creating
        let options: [String: BusArgument] = [
            "number": .string(text.recipient.text), "text": .string(text.text),
        ]
        call(
            modem.path, ModemManager.messaging, "Create", [.options(options)], limit: Self.callLimit,
            orElse: { Self.failure($0, "writing a text into the modem", mayHaveArrived: false) },
            then: { [unowned self] reply in
                guard let path = reply.first?.objectPath else {
                    return fail(
                        .way("ModemManager made a text and did not say where; see: journalctl -u ModemManager"))
                }
                send(path, through: modem, parts: TextSize(text.text).parts)
            })
    }

    private func send(_ path: String, through modem: Modem, parts: Int) {
        job?.stage = .sending
        call(
            path, ModemManager.sms, "Send", limit: settings.attemptLimit,
            orElse: { [unowned self] error in
                delete(path, from: modem)
                // Of several parts the first ones may have left before one was refused.
                return Self.failure(error, "sending a text", mayHaveArrived: !error.isAnswer || parts > 1)
            },
            then: { [unowned self] _ in
                if case .text(let number, _)? = job?.work { events.append(.ended(number, .sent)) }
                job = nil
                delete(path, from: modem)
            })
    }

    /// It names a person, and the modem's list of texts is short. Nobody waits for it.
    private func delete(_ path: String, from modem: Modem) {
        try? connection?.send(
            BusCall(
                destination: ModemManager.service, path: modem.path, interface: ModemManager.messaging,
                member: "Delete", arguments: [.objectPath(path)], timeout: Self.callLimit)
        ) { _ in }
    }

    private static func failure(_ error: BusError, _ doing: String, mayHaveArrived: Bool) -> TextFailure {
        TextFailure(
            scope: error.isAboutTheText ? .number : .way, reason: error.reason(doing),
            mayHaveArrived: mayHaveArrived)
    }
}

/// One thing that the modem is to do.
struct ModemJob {
    enum Work {
        case text(Int, OutgoingText)
        case look
        /// Look for texts that came in.
        case listen
    }

    enum Stage {
        case finding
        /// Waiting for the modem to be ready; asked again then.
        case waiting(until: BootInstant, reason: String)
        case enabling
        case creating
        case sending
        case listening
    }

    let serial: Int
    let work: Work
    let limit: BootInstant
    var stage = Stage.finding
    /// Once a job: a modem that goes off again at once is not switched on for ever.
    var hasEnabled = false

    /// Where it hangs, for a reason.
    var doing: String {
        switch stage {
        case .finding: "asking ModemManager for its modems"
        case .waiting(_, let reason): reason
        case .enabling: "switching the modem on"
        case .creating: "writing a text into the modem"
        case .sending: "sending a text"
        case .listening: "reading the texts that came in"
        }
    }

    var isSending: Bool { if case .sending = stage { true } else { false } }
}
