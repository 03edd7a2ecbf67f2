import GatewayModel
import ModelSamples
import SOSLocal

/// A house with a virtual clock: plans, readings and instants for the tests of this target.
enum House {
    static let maria = PersonID(sample: "maria")
    static let giuseppe = PersonID(sample: "giuseppe")
    static let mqtt = ChannelID(sample: "mqtt")
    static let sms = ChannelID(sample: "sms")
    static let place = InstalledPlace(
        address: "Via Dante 7, Milano", coordinates: Coordinates(latitude: 45.4661, longitude: 9.1860))
    static let act = PersonAct(by: "Maria", means: .commandLine)
    static let operatorAct = PersonAct(by: "Operator 7", means: .channel)

    static func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    static func moment(_ seconds: Double) -> Moment {
        Moment(
            boot: at(seconds),
            wall: WallTime(millisecondsSince1970: 1_790_000_000_000 + Int64(seconds * 1_000)))
    }

    static func rule(
        _ side: LimitRule.Side, _ limit: Double, readings: Int = 3, within: Duration = .seconds(2)
    ) -> LimitRule {
        LimitRule(
            kind: .heartRate, side: side, limit: limit,
            confirmation: Confirmation(readings: readings, within: within), hysteresis: 5)
    }

    static func plan(
        _ person: PersonID = maria, window: Duration = .milliseconds(2_500), channels: [ChannelID] = [mqtt],
        rules: [LimitRule] = [rule(.low, 40), rule(.high, 131)]
    ) -> SOSPlan {
        SOSPlan(
            person: person, rules: rules, windows: AbortWindows(vitalSign: window),
            ways: EscalationPlan(channels: channels))
    }

    static func reading(
        _ bpm: Double, at seconds: Double, of person: PersonID = maria, contact: SensorContact = .detected
    ) -> Reading {
        let moment = moment(seconds)
        // Any generator: what matters is that ids of different readings differ.
        var random = SystemRandomNumberGenerator()
        return Reading(
            id: MessageID(wall: moment.wall, using: &random), person: person,
            device: DeviceID(sample: "strap"), quantity: Quantity(.heartRate, bpm), contact: contact,
            arrival: moment)
    }

    /// Of any kind and device.
    static func reading(
        _ kind: QuantityKind, _ value: Double, at seconds: Double, from device: String = "strap",
        contact: SensorContact = .detected, sampling: Reading.Sampling = .stream
    ) -> Reading {
        let like = reading(value, at: seconds, contact: contact)
        return Reading(
            id: like.id, person: maria, device: DeviceID(sample: device), quantity: Quantity(kind, value),
            contact: contact, sampling: sampling, arrival: like.arrival)
    }

    static func fix(at seconds: Double) -> Fix {
        Fix(
            coordinates: Coordinates(latitude: 45.4642, longitude: 9.19)!, altitude: 120, horizontalError: 5,
            arrival: moment(seconds))
    }

    static func machine(_ plans: SOSPlan...) -> SOSMachine {
        SOSMachine(plans: plans.isEmpty ? [plan()] : plans, installed: place, startingAt: at(0))
    }
}

extension SOSMachine {
    /// Hands over a reading at its own instant.
    mutating func hear(
        _ bpm: Double, at seconds: Double, of person: PersonID = House.maria,
        contact: SensorContact = .detected
    ) -> [SOSAction] {
        handle(
            .reading(House.reading(bpm, at: seconds, of: person, contact: contact)), at: House.at(seconds))
    }

    /// Hands over a reading at its own instant.
    mutating func hear(_ reading: Reading) -> [SOSAction] {
        handle(.reading(reading), at: reading.arrival.boot)
    }

    /// Crossing at 10 s, confirmed at 12 s by the third reading; the window of 2.5 s ends at 14.5 s.
    mutating func alarmAtTwelve() -> AlarmID {
        _ = hear(150, at: 10)
        _ = hear(151, at: 11)
        let raised = hear(152, at: 12)
        return raised.notices[0].alarm
    }
}

extension [SOSAction] {
    var notices: [AlarmNotice] {
        compactMap { if case .annunciate(let notice) = $0 { notice } else { nil } }
    }
    var orders: [DispatchOrder] {
        compactMap { if case .dispatch(let order) = $0 { order } else { nil } }
    }
    var retractions: [Retraction] {
        compactMap { if case .retract(let retraction) = $0 { retraction } else { nil } }
    }
    var notes: [SOSEvent] {
        compactMap { if case .noteProgress(_, let event, _) = $0 { event } else { nil } }
    }
    /// The reasons that the house hears.
    var failures: [String] {
        compactMap { if case .noteFailure(_, _, let reason, _) = $0 { reason } else { nil } }
    }
    var endings: [AlarmEnding] {
        compactMap { if case .noteEnding(_, let ending, _) = $0 { ending } else { nil } }
    }
    var refusals: [Alarm.Refusal] {
        compactMap { if case .refuse(let refusal) = $0 { refusal } else { nil } }
    }
}
