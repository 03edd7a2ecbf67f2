import GatewayModel

/// Whether each wearable is heard: connection, silence, skin contact. Silence is never read as health.
///
/// Pure: events and instants in, conditions out.
struct WearableSupervision: Sendable {
    /// A heart-rate strap sends once a second; five missed in a row is more than radio loss.
    static let silenceLimit = Duration.seconds(5)

    struct Change: Hashable, Sendable {
        let condition: HealthCondition
        let holds: Bool
    }

    private struct Watched {
        var isConnected = false
        var heard: BootInstant
        var hasContact = true
    }

    private var watched: [DeviceID: Watched]

    /// Every wearable is away until it connects; its silence counts from `now`.
    init(wearables: [DeviceID], startingAt now: BootInstant) {
        watched = Dictionary(wearables.map { ($0, Watched(heard: now)) }) { first, _ in first }
    }

    mutating func connected(_ device: DeviceID, at now: BootInstant) -> [Change] {
        watched[device]?.isConnected = true
        watched[device]?.heard = now
        return changes(of: device, at: now)
    }

    mutating func disconnected(_ device: DeviceID, at now: BootInstant) -> [Change] {
        watched[device]?.isConnected = false
        return changes(of: device, at: now)
    }

    mutating func heard(_ reading: Reading) -> [Change] {
        watched[reading.device]?.heard = reading.arrival.boot
        // A value that no living person has is how some sensors say that nobody wears them.
        watched[reading.device]?.hasContact = reading.contact != .lost && reading.quantity.isPlausible
        return changes(of: reading.device, at: reading.arrival.boot)
    }

    /// The state of every wearable at `now`; call once a second.
    func tick(at now: BootInstant) -> [Change] {
        watched.keys.flatMap { changes(of: $0, at: now) }
    }

    /// One condition a device at a time: away hides silence, silence hides contact.
    private func changes(of device: DeviceID, at now: BootInstant) -> [Change] {
        guard let state = watched[device] else { return [] }
        let isSilent = state.isConnected && state.heard.duration(to: now) >= Self.silenceLimit
        let holds: [(HealthCode, Bool)] = [
            (.wearableAway, !state.isConnected),
            (.wearableSilent, isSilent),
            (.sensorContactLost, state.isConnected && !isSilent && !state.hasContact),
        ]
        return holds.map { Change(condition: HealthCondition($0, subject: device.text), holds: $1) }
    }
}
