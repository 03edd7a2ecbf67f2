import GatewayModel

/// Outcome of a request to let one wearable buzz, so that a person finds it.
public enum BuzzOutcome: Hashable, Sendable {
    /// bluetoothd has taken the alert. Whether it was felt is not known.
    case begun
    case notConnected
    /// The wearable does not have the Immediate Alert service (0x1802).
    case noBuzzer
    /// An alarm of its wearer uses the alert.
    case alarmOpen
    /// bluetoothd refused the alert, or did not answer.
    case failed(String)

    /// Duration of a buzz: long enough to find one of five bracelets on a table.
    public static let duration = Duration.seconds(3)
}

/// Wearables that buzz to be found, and the alarms that come before them. Pure.
///
/// The service knows no duration, so the gateway ends each buzz.
struct BuzzSchedule: Sendable {
    private struct Buzz: Sendable {
        let device: DeviceID
        let person: PersonID
        /// Whether an alarm uses the wearable, and ends its alert: the settings may switch that off.
        let isOfAlarms: Bool
        let end: BootInstant
        var isAnswered = false
    }

    /// A buzz that is over.
    struct Ended: Hashable, Sendable {
        let address: DeviceAddress
        let device: DeviceID
        /// Whether its request was answered.
        let isAnswered: Bool
    }

    private var buzzes: [DeviceAddress: Buzz] = [:]
    private var inAlarm: Set<PersonID> = []

    var deadline: BootInstant? { buzzes.values.map(\.end).min() }

    func isInAlarm(_ person: PersonID) -> Bool { inAlarm.contains(person) }

    mutating func begin(_ wearable: Wearable, at now: BootInstant) {
        buzzes[wearable.address] = Buzz(
            device: wearable.id, person: wearable.person, isOfAlarms: wearable.alarmAlert != .none,
            end: now.advanced(by: BuzzOutcome.duration))
    }

    /// - Parameter isTaken: bluetoothd has taken the alert; otherwise there is nothing to end.
    mutating func answered(_ address: DeviceAddress, isTaken: Bool) {
        if isTaken { buzzes[address]?.isAnswered = true } else { buzzes[address] = nil }
    }

    /// An alarm begins, is repeated or ends: from here on it alone decides how the wearables buzz that it uses.
    ///
    /// - Returns: the devices with a buzz that was not answered yet.
    mutating func alarm(_ person: PersonID, isOn: Bool) -> [DeviceID] {
        if isOn { inAlarm.insert(person) } else { inAlarm.remove(person) }
        let taken = buzzes.filter { $0.value.person == person && $0.value.isOfAlarms }
        for address in taken.keys { buzzes[address] = nil }
        return taken.values.filter { !$0.isAnswered }.map(\.device)
    }

    /// Returns the buzzes that end now, and forgets them.
    mutating func takeDue(at now: BootInstant) -> [Ended] {
        let due = buzzes.filter { $0.value.end <= now }
        for address in due.keys { buzzes[address] = nil }
        return due.map { Ended(address: $0.key, device: $0.value.device, isAnswered: $0.value.isAnswered) }
    }
}
