public import Consent
import Foundation
public import GatewayModel
public import HelpLine
import RealTime
import SIP
import Synchronization
public import Systemd

/// Calls the family by telephone, over a SIP account or a modem, and speaks in the house's voice
/// (docs/channels/telephone.md). A call that is answered is handed over; a pressed key accepts it (ADR 24).
///
/// A thread of its own, "phone", makes the calls; the voice has another one, and so has each look-up of a name, which
/// may outlive a stop by as long as the system's resolver takes.
public final class TelephoneChannel: HelpChannel {
    public let id: ChannelID
    private let settings: Settings
    private let checked: Settings.Checked
    private let reports: ChannelReports
    private let onNote: @Sendable (CallNote) -> Void
    private let mailbox: Mailbox<TelephoneLoop.Command>

    /// - Parameters:
    ///   - reports: called on the thread of the channel.
    ///   - onNote: for the log; called on the thread of the channel.
    /// - Throws: `TelephoneError` where the settings or the files they name cannot work.
    public init(
        _ settings: Settings, reports: ChannelReports, onNote: @escaping @Sendable (CallNote) -> Void = { _ in }
    ) throws(TelephoneError) {
        id = settings.id
        self.settings = settings
        checked = try settings.checked()
        self.reports = reports
        self.onNote = onNote
        // Unbounded: a call for help is never dropped.
        do throws(SystemCallError) { mailbox = try Mailbox() } catch { throw .system(error.description) }
    }

    public func send(_ message: Cleared<HelpMessage>) { mailbox.put(.send(message.value)) }

    /// Refuses it: a telephone rings for help alone.
    public func send(_ notice: Cleared<NoticeMessage>) {
        reports.noticed(notice.value, .failed(reason: "a telephone channel calls for help alone"))
    }

    public func test() { mailbox.put(.test) }

    public func stop() { mailbox.put(.stop) }

    /// Once a channel.
    /// - Throws: where a thread or the SIP library cannot start.
    public func run() async throws {
        let mailbox = mailbox
        let voice = try CallVoice(speed: settings.voiceSpeed, program: settings.voiceProgram) {
            mailbox.put(.rendered($0, $1))
        }
        let speech = try NamedThread("phone-voice") { voice.loop() }
        let outcome = Outcome()
        do {
            let thread = try NamedThread("phone") { [self] in outcome.set { try loop(voice) } }
            await thread.finished()
        } catch {
            outcome.set { throw error }
        }
        voice.stop()
        await speech.finished()
        try outcome.get()
    }

    /// Nil over UDP, and for a modem.
    public var server: (host: String, port: Int)? {
        guard case .sip(let route) = checked.route, route.server.transport != .udp else { return nil }
        return (route.server.host, Int(route.port))
    }

    private func loop(_ voice: CallVoice) throws {
        let rules = TelephoneMachine.Rules(
            recipients: checked.recipients, ring: settings.ringLimit, pause: settings.repeatInterval,
            reach: settings.attemptLimit, takesKeys: settings.takesKeys)
        try TelephoneLoop(
            rules, route: makeRoute(), voice: voice, mailbox: mailbox, reports: reports, onNote: onNote
        ).run()
    }

    private func makeRoute() -> any CallRoute {
        let mailbox = mailbox
        switch checked.route {
        case .sip(let route):
            let (host, port) = (route.server.host, route.port)
            return SIPCallRoute(
                route,
                lookUp: {
                    _ = try NamedThread("phone-lookup") {
                        mailbox.put(.found(SIPRoute.lookUp(host, port: port)))
                    }
                },
                wake: { mailbox.wakeup.signal() })
        case .modem(let route):
            return ModemCallRoute(route, wake: { mailbox.wakeup.signal() })
        }
    }
}

/// Outcome of a thread's body, for the waiter of the thread.
private final class Outcome: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    func set(_ body: () throws -> Void) {
        do { try body() } catch { failure.withLock { $0 = error } }
    }

    func get() throws {
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

extension TelephoneChannel {
    /// Settings of the calls: recipients and route. A change needs a new channel.
    public struct Settings: Sendable {
        public var id: ChannelID
        /// E.164, `+393331234567`; at least one, each once. Called in this order.
        public var recipients: [String]
        public var way: Way
        /// How long a telephone rings before the next one is called.
        public var ringLimit: Duration = Settings.defaultRingLimit
        /// Between two passes over the recipients.
        public var repeatInterval: Duration = Settings.defaultRepeatInterval
        /// Until the server or the modem shows that it works on a call.
        public var attemptLimit: Duration = HelpChannelLimits.attempt
        /// The key 1 accepts a call.
        public var takesKeys = true
        /// Words per minute.
        public var voiceSpeed = 140
        public var voiceProgram = "espeak-ng"
        /// Whether the dates of the server's certificate are checked: false only while the box does not know the time. Asked
        /// at each handshake, on the channel's thread.
        public var checksDates: @Sendable () -> Bool = { true }
        /// For `test` alone, beside a gateway that runs: registers nothing, and switches no modem on.
        public var isLookOnly = false

        /// 25 s: a voicemail often answers after that, and a machine accepts nothing.
        public static let defaultRingLimit = Duration.seconds(25)
        public static let defaultRepeatInterval = Duration.seconds(60)

        public init(id: ChannelID, recipients: [String], way: Way) {
            self.id = id
            self.recipients = recipients
            self.way = way
        }
    }

    public enum Way: Hashable, Sendable {
        case sip(Account)
        /// - Parameters:
        ///   - modem: its IMEI, port or device; nil for the only one.
        ///   - audio: the ALSA device of the modem's sound; nil where the modem names a port for it.
        case modemManager(bus: BusAddress, modem: String?, audio: String?)
    }

    /// Account at a SIP server.
    public struct Account: Hashable, Sendable {
        public enum Transport: Hashable, Sendable {
            case udp
            case tcp
            /// The server's certificate must be for exactly `host`. Nil: the authorities that the system trusts.
            case tls(caFile: String?)
        }

        /// For SIP digest (MD5, as libre speaks it).
        public struct Login: Hashable, Sendable {
            public let user: String
            /// A file that holds the password in its first line.
            public let passwordFile: String

            public init(user: String, passwordFile: String) {
                self.user = user
                self.passwordFile = passwordFile
            }
        }

        /// Name or address; looked up by the system's resolver, SRV records are not asked.
        public let host: String
        /// Nil: 5061 with TLS, else 5060.
        public let port: UInt16?
        public let transport: Transport
        /// Sender of the calls, `sip:user@provider.example`.
        public let fromURI: String
        public let login: Login?

        public init(host: String, port: UInt16?, transport: Transport, fromURI: String, login: Login?) {
            self.host = host
            self.port = port
            self.transport = transport
            self.fromURI = fromURI
            self.login = login
        }
    }
}

/// Why a channel cannot be made at all: the settings or the system must change first. Names no person.
public enum TelephoneError: Error, CustomStringConvertible, Sendable {
    /// A setting with its value and the expected value.
    case unusableSetting(String)
    /// A call of the system that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text): "Telephone settings: \(text)"
        case .system(let text): "Telephone: \(text)"
        }
    }
}

extension TelephoneChannel.Settings {
    /// Checked, files read, for the thread.
    struct Checked: Sendable {
        enum Route: Sendable {
            case sip(SIPCallRoute.Settings)
            case modem(ModemCallRoute.Settings)
        }

        let recipients: [PhoneNumber]
        let route: Route
    }

    func checked() throws(TelephoneError) -> Checked {
        var numbers: [PhoneNumber] = []
        for (index, text) in recipients.enumerated() {
            guard let number = PhoneNumber(text) else {
                throw .unusableSetting(
                    "recipient \(index + 1) is no number with a country code; expected + and 7 to 15 digits")
            }
            guard !numbers.contains(number) else {
                throw .unusableSetting("recipient \(index + 1) is there twice; expected each once")
            }
            numbers.append(number)
        }
        guard !numbers.isEmpty else {
            throw .unusableSetting("there is no recipient; expected at least one number")
        }
        for (name, limit) in [
            ("ring limit", ringLimit), ("repeat interval", repeatInterval), ("time limit", attemptLimit),
        ] where limit < .seconds(1) {
            throw .unusableSetting("the \(name) is \(limit); expected 1 s or more")
        }
        switch way {
        case .sip(let account): return Checked(recipients: numbers, route: .sip(try checked(account)))
        case .modemManager(let bus, let modem, let audio):
            return Checked(
                recipients: numbers,
                route: .modem(
                    ModemCallRoute.Settings(
                        bus: bus, modem: modem, audio: audio, reach: attemptLimit,
                        mayEnable: !isLookOnly)))
        }
    }

    private func checked(_ account: TelephoneChannel.Account) throws(TelephoneError) -> SIPCallRoute.Settings {
        guard !account.host.isEmpty, account.host.utf8.count < 256 else {
            throw .unusableSetting("server is '\(account.host)'; expected a name or an address")
        }
        let from = account.fromURI
        // It stands between `<` and `>` in headers.
        guard from.hasPrefix("sip:"), from.contains("@"), from.utf8.count < 256,
            from.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"<>\"".utf8.contains($0) })
        else { throw .unusableSetting("from is '\(from)'; expected sip:user@host") }
        let transport: SIPServer.Transport
        let port: UInt16
        switch account.transport {
        case .udp: (transport, port) = (.udp, 5060)
        case .tcp: (transport, port) = (.tcp, 5060)
        case .tls(let file):
            if let file, !FileManager.default.isReadableFile(atPath: file) {
                throw .unusableSetting("the CA file \(file) cannot be read; expected a PEM file")
            }
            (transport, port) = (.tls(caFile: file), 5061)
        }
        let server = SIPServer(
            name: id.text, host: account.host, transport: transport, fromURI: from,
            contactUser: String(from.dropFirst(4).prefix { $0 != "@" && $0 != ":" }),
            credentials: try account.login.map { login throws(TelephoneError) in try credentials(login) },
            registers: account.login != nil && !isLookOnly)
        return SIPCallRoute.Settings(
            server: server, port: account.port ?? port, reach: attemptLimit, checksDates: checksDates)
    }

    private func credentials(_ login: TelephoneChannel.Account.Login) throws(TelephoneError) -> SIPCredentials {
        // Both stand between quotes in a header of SIP.
        guard !login.user.isEmpty, login.user.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 })
        else { throw .unusableSetting("username is '\(login.user)'; expected visible ASCII without '\"'") }
        guard let text = try? String(contentsOfFile: login.passwordFile, encoding: .utf8),
            let line = text.split(separator: "\n", omittingEmptySubsequences: false).first
        else {
            throw .unusableSetting("the password file \(login.passwordFile) cannot be read as a line of text")
        }
        let password = line.trimmingCharacters(in: .whitespaces)
        guard !password.isEmpty else {
            throw .unusableSetting("the password file \(login.passwordFile) has an empty first line")
        }
        return SIPCredentials(user: login.user, password: password)
    }
}
