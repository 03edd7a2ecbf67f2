import AmbulanceService
import GatewayModel
import Settings

extension HTTPSChannel.Settings {
    init(_ way: GatewaySettings.HTTPS, id: ChannelID, sender: String) {
        self.init(
            id: id, url: way.url, format: way.format == .cap ? .cap : .json, sender: sender,
            addresses: way.addresses, credential: HTTPSChannel.Credential(way.credential),
            caFile: way.caFile, connectLimit: min(Self.defaultConnectLimit, way.attemptLimit),
            attemptLimit: way.attemptLimit, trial: way.trial == .message ? .message : .options)
    }
}

extension HTTPSChannel.Credential {
    fileprivate init(_ credential: GatewaySettings.HTTPS.Credential) {
        self =
            switch credential {
            case .none: .none
            case .bearer(let file): .bearer(tokenFile: file)
            case .certificate(let files):
                .certificate(certificateFile: files.certificateFile, keyFile: files.keyFile)
            }
    }
}
