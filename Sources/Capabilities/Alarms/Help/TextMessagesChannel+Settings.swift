package import GatewayModel
import Hub
import OutboxService
package import Settings
import Systemd
package import TextMessages

extension TextMessagesChannel.Settings {
    package init(_ sms: GatewaySettings.SMS, id: ChannelID) {
        let way: TextMessagesChannel.Way =
            switch sms.way {
            case .modemManager(let bus, let modem):
                .modemManager(bus: BusAddress(bus), modem: modem)
            case .gammu(let outbox, let sent, let error, let inbox, let pidFile):
                .gammu(outbox: outbox, sent: sent, error: error, inbox: inbox, pidFile: pidFile)
            }
        self.init(id: id, recipients: sms.recipients, way: way)
        attemptLimit = sms.attemptLimit
        repeatInterval = sms.repeatInterval
        testRecipient = sms.testRecipient
        takesReplies = sms.takesReplies
    }
}
