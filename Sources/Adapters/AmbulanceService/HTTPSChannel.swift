public import Consent
public import GatewayModel
public import HelpLine
import RealTime
public import SOSLocal
import Synchronization

/// Calls an ambulance service over HTTPS, in CAP 1.2 or JSON (docs/channels/https.md).
///
/// The service's name and certificate are always verified. All requests run on one thread of the channel's
/// own; none waits for another but those of the same alarm.
public final class HTTPSChannel: HelpChannel {
    public let id: ChannelID
    private let settings: Settings
    private let writer: CallWriter
    private let material: TLSMaterial
    private let reports: ChannelReports
    private let ignored: @Sendable (AlarmID, String) -> Void
    private let mailbox: Mailbox<Command>

    private enum Command: Sendable {
        case send(HelpMessage)
        case test
        case stop
    }

    /// - Parameters:
    ///   - reports: told on the channel's thread.
    ///   - ignored: told, on the channel's thread, why an answer of the service was not believed or not
    ///     understood. Names no person. For the log.
    /// - Throws: `AmbulanceServiceError` where the settings or their files cannot be used; nothing is sent.
    public init(
        _ settings: Settings, reports: ChannelReports,
        ignored: @escaping @Sendable (AlarmID, String) -> Void = { _, _ in }
    ) throws {
        try Self.checkLimits(settings)
        id = settings.id
        self.settings = settings
        self.reports = reports
        self.ignored = ignored
        writer = CallWriter(
            endpoint: try Endpoint(settings.url),
            caller: try Caller(
                sender: settings.sender, addresses: settings.addresses, format: settings.format),
            format: settings.format, trial: settings.trial)
        material = try TLSMaterial(credential: settings.credential, caFile: settings.caFile)
        try IdentityCheck.run(material)
        mailbox = try Mailbox()
    }

    private static func checkLimits(_ settings: Settings) throws(AmbulanceServiceError) {
        // A limit beyond this would leave a dead service unnoticed for longer than a round.
        let allowed = Duration.milliseconds(1)...Duration.seconds(60)
        for (name, limit) in [
            ("connect limit", settings.connectLimit), ("attempt limit", settings.attemptLimit),
            ("poll interval", settings.pollInterval),
        ] where !allowed.contains(limit) {
            throw .unusableSetting("\(name) is \(limit); expected more than nothing and at most 60 seconds")
        }
    }

    /// Where it connects to, by the parser that the requests use. IPv6 without brackets.
    public var server: (host: String, port: Int)? {
        let host = writer.endpoint.host.trimmingBrackets
        return Int(writer.endpoint.port).map { (host, $0) }
    }

    public func send(_ message: Cleared<HelpMessage>) {
        mailbox.put(.send(message.value))
    }

    public func test() {
        mailbox.put(.test)
    }

    public func stop() {
        mailbox.put(.stop)
    }

    /// Errors: where the thread or libcurl does not start.
    public func run() async throws {
        let end = Mutex<AmbulanceServiceError?>(nil)
        let thread = try NamedThread("https-\(id)") { [self] in
            do throws(AmbulanceServiceError) {
                loop(try TransferSet())
            } catch {
                end.withLock { $0 = error }
            }
        }
        await thread.finished()
        if let error = end.withLock(\.self) { throw error }
    }

    private func loop(_ transfers: TransferSet) {
        var desk = HTTPSCallMachine(
            endpoint: writer.endpoint, pollInterval: settings.pollInterval, startingAt: Clock.boot())
        var end: BootInstant?
        while true {
            for command in mailbox.take().values {
                switch command {
                case .send(let message): perform(desk.give(message, at: Clock.boot()), &desk, transfers)
                case .test: perform(desk.test(), &desk, transfers)
                case .stop:
                    end = end ?? Clock.boot().advanced(by: HelpChannelLimits.stop)
                    perform(desk.stop(), &desk, transfers)
                }
            }
            for (number, outcome) in transfers.advance() {
                perform(desk.ended(number, outcome, at: Clock.boot()), &desk, transfers)
            }
            perform(desk.tick(at: Clock.boot()), &desk, transfers)
            if let end, desk.isIdle || Clock.boot() >= end {
                return perform(desk.abandon(), &desk, transfers)
            }
            let due = [desk.deadline, end].compactMap(\.self).min()
            transfers.wait(mailbox.wakeup, upTo: due.map { Clock.boot().duration(to: $0) } ?? .seconds(60))
        }
    }

    private func perform(
        _ steps: [HTTPSCallMachine.Step], _ desk: inout HTTPSCallMachine, _ transfers: TransferSet
    ) {
        for step in steps {
            switch step {
            case .start(let number, let work):
                if let failure = start(number, work, transfers) {
                    perform(desk.ended(number, failure, at: Clock.boot()), &desk, transfers)
                }
            case .cancel(let number): transfers.cancel(number)
            case .report(let word): reports.about(word)
            case .ignored(let alarm, let reason): ignored(alarm, reason)
            case .tested(let test): reports.tested(test)
            }
        }
    }

    /// - Returns: nil, or why it could not even begin.
    private func start(_ number: Int, _ work: CallWork, _ transfers: TransferSet) -> HTTPOutcome? {
        let now = Clock.wall()
        do throws(AmbulanceServiceError) {
            let request = try writer.request(work, id: .random(at: now), at: now)
            let transfer = try Transfer(
                request, number: number, material: material, connectLimit: settings.connectLimit,
                attemptLimit: settings.attemptLimit)
            try transfers.start(transfer)
            return nil
        } catch {
            return .failure(reason: "\(error)", mayHaveArrived: false)
        }
    }
}

extension String {
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
