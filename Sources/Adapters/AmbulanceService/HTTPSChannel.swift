import CAP
public import Consent
public import GatewayModel
import HTTPTransfers
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
        case notify(NoticeMessage)
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
        do throws(TransferError) {
            let caller = try Caller(
                sender: settings.sender, addresses: settings.addresses, needsAddresses: settings.format == .cap)
            writer = CallWriter(
                endpoint: try Endpoint(settings.url), caller: caller, format: settings.format,
                trial: settings.trial)
            material = try TLSMaterial(credential: settings.credential, caFile: settings.caFile)
            try IdentityCheck.run(material)
        } catch {
            throw AmbulanceServiceError(error)
        }
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

    public func send(_ notice: Cleared<NoticeMessage>) {
        mailbox.put(.notify(notice.value))
    }

    public func test() {
        mailbox.put(.test)
    }

    public func stop() {
        mailbox.put(.stop)
    }

    /// Errors: where the thread or libcurl does not start.
    public func run() async throws {
        let end = Mutex<TransferError?>(nil)
        let thread = try NamedThread("https-\(id)") { [self] in
            do throws(TransferError) {
                loop(try TransferSet())
            } catch {
                end.withLock { $0 = error }
            }
        }
        await thread.finished()
        if let error = end.withLock(\.self) { throw AmbulanceServiceError(error) }
    }

    private func loop(_ transfers: TransferSet) {
        var desk = HTTPSCallMachine(
            endpoint: writer.endpoint, pollInterval: settings.pollInterval, startingAt: Clock.boot())
        var end: BootInstant?
        while true {
            for command in mailbox.take().values {
                switch command {
                case .send(let message): perform(desk.give(message, at: Clock.boot()), &desk, transfers)
                case .notify(let notice): perform(desk.give(notice), &desk, transfers)
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
            case .noticed(let notice, let outcome): reports.noticed(notice, outcome)
            case .ignored(let alarm, let reason): ignored(alarm, reason)
            case .tested(let test): reports.tested(test)
            }
        }
    }

    /// - Returns: nil, or why it could not even begin.
    private func start(_ number: Int, _ work: CallWork, _ transfers: TransferSet) -> HTTPOutcome? {
        let now = Clock.wall()
        do {
            let request = try writer.request(work, id: .random(at: now), at: now)
            let transfer = try Transfer(
                request, number: number, material: material, connectLimit: settings.connectLimit,
                attemptLimit: settings.attemptLimit, checksDates: settings.checksDates())
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

extension HTTPSChannel {
    /// Settings of one ambulance service: its address, its format, and the caller's identity.
    public struct Settings: Sendable {
        public var id: ChannelID
        /// `https://…`, as the service gave it. `http://` is for a rig on this machine alone: it is taken only
        /// with 127.0.0.1 or [::1] written out.
        public var url: String
        public var format: Format
        /// Caller: the gateway's id, or the name that the service has given it. The `sender` of CAP.
        public var sender: String
        /// Addresses of the call at the service; CAP asks for at least one.
        public var addresses: [String]
        public var credential: Credential
        /// PEM file of the authorities that may vouch for the service, and no others; nil for those that the
        /// system trusts.
        public var caFile: String?
        /// Until the connection stands, TLS included.
        public var connectLimit: Duration
        /// Until the whole answer is there.
        public var attemptLimit: Duration
        /// Between two questions to an address that the service gave for its answer.
        public var pollInterval: Duration
        public var trial: Trial
        /// Whether the dates of certificates are checked: false only while the box does not know the time. Asked for each
        /// request, on the channel's thread.
        public var checksDates: @Sendable () -> Bool = { true }

        public init(
            id: ChannelID, url: String, format: Format, sender: String, addresses: [String] = [],
            credential: Credential = .none, caFile: String? = nil,
            connectLimit: Duration = Settings.defaultConnectLimit,
            attemptLimit: Duration = HelpChannelLimits.attempt,
            pollInterval: Duration = Settings.defaultPollInterval, trial: Trial = .message
        ) {
            self.id = id
            self.url = url
            self.format = format
            self.sender = sender
            self.addresses = addresses
            self.credential = credential
            self.caFile = caFile
            self.connectLimit = connectLimit
            self.attemptLimit = attemptLimit
            self.pollInterval = pollInterval
            self.trial = trial
        }

        /// 4 s: a handshake over a mobile link needs one or two; and it must be over before the machine's
        /// default hand-over limit of 5 s brings in the next channel.
        public static let defaultConnectLimit = Duration.seconds(4)
        /// 3 s: an operator's answer shows in the house before anyone wonders, and a service has one request
        /// in three seconds of the homes that wait.
        public static let defaultPollInterval = Duration.seconds(3)
    }

    /// The language of the call.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// OASIS Common Alerting Protocol 1.2, XML.
        case cap
        /// The same content as JSON; see docs/channels/https.md.
        case json
    }

    /// How the service knows the gateway. Files are read once, when the channel is made.
    public enum Credential: Hashable, Sendable {
        case none
        /// A file with one line: the token of RFC 6750.
        case bearer(tokenFile: String)
        /// PEM files: the certificate, with those between it and its authority, and its unencrypted key.
        case certificate(certificateFile: String, keyFile: String)
    }

    /// Message that `test` sends.
    public enum Trial: String, CaseIterable, Hashable, Sendable {
        /// A message with status `Test`, which the standard tells every recipient to disregard. Nothing of a
        /// person is in it. Proves the whole way.
        case message
        /// An OPTIONS request: for a service that cannot disregard. Proves name, TLS and that something
        /// listens; not that a call would be understood.
        case options
    }
}

/// Why a channel cannot be made at all: the settings or the system must change first.
///
/// Never holds a token or a key, only the name of its file.
public enum AmbulanceServiceError: Error, CustomStringConvertible, Sendable {
    /// A setting with its value and the expected value.
    case unusableSetting(String)
    /// A file of the credential or of the authorities.
    case unusableFile(String)
    /// A system or library call that failed.
    case system(String)

    init(_ error: TransferError) {
        self =
            switch error {
            case .unusableSetting(let text): .unusableSetting(text)
            case .unusableFile(let text): .unusableFile(text)
            case .system(let text): .system(text)
            }
    }

    public var description: String {
        switch self {
        case .unusableSetting(let text): "Ambulance service settings: \(text)"
        case .unusableFile(let text): "Ambulance service files: \(text)"
        case .system(let text): "Ambulance service: \(text)"
        }
    }
}
