import GatewayModel
import HelpLine
import SOSLocal
package import Settings

/// Recipient of a notice.
enum NoticeTarget: Hashable, Sendable {
    /// A channel with one recipient.
    case channel(ChannelID)
    /// E.164.
    case phone(String)

    /// `mqtt`, `+39…`. The ID of a channel has no plus.
    var text: String {
        switch self {
        case .channel(let id): id.text
        case .phone(let number): number
        }
    }

    /// Nil for text of another form.
    init?(_ text: String) {
        if text.hasPrefix("+") {
            self = .phone(text)
        } else {
            guard let id = ChannelID(text) else { return nil }
            self = .channel(id)
        }
    }

}

/// Recipients of the notices about one person. Pure.
package struct NoticeRecipients {
    private let person: GatewaySettings.Person
    private let channels: [GatewaySettings.Channel]

    package init(of person: GatewaySettings.Person, channels: [GatewaySettings.Channel]) {
        (self.person, self.channels) = (person, channels)
    }

    /// The carers' channels, then the contacts that are marked; each phone once.
    var carers: [NoticeTarget] {
        var targets: [NoticeTarget] = []
        for id in notified {
            guard let channel = channels.first(where: { $0.id == id }), case .sms(let sms) = channel.way
            else {
                targets.append(.channel(id))
                continue
            }
            targets += sms.recipients.map(NoticeTarget.phone)
        }
        if !textChannels.isEmpty { targets += marked.map { .phone($0.phone) } }
        var seen: Set<NoticeTarget> = []
        return targets.filter { seen.insert($0).inserted }
    }

    /// Contacts who decide about consent with the person.
    var deciders: [NoticeTarget] {
        guard !textChannels.isEmpty, let names = person.decidedBy?.map(Self.plain) else { return [] }
        return person.profile.contacts.filter { names.contains(Self.plain($0.name)) }.map { .phone($0.phone) }
    }

    /// Channels that text a phone: those of the carers first.
    var textChannels: [ChannelID] {
        let all = channels.filter(\.sendsTexts).map(\.id)
        let ofCarers = person.plan.ways.carers.filter(all.contains)
        return ofCarers + all.filter { !ofCarers.contains($0) }
    }

    /// Channels of the carers that take notices: a telephone rings for help alone.
    private var notified: [ChannelID] {
        person.plan.ways.carers.filter { id in
            guard let channel = channels.first(where: { $0.id == id }), case .telephone = channel.way else {
                return true
            }
            return false
        }
    }

    private var marked: [PersonProfile.Contact] { person.profile.contacts.filter(\.getsNotices) }

    /// As `Deciders` compares names.
    private static func plain(_ name: String) -> String {
        name.lowercased().split(separator: " ").joined(separator: " ")
    }

    /// Lines of `check` and `status`: recipients of the news, or that there are none.
    package var lines: [String] {
        let carers = notified.map { id -> String in
            guard let channel = channels.first(where: { $0.id == id }), case .sms(let sms) = channel.way
            else { return id.text }
            return "\(id) (\(sms.recipients.count) phone\(sms.recipients.count == 1 ? "" : "s"))"
        }
        let hasTexts = !textChannels.isEmpty
        let contacts = hasTexts ? marked.map { "\($0.name) by text" } : []
        let told = carers + contacts
        let news =
            told.isEmpty
            ? "NOBODY outside is told that nobody watches over \(person.id), or that a battery is low: add carers to "
                + "[person.sos], or notices = true to a [[person.contact]]"
            : "news of the supervision of \(person.id) goes to: \(told.joined(separator: ", "))"
        guard !hasTexts, !marked.isEmpty else { return [news] }
        return [
            news,
            "\(marked.map(\.name).joined(separator: ", ")): notices = true, and NO TEXT can be sent: add a [[channel]] "
                + "with type = \"sms\"",
        ]
    }
}
