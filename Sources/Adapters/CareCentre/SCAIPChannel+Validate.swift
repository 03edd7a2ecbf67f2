import Foundation
import GatewayModel

/// Why a channel cannot be made: a setting or a file must change first.
public enum SCAIPError: Error, CustomStringConvertible, Sendable {
    /// A setting, what it holds and what it must be.
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
        let credentials: SIPCredentials?
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
        return Checked(settings: self, controller: controller, credentials: try credentials())
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
