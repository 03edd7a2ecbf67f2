import Consent
import HelpLine
import ModelSamples
import RealTime

@testable import GatewayModel
@testable import SOSLocal
@testable import TextMessages

/// Orders and persons for the tests of texts, at a fixed time: second 0 is 2026-03-01 08:30:00 UTC.
enum TextSample {
    static let maria = PersonID(sample: "maria")
    static let id = MessageID("01957c2e-7a00-7abc-8def-0123456789ab")!
    static let alarm = AlarmID(id)
    static let anna = PhoneNumber("+393331234567")!
    static let carlo = PhoneNumber("+393337654321")!
    static let home = InstalledPlace(
        address: "Via Dante 7, 20121 Milano", coordinates: Coordinates(latitude: 45.4661, longitude: 9.186))
    static let rome = LocalZone.fixed(eastOfUTC: 3_600)

    static func profile(_ language: PersonProfile.Language = .english, name: String = "Maria Rossi")
        -> PersonProfile
    {
        PersonProfile(
            id: maria, name: name, birthYear: 1941, language: language, medicalNotes: ["takes warfarin"],
            home: home)
    }

    static func moment(_ seconds: Double) -> Moment {
        Moment(
            boot: at(seconds),
            wall: WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(seconds * 1_000)))
    }

    static func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    static func reading(_ value: Double, at seconds: Double) -> Reading {
        Reading(
            id: id, person: maria, device: DeviceID(sample: "strap"), quantity: Quantity(.heartRate, value),
            contact: .detected, arrival: moment(seconds))
    }

    static var crossing: AlarmCause {
        .crossing(
            Crossing(
                reading: reading(148, at: 10),
                rule: LimitRule(
                    kind: .heartRate, side: .high, limit: 131,
                    confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)))
    }

    static var fall: AlarmCause {
        .signal(
            WearableSignal(
                id: id, person: maria, device: DeviceID(sample: "pendant"), kind: .fall, arrival: moment(10)))
    }

    static var drill: AlarmCause {
        .drill(
            Drill(id: id, person: maria, act: PersonAct(by: "Anna", means: .commandLine), arrival: moment(10)))
    }

    static func fix(_ latitude: Double = 45.46421, _ longitude: Double = 9.18998) -> Fix {
        Fix(
            coordinates: Coordinates(latitude: latitude, longitude: longitude)!, altitude: nil,
            horizontalError: 8,
            arrival: moment(9))
    }

    static func order(
        _ cause: AlarmCause = crossing, _ stage: DispatchStage = .confirmed, round: Int = 1,
        priority: AlarmPriority = .high, location: AlarmLocation = .installed(home), firstOrdered: Double = 14,
        certainty: AlarmCertainty = .observed
    ) -> DispatchOrder {
        DispatchOrder(
            alarm: cause.alarm, cause: cause, priority: priority, stage: stage, confirmation: at(12),
            firstOrdered: at(firstOrdered), ordered: at(14), newest: reading(152, at: 14), trend: [],
            location: location, channels: [ChannelID(sample: "family")], round: round, certainty: certainty)
    }

    static func call(_ order: DispatchOrder = order()) -> HelpMessage { .call(order, of: profile()) }

    static func retraction(
        _ ending: AlarmEnding = .aborted(
            PersonAct(by: "Maria", means: .button), at: at(20), beforeDispatch: false),
        of cause: AlarmCause = crossing, firstOrdered: Double = 14
    ) -> HelpMessage {
        .retraction(
            Retraction(
                alarm: cause.alarm, cause: cause, priority: .high, ending: ending,
                firstOrdered: at(firstOrdered),
                ordered: at(80), channels: [ChannelID(sample: "family")]), of: profile())
    }

    /// The code in a text of a call.
    static func code(in text: String?) -> String? {
        text?.firstMatch(of: /Answer (\d{4}) if/).map { String($0.1) }
    }

    static func text(_ message: HelpMessage) -> String { TextWriter(zone: rome).text(message).text }

    /// As it leaves the house: with the consent of the person.
    static func cleared(_ message: HelpMessage) throws -> Cleared<HelpMessage> {
        let gate = ConsentGate(ledger: ConsentLedger(persons: [maria]))
        for subject in [ConsentSubject.dataPolicy, .automatedSOS] {
            _ = try gate.record(
                ConsentDecision(
                    person: maria, subject: subject, verdict: .accepted, by: "Maria", means: .commandLine,
                    at: moment(0).wall))
        }
        return try gate.discloseInEmergency(message, message: id, at: moment(0).wall)
    }
}
