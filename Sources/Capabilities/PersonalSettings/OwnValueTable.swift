import Contract
import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Settings

/// Values of one person with their sources, as lines for people.
struct OwnValueTable {
    private static let settings = "settings"

    private let written: GatewaySettings.Person
    private let choices: PersonChoices
    /// Limits in force.
    private let rules: [LimitRule]

    /// - Parameter written: the person in the settings of the file.
    init(written: GatewaySettings.Person, choices: PersonChoices, rules: [LimitRule]) {
        (self.written, self.choices, self.rules) = (written, choices, rules)
    }

    private var own: OwnProfile { choices.profile }

    /// Names the items that the person has set, without a value; nil where there is none.
    var statusLine: String? {
        var items = ProfileItem.single.filter { own[$0] != nil }.map(\.rawValue)
        let removed = own.removed(from: written.profile)
        if !own.notes.isEmpty || removed.notes > 0 { items.append(ProfileItem.notes.rawValue) }
        if !own.contacts.isEmpty || removed.contacts > 0 { items.append(ProfileItem.contacts.rawValue) }
        items += written.ownChannels.filter { choices[$0] != nil }.map { "channel \($0)" }
        guard !items.isEmpty else { return nil }
        return "\(written.id): \(items.joined(separator: ", ")) set by the person; all else of the settings"
    }

    // MARK: Profile

    var profileLines: [String] {
        let profile = written.profile.with(own)
        let single = ProfileItem.single.map { item in
            [item.rawValue, profile.text(of: item) ?? "-", source(of: item)]
        }
        let kept = profile.medicalNotes.dropLast(own.notes.count).map { ["note", $0, Self.settings] }
        let notes = own.notes.map { ["note", $0.text, $0.author.inWords] }
        let contacts = profile.contacts.dropLast(own.contacts.count).map {
            ["contact", $0.inWords, Self.settings]
        }
        let ownContacts = own.contacts.map { ["contact", $0.contact.inWords, $0.author.inWords] }
        return Shown.table([["ITEM", "VALUE", "FROM"]] + single + kept + notes + contacts + ownContacts)
            + removedLines
    }

    /// The profile for programs.
    var profile: ProfileDocument {
        let profile = written.profile.with(self.own)
        let single = ProfileItem.single.map {
            ProfileDocument.Item($0.rawValue, profile.text(of: $0), by: own[$0]?.author)
        }
        let kept = profile.medicalNotes.dropLast(own.notes.count).map {
            ProfileDocument.Item("note", $0, by: nil)
        }
        let notes = own.notes.map { ProfileDocument.Item("note", $0.text, by: $0.author) }
        let contacts = profile.contacts.dropLast(own.contacts.count).map {
            ProfileDocument.Contact($0, by: nil)
        }
        return ProfileDocument(
            person: written.id, items: single + kept + notes,
            contacts: contacts + own.contacts.map { ProfileDocument.Contact($0.contact, by: $0.author) },
            removed: own.removed(from: written.profile))
    }

    private func source(of item: ProfileItem) -> String {
        if let value = own[item] { return value.author.inWords }
        return written.profile.text(of: item) == nil ? "-" : Self.settings
    }

    private var removedLines: [String] {
        let removed = own.removed(from: written.profile)
        guard removed.notes + removed.contacts > 0 else { return [] }
        return [
            "removed by the person: \(removed.notes) notes and \(removed.contacts) contacts of the settings"
        ]
    }

    // MARK: Limits

    var limitLines: [String] {
        let rows = zip(written.plan.rules, rules).map { before, now in
            [
                now.kind.rawValue, now.slot.rawValue, "\(now.limit)", now.kind.coding.displayUnit,
                LimitBounds.range(of: now.kind, now.side).map { "\($0.lowerBound) to \($0.upperBound)" } ?? "-",
                before.limit == now.limit ? Self.settings : "moved, \(before.limit) in the settings",
            ]
        }
        return Shown.table([["KIND", "LIMIT", "VALUE", "UNIT", "BOUNDS", "FROM"]] + rows)
    }

    /// The limits for programs.
    var limits: [LimitRow] {
        zip(written.plan.rules, rules).map { before, now in
            LimitRow(now, of: written.id, written: before.limit)
        }
    }

    // MARK: Channels

    /// The channels for programs.
    var channels: [ChannelRow] {
        let (own, before) = (written.ownChannels, written.plan.ways)
        let ways = before.with(choices, among: own)
        var all: [ChannelID] = []
        for channel in ways.channels + ways.carers + own where !all.contains(channel) { all.append(channel) }
        return all.map { channel in
            ChannelRow(
                person: written.id, channel, emergency: ways.channels.contains(channel),
                warnings: ways.carers.contains(channel), isOwn: own.contains(channel),
                by: own.contains(channel) ? choices[channel]?.author : nil)
        }
    }

    var channelLines: [String] {
        let rows = channels.map { row in
            [
                row.channel, row.emergency ? "on" : "off", row.warnings ? "on" : "off",
                row.isOwn
                    ? ChannelID(row.channel).flatMap { choices[$0] }.map(\.author.inWords) ?? Self.settings
                    : "settings, not to be switched",
            ]
        }
        return Shown.table([["CHANNEL", "EMERGENCY", "WARNINGS", "FROM"]] + rows)
    }
}

extension OwnProfile.Author {
    /// `Anna Rossi, 2026-03-01 09:30`.
    fileprivate var inWords: String { "\(by), \(time.inHouse)" }
}

extension PersonProfile.Contact {
    fileprivate var inWords: String {
        [name, phone, relation, getsNotices ? "gets notices" : nil].compactMap(\.self).joined(separator: ", ")
    }
}

// MARK: Export

/// Value that a person has set, for their export.
struct OwnValueRecord: Encodable {
    let item: String
    /// Nil where the person does not tell it.
    let value: String?
    let by, at: String

    private init(_ item: String, _ value: String?, _ author: OwnProfile.Author) {
        (self.item, self.value, by, at) = (item, value, author.by, author.time.rfc3339)
    }

    static func all(of choices: PersonChoices) -> [OwnValueRecord] {
        let profile = choices.profile
        return ProfileItem.single.compactMap { item in
            profile[item].map { OwnValueRecord(item.rawValue, $0.text, $0.author) }
        } + profile.notes.map { OwnValueRecord("note", $0.text, $0.author) }
            + profile.contacts.map { OwnValueRecord("contact", $0.contact.inWords, $0.author) }
            + profile.removedNotes.map { OwnValueRecord("removed note", $0.text, $0.author) }
            + profile.removedContacts.map { OwnValueRecord("removed contact", $0.contact.inWords, $0.author) }
            + choices.channelChoices.map { id, choice in
                let words = [
                    choice.emergency.map { "emergency \($0)" }, choice.warnings.map { "warnings \($0)" },
                ]
                return OwnValueRecord(
                    "channel \(id)", words.compactMap(\.self).joined(separator: ", "), choice.author)
            }
    }
}

/// Change of a person's values, for their export.
struct OwnChangeRecord: Encodable {
    let at, by, means: String
    let items: [String]

    init(_ change: PersonChoices.Change) {
        (at, by) = (change.author.time.rfc3339, change.author.by)
        (means, items) = (change.means, change.items)
    }
}
