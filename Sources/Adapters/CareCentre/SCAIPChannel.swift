public import Consent
import Foundation
public import GatewayModel
public import HelpLine
import RealTime
import SIP

/// The way to an alarm receiving centre that takes SCAIP (SS 91100, CLC/TS 50134-9): one SIP MESSAGE a word.
///
/// A thread of its own, "scaip", runs the SIP library; looking up a name has another one, which may outlive a
/// stop by as long as the system's resolver takes.
public final class SCAIPChannel: HelpChannel {
    public let id: ChannelID
    private let checked: Settings.Checked
    private let mailbox: Mailbox<SCAIPLoop.Order>
    private let reports: ChannelReports
    private let onNote: @Sendable (SCAIPNote) -> Void

    /// - Parameters:
    ///   - reports: called on the thread of the channel.
    ///   - onNote: for the log; called on the thread of the channel.
    /// - Throws: `SCAIPError` where the settings or the files they name cannot work.
    public init(
        settings: Settings, reports: ChannelReports, onNote: @escaping @Sendable (SCAIPNote) -> Void
    ) throws(SCAIPError) {
        id = settings.id
        checked = try settings.checked()
        self.reports = reports
        self.onNote = onNote
        // Unbounded: a call for help is never dropped.
        do throws(SystemCallError) { mailbox = try Mailbox() } catch { throw .system(error.description) }
    }

    public func send(_ message: Cleared<HelpMessage>) { mailbox.put(.send(message)) }

    public func send(_ notice: Cleared<NoticeMessage>) { mailbox.put(.notify(notice)) }

    public func test() { mailbox.put(.test) }

    /// Nil over UDP.
    public var server: (host: String, port: Int)? {
        checked.settings.transport == .udp ? nil : (checked.settings.host, Int(checked.settings.port))
    }

    /// Once a channel.
    /// - Throws: `SCAIPError` where the thread or the SIP library cannot start.
    public func run() async throws {
        let outcome = Outcome()
        let thread = try NamedThread("scaip") { [self] in outcome.set { try loop() } }
        await thread.finished()
        try outcome.get()
    }

    public func stop() { mailbox.put(.stop) }

    private func loop() throws {
        do {
            try SCAIPLoop(checked: checked, mailbox: mailbox, reports: reports, onNote: onNote).run()
        } catch let error as SIPFailure {
            throw SCAIPError.system(error.description)
        }
    }
}

extension SCAIPChannel {
    /// Settings of one centre: address, identity and protection. A change needs a new channel.
    public struct Settings: Sendable {
        public enum Transport: Hashable, Sendable {
            case udp
            case tcp
            /// TLS 1.2 or newer; the server's certificate must be for exactly `host`. There is no way to
            /// leave that unchecked. `caFile` is the PEM file of the authority; nil: those that the system
            /// trusts.
            case tls(caFile: String?)

            /// 5060 and 5061 by IANA assignment.
            public var port: UInt16 { if case .tls = self { 5061 } else { 5060 } }
        }

        /// For SIP digest (MD5, as libre speaks it).
        public struct Account: Hashable, Sendable {
            public var user: String
            /// A file that holds the password in its first line.
            public var passwordFile: String
            /// Whether the address of this box is registered at the centre's server, and kept so.
            public var registers: Bool

            public init(user: String, passwordFile: String, registers: Bool = true) {
                self.user = user
                self.passwordFile = passwordFile
                self.registers = registers
            }
        }

        public var id: ChannelID
        /// How the centre is called in messages and in the record of an alarm.
        public var centreName: String
        /// Name or address of the SIP server; looked up by the system's resolver, SRV records are not asked.
        public var host: String
        public var port: UInt16
        public var transport: Transport
        /// Recipient: `sip:` and the host unless the centre names a user.
        public var centreURI: String
        /// Sender, `sip:26317@centre.example`: the number under which the centre knows this box.
        public var fromURI: String
        /// `cid`, 1 to 16 digits.
        public var controllerID: String
        public var account: Account?
        /// 0: any free one.
        public var localPort: UInt16 = 0
        /// Nil: no heartbeats.
        public var heartbeatInterval: Duration? = .seconds(3600)
        /// Heartbeat intervals of `hbi` 0 to 4, as this centre states them; the standard's table was not read.
        /// A number that is not here changes nothing.
        public var heartbeatSteps: [Int: Duration] = [:]
        public var attemptLimit: Duration = HelpChannelLimits.attempt
        /// How the house is called back: `gsm:+39…`, `sip:…`, or a number, which becomes `gsm:`. Nil: the
        /// message says that there is no way to speak.
        public var callBack: String?
        /// Whether the centre's ok to a confirmed call means that it looks after the person, which ends the
        /// alarm. False where the centre's machine answers before anyone has read it: then it counts as
        /// handed over, and the alarm goes on until a person accepts it elsewhere.
        public var isAnswerAcceptance = false
        /// Whether the dates of the server's certificate are checked: false only while the box does not know the time. Asked
        /// at each handshake, on the channel's thread.
        public var checksDates: @Sendable () -> Bool = { true }

        public init(
            id: ChannelID, centreName: String, host: String, port: UInt16? = nil, transport: Transport,
            fromURI: String, controllerID: String
        ) {
            self.id = id
            self.centreName = centreName
            self.host = host
            self.port = port ?? transport.port
            self.transport = transport
            // An IPv6 address stands in brackets in a URI.
            centreURI = host.contains(":") ? "sip:[\(host)]" : "sip:\(host)"
            self.fromURI = fromURI
            self.controllerID = controllerID
        }
    }
}

/// Why a channel cannot be made: a setting or a file must change first.
public enum SCAIPError: Error, CustomStringConvertible, Sendable {
    /// A setting with its value and the expected value.
    case unusableSetting(String)
    /// A call of the system or of the SIP library that failed.
    case system(String)

    public var description: String {
        switch self {
        case .unusableSetting(let text): "Care centre settings: \(text)"
        case .system(let text): "Care centre: \(text)"
        }
    }
}

extension SCAIPChannel.Settings {
    /// The settings as the thread uses them: checked, files read.
    struct Checked: Sendable {
        let settings: SCAIPChannel.Settings
        let controller: SCAIPController
        let server: SIPServer
    }

    /// Stops the start on anything that could only fail later.
    func checked() throws(SCAIPError) -> Checked {
        guard !host.isEmpty, host.utf8.count < 256, host.utf8.allSatisfy(Self.isHostByte) else {
            throw .unusableSetting("host is '\(host)'; expected a name or an address")
        }
        guard port > 0 else { throw .unusableSetting("port is 0; expected 1 to 65535 (5061 for TLS)") }
        for (name, uri) in [("centre URI", centreURI), ("from URI", fromURI)] where !Self.isURI(uri) {
            throw .unusableSetting("the \(name) is '\(uri)'; expected sip:user@host or sip:host")
        }
        guard attemptLimit >= .seconds(1), attemptLimit <= .seconds(30) else {
            // Above 32 s SIP itself gives a request up (timer F, RFC 3261 section 17.1.2.2).
            throw .unusableSetting("the attempt limit is \(attemptLimit); expected 1 s to 30 s")
        }
        for interval in [heartbeatInterval].compactMap({ $0 }) + heartbeatSteps.values
        where interval < .seconds(10) {
            throw .unusableSetting("a heartbeat interval is \(interval); expected 10 s or more")
        }
        let back = callBack.map { $0.hasPrefix("+") ? "gsm:\($0)" : $0 } ?? "no-voice:"
        guard let controller = SCAIPController(id: controllerID, callBack: back) else {
            throw .unusableSetting(
                "the controller id is '\(controllerID)' and the call-back '\(back)'; expected 1 to 16 digits, "
                    + "and +39…, gsm:+39…, sip:… or no-voice: without blanks")
        }
        if case .tls(.some(let file)) = transport, !FileManager.default.isReadableFile(atPath: file) {
            throw .unusableSetting("the CA file \(file) cannot be read; expected a PEM file")
        }
        let server = SIPServer(
            name: centreName, host: host, transport: transport.forSIP, fromURI: fromURI,
            contactUser: contactUser,
            credentials: try credentials(), registers: account?.registers == true, localPort: localPort)
        return Checked(settings: self, controller: controller, server: server)
    }

    private var contactUser: String {
        fromURI.contains("@") ? String(fromURI.dropFirst(4).prefix { $0 != "@" && $0 != ":" }) : controllerID
    }

    private func credentials() throws(SCAIPError) -> SIPCredentials? {
        guard let account else { return nil }
        // Both stand between quotes in a header of SIP.
        guard !account.user.isEmpty, account.user.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 })
        else {
            throw .unusableSetting(
                "the account's user is '\(account.user)'; expected visible ASCII without '\"'")
        }
        guard let text = try? String(contentsOfFile: account.passwordFile, encoding: .utf8),
            let line = text.split(separator: "\n", omittingEmptySubsequences: false).first
        else {
            throw .unusableSetting("the password file \(account.passwordFile) cannot be read as a line of text")
        }
        let password = line.trimmingCharacters(in: .whitespaces)
        guard !password.isEmpty else {
            throw .unusableSetting("the password file \(account.passwordFile) has an empty first line")
        }
        return SIPCredentials(user: account.user, password: password)
    }

    /// No blanks, controls, quotes or angle brackets: it stands between `<` and `>` in headers.
    private static func isURI(_ text: String) -> Bool {
        text.hasPrefix("sip:") && text.utf8.count > 4 && text.utf8.count < 256
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"".utf8.contains($0) }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || ".-:_".utf8.contains(byte)
    }
}

extension SCAIPChannel.Settings.Transport {
    fileprivate var forSIP: SIPServer.Transport {
        switch self {
        case .udp: .udp
        case .tcp: .tcp
        case .tls(let caFile): .tls(caFile: caFile)
        }
    }
}
