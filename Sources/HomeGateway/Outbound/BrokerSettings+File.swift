import FoundationEssentials
import GatewayModel
import MQTTBridge
import Settings

extension BrokerSettings {
    /// A credential file that cannot be used.
    struct CredentialError: Error, CustomStringConvertible {
        let description: String
    }

    /// The settings file's broker, with the password read from its file.
    init(from settings: GatewaySettings) throws {
        let broker = settings.broker
        self.init(
            host: broker.host, port: UInt16(broker.port), clientID: settings.gateway.id.text,
            keepAlive: broker.keepAlive, security: Security(broker.security),
            credentials: try broker.login.map(Self.credentials))
    }

    private static func credentials(_ login: GatewaySettings.Broker.Login) throws -> Credentials {
        guard let path = login.passwordFile else { return Credentials(user: login.username, password: "") }
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8) else {
            throw CredentialError(
                description: "[broker] password_file \(path) cannot be read as text; check that it exists and "
                    + "that the user homegateway may read it")
        }
        // Editors end a file with a line break; a password does not.
        let password =
            text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        guard !password.isEmpty else {
            throw CredentialError(description: "[broker] password_file \(path) has an empty first line")
        }
        return Credentials(user: login.username, password: password)
    }
}

extension BrokerSettings.Security {
    fileprivate init(_ security: GatewaySettings.Broker.Security) {
        self =
            switch security {
            case .none: .plain
            case .tls(let tls):
                .tls(
                    caFile: tls.caFile, certificateFile: tls.client?.certificateFile,
                    keyFile: tls.client?.keyFile)
            }
    }
}
