import HelpLine
import ModelSamples

@testable import CareCentre
@testable import Consent
@testable import GatewayModel
@testable import SOSLocal

/// Calls and retractions that the suites of the care centre need.
enum SCAIPSample {
    static let person = PersonID(sample: "maria")
    static let controller = SCAIPController(id: "26317", callBack: "gsm:+390311234567")!
    static let home = InstalledPlace(
        address: "Via Dante 7, Como", coordinates: Coordinates(latitude: 45.80806, longitude: 9.085176))
    static let profile = PersonProfile(
        id: person, name: "Maria Rossi", birthYear: 1941, medicalNotes: ["takes warfarin"], home: home)

    static func id(_ number: Int) -> MessageID {
        let digits = String(number)
        return MessageID(
            "0190c3a2-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)!
    }

    static func moment(_ seconds: Double) -> Moment {
        Moment(
            boot: at(seconds),
            wall: WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(seconds * 1_000)))
    }

    static func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    static func reading(
        _ value: Double = 148, kind: QuantityKind = .heartRate, number: Int = 1, at seconds: Double = 0,
        doubts: Doubts = []
    ) -> Reading {
        Reading(
            id: id(number), person: person, device: DeviceID(sample: "chest-strap"),
            quantity: Quantity(kind, value), contact: .detected, arrival: moment(seconds), doubts: doubts)
    }

    static func crossing(
        _ side: LimitRule.Side = .high, kind: QuantityKind = .heartRate, number: Int = 1, doubts: Doubts = []
    ) -> AlarmCause {
        .crossing(
            Crossing(
                reading: reading(kind: kind, number: number, doubts: doubts),
                rule: LimitRule(
                    kind: kind, side: side, limit: 131, confirmation: Confirmation(readings: 1, within: .zero),
                    hysteresis: 5)))
    }

    static func signal(
        _ kind: WearableSignal.Kind, from device: DeviceID = DeviceID(sample: "pendant")
    ) -> AlarmCause {
        .signal(
            WearableSignal(id: id(7), person: person, device: device, kind: kind, arrival: moment(0)))
    }

    static var drill: AlarmCause {
        .drill(
            Drill(
                id: id(8), person: person, act: PersonAct(by: "Anna", means: .commandLine), arrival: moment(0)))
    }

    static var causes: [AlarmCause] {
        [
            crossing(.high), crossing(.low), crossing(.low, kind: .oxygenSaturation), drill,
            .earlyWarning(EarlyWarning(points: 9, parameters: 5, limit: 7, reading: reading())),
            .silence(SensorSilence(last: reading(), limit: .seconds(600))),
        ] + WearableSignal.Kind.allCases.map { signal($0) }
    }

    static func fix(_ latitude: Double, _ longitude: Double, altitude: Double? = 201.5) -> Fix {
        Fix(
            coordinates: Coordinates(latitude: latitude, longitude: longitude)!, altitude: altitude,
            horizontalError: 7.4, arrival: moment(0))
    }

    static func order(
        _ cause: AlarmCause = crossing(), stage: DispatchStage = .confirmed, round: Int = 1,
        priority: AlarmPriority = .high, newest: Reading? = nil, location: AlarmLocation = .installed(home),
        certainty: AlarmCertainty = .observed
    ) -> DispatchOrder {
        DispatchOrder(
            alarm: cause.alarm, cause: cause, priority: priority, stage: stage, confirmation: at(1),
            firstOrdered: at(3), ordered: at(3), newest: newest, trend: [], location: location,
            channels: [ChannelID(sample: "centre")], round: round, certainty: certainty)
    }

    static func retraction(_ cause: AlarmCause = crossing(), _ ending: AlarmEnding? = nil) -> Retraction {
        Retraction(
            alarm: cause.alarm, cause: cause, priority: .high,
            ending: ending
                ?? .aborted(PersonAct(by: "Maria", means: .console), at: at(4), beforeDispatch: false),
            firstOrdered: at(3), ordered: at(4), channels: [ChannelID(sample: "centre")])
    }

    static func call(_ order: DispatchOrder = order(), of profile: PersonProfile = profile) -> SCAIPRequest {
        SCAIPRequest(call: order, of: profile, from: controller)
    }

    static func cleared(_ message: HelpMessage) throws -> Cleared<HelpMessage> {
        let gate = ConsentGate(ledger: ConsentLedger(persons: [person]))
        for subject in ConsentSubject.allCases {
            _ = try gate.record(
                ConsentDecision(
                    person: person, subject: subject, verdict: .accepted, by: "test", means: .commandLine,
                    at: moment(0).wall))
        }
        return try gate.discloseInEmergency(message, message: message.alarm.message, at: moment(0).wall)
    }
}
