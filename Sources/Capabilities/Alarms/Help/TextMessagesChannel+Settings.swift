package import GatewayModel
import Hub
import OutboxService
package import Settings
import Systemd
package import TextMessages

extension TextMessagesChannel.Settings {
    package init(_ sms: GatewaySettings.SMS, id: ChannelID) {
        self.init(id: id, recipients: sms.recipients, bus: BusAddress(sms.bus), modem: sms.modem)
        attemptLimit = sms.attemptLimit
        repeatInterval = sms.repeatInterval
        testRecipient = sms.testRecipient
        takesReplies = sms.takesReplies
    }
}
