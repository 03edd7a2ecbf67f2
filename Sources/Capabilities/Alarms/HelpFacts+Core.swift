import Consent
package import GatewayModel
package import HelpState
package import OutboxService
import RealTime
package import SOSLocal
import Settings

extension HelpFacts {
    /// Facts that decide on the help for a person, as of now. From any thread; returns at once.
    package init(of person: PersonID, _ core: GatewayCore, _ inbox: SOSInbox) {
        self.init(
            mayCall: core.gate.holds(.automatedSOS, for: person), dead: inbox.deadChannels.all,
            untried: inbox.deadChannels.untried(at: Clock.boot()), recipients: core.settings().recipients)
    }
}

extension HelpState {
    package init(of alarm: Alarm, _ core: GatewayCore, _ inbox: SOSInbox, at now: BootInstant) {
        self.init(of: alarm, HelpFacts(of: alarm.cause.person, core, inbox), at: now)
    }
}

extension GatewaySettings {
    /// Recipients behind the channels. Texts and telephone calls go to people who care for the person; the others to a
    /// service with a desk.
    fileprivate var recipients: [ChannelID: HelpRecipient] {
        var recipients = Dictionary(channels.map { ($0.id, HelpRecipient(name: $0.name, $0.recipientKind)) }) {
            first, _ in first
        }
        recipients[MQTTChannel.id] = HelpRecipient(name: broker.name, .desk)
        return recipients
    }
}

extension GatewaySettings.Channel {
    fileprivate var recipientKind: HelpRecipient.Kind {
        switch way {
        case .https, .scaip: .desk
        case .sms, .telephone: .carers
        }
    }
}
