import GatewayModel
import Hub
package import Settings

/// Changes of a reload besides wearables, as lines of the answer.
package enum SettingsChange {
    package static func lines(from old: GatewaySettings, to next: GatewaySettings) -> [String] {
        var lines = compare("person", old.persons, next.persons, \.id.text) { $0 == $1 }
        lines += compare("channel", old.channels, next.channels, \.id.text) { $0.isSame(as: $1) }
        lines += compare("source", old.sources, next.sources, \.id.text) { $0 == $1 }
        if old.broker != next.broker { lines.append("broker: a new session is made") }
        if old.installed != next.installed { lines.append("installed: changed") }
        if old.house.wakingHours != next.house.wakingHours { lines.append("house.waking_hours: changed") }
        if old.sos.channelTests != next.sos.channelTests { lines.append("sos.test_channels_hours: changed") }
        return lines
    }

    private static func compare<Entry>(
        _ kind: String, _ old: [Entry], _ new: [Entry], _ id: (Entry) -> String,
        isSame: (Entry, Entry) -> Bool
    ) -> [String] {
        let before = Dictionary(old.map { (id($0), $0) }) { first, _ in first }
        let after = Set(new.map(id))
        return new.compactMap { entry in
            guard let earlier = before[id(entry)] else { return "\(kind) \(id(entry)): added" }
            return isSame(earlier, entry) ? nil : "\(kind) \(id(entry)): changed"
        } + old.map(id).filter { !after.contains($0) }.map { "\(kind) \($0): removed" }
    }
}
