package import GatewayModel
package import Settings

/// Decides the use of a reading by the settings of its wearable.
///
/// Pure. A reading of a wearable or a kind that the settings do not mention is kept and counts: a missing setting never
/// silences an alarm.
package struct ReadingPolicy: Hashable, Sendable {
    private struct Claim: Hashable, Sendable {
        let person: PersonID
        let kind: QuantityKind
    }

    private let off: [DeviceID: Set<QuantityKind>]
    /// The one wearable that supplies readings of that kind to the person's rules.
    private let sources: [Claim: DeviceID]

    package init(_ wearables: [GatewaySettings.Wearable]) {
        off = Dictionary(wearables.map { ($0.id, $0.off) }) { first, _ in first }
        var sources: [Claim: DeviceID] = [:]
        for wearable in wearables {
            // The settings have refused a second claim.
            for kind in wearable.sosFor { sources[Claim(person: wearable.person, kind: kind)] = wearable.id }
        }
        self.sources = sources
    }

    /// Returns false if its kind is switched off on its wearable; the reading is then dropped.
    package func keeps(_ reading: Reading) -> Bool {
        off[reading.device]?.contains(reading.quantity.kind) != true
    }

    /// Returns whether an interval between beats is sent to the cloud with the heart rate of its notification.
    package func leavesWithHeartRate(_ reading: Reading) -> Bool {
        reading.heartRate != nil && off[reading.device]?.contains(.heartRate) != true
    }

    /// Returns the intervals between beats that are sent to the cloud with a heart rate, in milliseconds.
    package func intervals(with reading: Reading) -> [Double] {
        off[reading.device]?.contains(.rrInterval) == true ? [] : reading.intervals ?? []
    }

    /// Returns whether no wearable is the person's only source for SOS of this kind.
    package func isUnclaimed(_ reading: Reading) -> Bool {
        sources[Claim(person: reading.person, kind: reading.quantity.kind)] == nil
    }

    /// Returns false if another wearable is the person's source for SOS of this kind, or if there is no source and this
    /// is a pulse from a single measurement. A cuff is used after the stairs as well, and limits on the resting pulse
    /// would call an ambulance then. `sos_for` makes such a wearable a source.
    package func countsForSOS(_ reading: Reading) -> Bool {
        guard let source = sources[Claim(person: reading.person, kind: reading.quantity.kind)] else {
            return !(reading.sampling == .spot && reading.quantity.kind == .heartRate)
        }
        return source == reading.device
    }
}
