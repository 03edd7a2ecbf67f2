package import GatewayModel
package import Hub

/// Whether each wearable that only advertises is heard and accepted, and its battery.
///
/// A button that advertises when it is pressed is never silent. A sensor that sends at intervals is silent after a time
/// that fits its interval. The frames tell the two apart. Pure: events and instants in, conditions out.
package struct BeaconSupervision {
    /// Expectations of a broadcaster before it is first heard.
    package struct Expected: Hashable, Sendable {
        /// Limit of silence from the settings; nil for the default of its kind.
        package let silence: Duration?
        /// Whether it sent at intervals before the restart.
        package let sendsRegularly: Bool

        package init(silence: Duration?, sendsRegularly: Bool) {
            (self.silence, self.sendsRegularly) = (silence, sendsRegularly)
        }
    }

    private struct Watched {
        var silence: Duration?
        var sendsRegularly: Bool
        var cadence = Cadence()
        var heard: BootInstant
        var isRefused = false
        var isUnproven = false
        var battery = BatteryWatch()

        /// Nil: silence raises no condition.
        var limit: Duration? { silence ?? (sendsRegularly ? cadence.limit : nil) }
    }

    private var watched: [DeviceID: Watched] = [:]

    /// Silence counts from `now`.
    package init(_ expected: [DeviceID: Expected], startingAt now: BootInstant) {
        _ = replace(expected, at: now)
    }

    /// Replaces the expected devices. Conditions of others end.
    package mutating func replace(_ expected: [DeviceID: Expected], at now: BootInstant) -> [HealthChange] {
        let gone = watched.keys.filter { expected[$0] == nil }
        let ends = gone.flatMap { device in
            Self.codes.map { HealthChange(condition: HealthCondition($0, subject: device.text), holds: false) }
        }
        for device in gone { watched[device] = nil }
        for (device, expected) in expected {
            var state =
                watched[device]
                ?? Watched(silence: nil, sendsRegularly: expected.sendsRegularly, heard: now)
            state.silence = expected.silence
            watched[device] = state
        }
        return ends + tick(at: now)
    }

    /// Records a new, accepted frame.
    package mutating func believed(_ device: DeviceID, isTriggerBased: Bool, at now: BootInstant)
        -> [HealthChange]
    {
        watched[device]?.heard = now
        watched[device]?.isRefused = false
        watched[device]?.isUnproven = false
        watched[device]?.cadence.heard(at: now)
        // A sensor may send both kinds: then only those at intervals can be missed.
        if !isTriggerBased { watched[device]?.sendsRegularly = true }
        return changes(of: device, at: now)
    }

    /// Records a frame in its name that was not accepted: its button could not call for help.
    package mutating func refused(_ device: DeviceID, at now: BootInstant) -> [HealthChange] {
        watched[device]?.isRefused = true
        return changes(of: device, at: now)
    }

    /// Records a frame that is explained by a changed battery or by a recording. It does not prove presence.
    package mutating func unproven(_ device: DeviceID, at now: BootInstant) -> [HealthChange] {
        watched[device]?.isUnproven = true
        return changes(of: device, at: now)
    }

    /// Records that a person has confirmed the battery change.
    package mutating func batteryConfirmed(_ device: DeviceID, at now: BootInstant) -> [HealthChange] {
        watched[device]?.isUnproven = false
        return changes(of: device, at: now)
    }

    package mutating func battery(_ device: DeviceID, percent: Int, at now: BootInstant) -> [HealthChange] {
        watched[device]?.battery.note(percent: percent)
        return changes(of: device, at: now)
    }

    package mutating func battery(_ device: DeviceID, isLow: Bool, at now: BootInstant) -> [HealthChange] {
        watched[device]?.battery.isLow = isLow
        return changes(of: device, at: now)
    }

    /// Returns the changes of all devices at `now`; call once a second.
    package func tick(at now: BootInstant) -> [HealthChange] {
        watched.keys.flatMap { changes(of: $0, at: now) }
    }

    private static let codes: [HealthCode] = [
        .wearableAway, .advertsRefused, .batteryUnconfirmed, .batteryLow,
    ]

    private func changes(of device: DeviceID, at now: BootInstant) -> [HealthChange] {
        guard let state = watched[device] else { return [] }
        let isAway = state.limit.map { state.heard.duration(to: now) >= $0 } ?? false
        let holds: [HealthCode: Bool] = [
            .wearableAway: isAway, .advertsRefused: state.isRefused, .batteryUnconfirmed: state.isUnproven,
            .batteryLow: state.battery.isLow,
        ]
        return Self.codes.map {
            HealthChange(condition: HealthCondition($0, subject: device.text), holds: holds[$0] ?? false)
        }
    }
}
