import CareCentre
import GatewayModel
import Settings

extension SCAIPChannel.Settings {
    init(_ way: GatewaySettings.SCAIP, id: ChannelID) {
        self.init(
            id: id, centreName: id.text, host: way.host, port: way.port.map { UInt16($0) },
            transport: Transport(way.transport), fromURI: way.fromURI, controllerID: way.controllerID)
        if let centreURI = way.centreURI { self.centreURI = centreURI }
        account = way.login.map { Account(user: $0.username, passwordFile: $0.passwordFile) }
        heartbeatInterval = way.heartbeatInterval
        callBack = way.callBack
        isAnswerAcceptance = way.isAnswerAcceptance
    }
}

extension SCAIPChannel.Settings.Transport {
    fileprivate init(_ transport: GatewaySettings.SCAIP.Transport) {
        self =
            switch transport {
            case .udp: .udp
            case .tcp: .tcp
            case .tls(let file): .tls(caFile: file)
            }
    }
}
