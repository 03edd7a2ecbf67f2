package import GatewayModel
package import Settings

/// What a reload has changed, device by device.
package struct RosterChange: Hashable, Sendable {
    package let added: [DeviceID]
    package let removed: [DeviceID]
    /// Another address, person, key, signal, silence or alert.
    package let altered: [DeviceID]
    /// Kinds switched on or off, or another source for SOS; in effect with the next reading.
    package let chosen: [DeviceID]

    package init(from old: [GatewaySettings.Wearable], to new: [GatewaySettings.Wearable]) {
        let before = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
        added = new.map(\.id).filter { before[$0] == nil }
        removed = old.map(\.id).filter { id in !new.contains { $0.id == id } }
        let kept = new.compactMap { wearable in before[wearable.id].map { ($0, wearable) } }
        altered = kept.filter { !$0.hasSameRadio(as: $1) }.map(\.1.id)
        chosen = kept.filter { $0.off != $1.off || $0.sosFor != $1.sosFor }.map(\.1.id)
    }

    package var concernsTheRadio: Bool { !(added.isEmpty && removed.isEmpty && altered.isEmpty) }

    /// Lines for the person who asked for the reload.
    package var lines: [String] {
        let lines =
            added.map { "\($0): watched from now on" }
            + removed.map { "\($0): not watched any more from now on" }
            + altered.map { "\($0): changed from now on" }
            + chosen.map { "\($0): what of it counts is changed from now on" }
        return lines.isEmpty ? ["nothing has changed"] : lines
    }
}

extension GatewaySettings.Wearable {
    fileprivate func hasSameRadio(as other: GatewaySettings.Wearable) -> Bool {
        address == other.address && heardBy == other.heardBy && person == other.person
            && signals == other.signals && keyFile == other.keyFile && silence == other.silence
            && sleeps == other.sleeps && linkLossAlert == other.linkLossAlert && alarmAlert == other.alarmAlert
    }
}
