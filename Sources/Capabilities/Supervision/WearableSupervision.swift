package import GatewayModel
package import Hub
package import Wearables

/// Supervises each wearable: presence, silence, proof, skin contact, battery. Silence never counts as health, and the
/// sleep of a device between uses never as silence.
///
/// Pure: events and instants in, conditions out.
package struct WearableSupervision: Sendable {
    /// Limit of silence for a wearable of unknown rhythm: that of the strictest kind, a heart-rate strap.
    package static let silenceLimit = Duration.seconds(5)
    /// Time for Bluetooth to report its known wearables. Until then no wearable of unknown rhythm is reported away.
    package static let startLimit = Duration.seconds(2)

    private struct Watched {
        /// From the settings; else the last one derived from its subscriptions. Nil: not known yet.
        var rhythm: Wearable.Rhythm?
        var isRhythmGiven: Bool
        /// It has answered on this link, with a subscription or a value. bluetoothd's connected state is not enough: it
        /// persists for seconds after a link has died.
        var isPresent = false
        var heard: BootInstant
        /// It was connected since, and has shown nothing that is of use.
        var isUnsupported = false
        var hasContact = true
        var isProven = true
        var battery = BatteryWatch()

        func isSilent(at now: BootInstant) -> Bool {
            isPresent && silenceLimit.map { heard.duration(to: now) >= $0 } ?? false
        }

        func isWell(at now: BootInstant) -> Bool {
            isPresent && !isSilent(at: now) && isProven && hasContact
        }

        private var silenceLimit: Duration? {
            switch rhythm {
            case .streams(let limit): limit
            case .sleeps, .attends: nil
            case nil: WearableSupervision.silenceLimit
            }
        }
    }

    private var watched: [DeviceID: Watched] = [:]
    private let begin: BootInstant
    private var hasBluetoothTold = false

    /// Every wearable is away until it answers, except those that sleep.
    /// - Parameter wearables: with the rhythm from the settings, if any.
    package init(wearables: [DeviceID: Wearable.Rhythm?], startingAt now: BootInstant) {
        begin = now
        _ = replace(wearables, at: now)
    }

    /// Replaces the wearables. Conditions of others end.
    package mutating func replace(_ wearables: [DeviceID: Wearable.Rhythm?], at now: BootInstant)
        -> [HealthChange]
    {
        let gone = watched.keys.filter { wearables[$0] == nil }
        let ends = gone.flatMap { device in
            Self.codes.map { HealthChange(condition: HealthCondition($0, subject: device.text), holds: false) }
        }
        for device in gone { watched[device] = nil }
        for (device, rhythm) in wearables {
            var state = watched[device] ?? Watched(isRhythmGiven: false, heard: now)
            if rhythm != nil || state.isRhythmGiven { state.rhythm = rhythm }
            state.isRhythmGiven = rhythm != nil
            watched[device] = state
        }
        return ends + tick(at: now)
    }

    /// Records that Bluetooth has reported its known wearables, or that it cannot be used.
    package mutating func bluetoothTold(at now: BootInstant) -> [HealthChange] {
        hasBluetoothTold = true
        return tick(at: now)
    }

    /// Records the rhythm that a wearable was known for before it answered. It holds until a better one is known.
    package mutating func recognised(_ device: DeviceID, _ rhythm: Wearable.Rhythm, at now: BootInstant)
        -> [HealthChange]
    {
        if watched[device]?.isRhythmGiven == false, watched[device]?.rhythm == nil {
            watched[device]?.rhythm = rhythm
        }
        return changes(of: device, at: now)
    }

    /// Records that a wearable answered, so it is present. This covers a cuff without a reading. Its subscriptions
    /// determine the interval at which it has to be heard.
    package mutating func subscribed(_ device: DeviceID, _ rhythm: Wearable.Rhythm, at now: BootInstant)
        -> [HealthChange]
    {
        if watched[device]?.isRhythmGiven == false { watched[device]?.rhythm = rhythm }
        watched[device]?.isPresent = true
        watched[device]?.isUnsupported = false
        watched[device]?.heard = now
        return changes(of: device, at: now)
    }

    /// Records that a wearable was connected and has shown nothing that is of use: it is not away, and wearing it would
    /// change nothing.
    package mutating func unsupported(_ device: DeviceID, at now: BootInstant) -> [HealthChange] {
        watched[device]?.isUnsupported = true
        return changes(of: device, at: now)
    }

    package mutating func disconnected(_ device: DeviceID, at now: BootInstant) -> [HealthChange] {
        watched[device]?.isPresent = false
        return changes(of: device, at: now)
    }

    package mutating func heard(_ reading: Reading) -> [HealthChange] {
        // Some straps report an impossible heart rate when they are not worn. Of a single measurement it is a fault of
        // the device: some cuffs (Beurer BM85) send their pulse with its bytes exchanged.
        let isWorn =
            reading.sampling == .spot || reading.quantity.kind != .heartRate || reading.quantity.isPlausible
        return heard(reading.device, contact: isWorn ? reading.contact : .lost, at: reading.arrival.boot)
    }

    /// Records a message of a wearable, even if it only says that it cannot measure.
    /// - Parameter contact: nil if the message does not mention contact.
    package mutating func heard(_ device: DeviceID, contact: SensorContact?, at now: BootInstant)
        -> [HealthChange]
    {
        let wasWell = watched[device]?.isWell(at: now) ?? true
        watched[device]?.isPresent = true
        watched[device]?.isUnsupported = false
        watched[device]?.heard = now
        if let contact { watched[device]?.hasContact = contact != .lost }
        // The usual case of a reading: no condition held, and none does.
        if wasWell, contact != .lost { return [] }
        return changes(of: device, at: now)
    }

    /// Records whether each of its streams still sends.
    package mutating func proven(_ device: DeviceID, _ isProven: Bool, at now: BootInstant) -> [HealthChange] {
        watched[device]?.isProven = isProven
        return changes(of: device, at: now)
    }

    package mutating func battery(_ device: DeviceID, percent: Int, at now: BootInstant) -> [HealthChange] {
        watched[device]?.battery.note(percent: percent)
        return changes(of: device, at: now)
    }

    /// Returns the changes of every wearable at `now`; call once a second.
    package func tick(at now: BootInstant) -> [HealthChange] {
        watched.keys.flatMap { changes(of: $0, at: now) }
    }

    private static let codes: [HealthCode] = [
        .wearableAway, .wearableUnsupported, .wearableSilent, .readingsUnproven, .sensorContactLost,
        .batteryLow,
    ]

    /// Reports absence, silence, doubt and lost contact one at a time: each hides those after it.
    private func changes(of device: DeviceID, at now: BootInstant) -> [HealthChange] {
        guard let state = watched[device] else { return [] }
        let isKnown = state.rhythm != nil || hasBluetoothTold || begin.duration(to: now) >= Self.startLimit
        let isUnsupported = !state.isPresent && state.isUnsupported
        let isAway = !state.isPresent && !isUnsupported && state.rhythm != .sleeps && isKnown
        let isSilent = state.isSilent(at: now)
        let isUnproven = state.isPresent && !isSilent && !state.isProven
        let holds: [HealthCode: Bool] = [
            .wearableAway: isAway,
            .wearableUnsupported: isUnsupported,
            .wearableSilent: isSilent,
            .readingsUnproven: isUnproven,
            .sensorContactLost: state.isPresent && !isSilent && !isUnproven && !state.hasContact,
            .batteryLow: state.battery.isLow,
        ]
        return Self.codes.map {
            HealthChange(condition: HealthCondition($0, subject: device.text), holds: holds[$0] ?? false)
        }
    }
}
