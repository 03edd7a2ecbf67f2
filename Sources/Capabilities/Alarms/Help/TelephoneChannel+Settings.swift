package import GatewayModel
import Hub
import OutboxService
package import Settings
import Systemd
package import TelephoneCalls

extension TelephoneChannel.Settings {
    /// - Parameter voiceSpeed: of the house's voice, in words a minute; nil where the house has none.
    package init(_ telephone: GatewaySettings.Telephone, id: ChannelID, voiceSpeed: Int?) {
        let way: TelephoneChannel.Way =
            switch telephone.way {
            case .sip(let host, let port, let transport, let fromURI, let login):
                .sip(
                    TelephoneChannel.Account(
                        host: host, port: port.map { UInt16(clamping: $0) }, transport: .init(transport),
                        fromURI: fromURI,
                        login: login.map { .init(user: $0.username, passwordFile: $0.passwordFile) }))
            case .modemManager(let bus, let modem, let audio):
                .modemManager(bus: BusAddress(bus), modem: modem, audio: audio)
            }
        self.init(id: id, recipients: telephone.recipients, way: way)
        ringLimit = telephone.ringLimit
        repeatInterval = telephone.repeatInterval
        attemptLimit = telephone.attemptLimit
        takesKeys = telephone.takesKeys
        if let voiceSpeed { self.voiceSpeed = voiceSpeed }
    }
}

extension TelephoneChannel.Account.Transport {
    fileprivate init(_ transport: GatewaySettings.SCAIP.Transport) {
        self =
            switch transport {
            case .udp: .udp
            case .tcp: .tcp
            case .tls(let file): .tls(caFile: file)
            }
    }
}
