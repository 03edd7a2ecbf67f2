public import SettingsReading

extension BrokerSettings {
    /// Reads the user's name and the password from their files. Blocking I/O.
    ///
    /// - Throws: `CredentialFile.Unusable` for a file that cannot be used, or that others can read.
    public init(_ access: BrokerAccess, clientID: String) throws {
        self.init(
            brokers: access.addresses.map { BrokerEndpoint(host: $0.host, port: UInt16(clamping: $0.port)) },
            clientID: clientID, keepAlive: access.keepAlive, sessionExpiry: access.sessionExpiry,
            security: try Security(access.security), credentials: try access.login.map(Self.credentials))
    }

    private static func credentials(_ login: BrokerAccess.Login) throws -> Credentials {
        let user =
            switch login.username {
            case .written(let name): name
            case .file(let file): try file.text()
            }
        return Credentials(user: user, password: try login.passwordFile?.text() ?? "")
    }
}

extension BrokerSettings.Security {
    fileprivate init(_ security: BrokerAccess.Security) throws {
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
