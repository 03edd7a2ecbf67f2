import GatewayModel
import SettingsReading

extension GatewaySettings {
    /// File of certificates that a connection to outside needs.
    public struct CertificateFile: Hashable, Sendable {
        /// `broker-authority`, `ambulance-client`: stands for the file outside the house.
        public let name: String
        /// Absolute path.
        public let path: String
        /// Authorities, of which one that goes on suffices. Otherwise the first certificate of the file counts.
        public let isOfAuthorities: Bool
    }

    /// Files of certificates that the settings name. The authorities of the system are renewed with the system.
    public var certificateFiles: [CertificateFile] {
        var files: [CertificateFile] = []
        func addAuthorities(_ path: String?, of name: String) {
            guard let path, !path.hasPrefix("/etc/ssl/certs/") else { return }
            files.append(CertificateFile(name: "\(name)-authority", path: path, isOfAuthorities: true))
        }
        func addClient(_ path: String, of name: String) {
            files.append(CertificateFile(name: "\(name)-client", path: path, isOfAuthorities: false))
        }
        if case .tls(let tls) = broker.access.security {
            addAuthorities(tls.caFile, of: "broker")
            if let client = tls.client { addClient(client.certificateFile, of: "broker") }
        }
        for channel in channels {
            switch channel.way {
            case .https(let way):
                addAuthorities(way.caFile, of: channel.id.text)
                if case .certificate(let own) = way.credential {
                    addClient(own.certificateFile, of: channel.id.text)
                }
            case .scaip(let way):
                if case .tls(let file) = way.transport { addAuthorities(file, of: channel.id.text) }
            case .telephone(let way):
                if case .sip(_, _, .tls(let file), _, _) = way.way { addAuthorities(file, of: channel.id.text) }
            case .sms: break
            }
        }
        return files
    }
}
