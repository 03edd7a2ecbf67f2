import GatewayModel
package import MQTTBridge
package import Settings

extension BrokerSettings {
    /// Reads the settings of the TrackMe brokers, as the other initialiser does.
    package init(from settings: GatewaySettings) throws {
        guard !settings.broker.addresses.isEmpty else { throw SetAside() }
        try self.init(settings.broker, clientID: settings.gateway.id.text)
    }

    /// Error for a `[broker]` section with a mistake.
    private struct SetAside: Error, CustomStringConvertible {
        let description = "[broker] is set aside: see homegateway check, mend it, then: homegateway reload"
    }

    /// Reads the brokers of a section of the settings, and the user's name and password from their files. Blocking I/O.
    /// - Throws: `CredentialFile.Unusable` for a file that cannot be used, or that others can read.
    package init(_ broker: GatewaySettings.Broker, clientID: String) throws {
        self.init(
            brokers: broker.addresses.map { BrokerEndpoint(host: $0.host, port: UInt16($0.port)) },
            clientID: clientID, keepAlive: broker.keepAlive,
            sessionExpiry: broker.sessionExpiry, security: try Security(broker.security),
            credentials: try broker.login.map(Self.credentials))
    }

    private static func credentials(_ login: GatewaySettings.Broker.Login) throws -> Credentials {
        let user =
            switch login.username {
            case .written(let name): name
            case .file(let file): try file.text()
            }
        return Credentials(user: user, password: try login.passwordFile?.text() ?? "")
    }
}

extension BrokerSettings.Security {
    fileprivate init(_ security: GatewaySettings.Broker.Security) throws {
        self =
            switch security {
            case .none: .plain
            case .tls(let tls):
                .tls(
                    caFile: tls.caFile, certificateFile: tls.client?.certificateFile,
                    keyFile: try tls.client?.keyFile.privatePath())
            }
    }
}
