import CAP
import Consent
import HelpLine
import ModelSamples
import RealTime

@testable import AmbulanceService
@testable import GatewayModel
@testable import SOSLocal

/// Orders and persons for the tests of the ambulance channel, at a fixed time.
enum AmbulanceSample {
    static let maria = PersonID(sample: "maria")
    static let id = MessageID("01957c2e-7a00-7abc-8def-0123456789ab")!
    static let alarm = AlarmID(id)
    static let caller = try! Caller(
        sender: "villa-rosa", addresses: ["118-milano", "Centrale Operativa"], needsAddresses: true)
    static let home = InstalledPlace(
        address: "Via Dante 7, 20121 Milano", coordinates: Coordinates(latitude: 45.4661, longitude: 9.186))
    static let profile = PersonProfile(
        id: maria, name: "Maria Rossi", birthYear: 1941, language: .english,
        contacts: [
            PersonProfile.Contact(name: "Anna Rossi", phone: "+393331234567", relation: "daughter"),
            PersonProfile.Contact(name: "Carlo Bianchi", phone: "+393337654321"),
        ],
        medicalNotes: ["Takes a blood thinner", "Allergic to penicillin"], home: home)
    static let fix = Fix(
        coordinates: Coordinates(latitude: 45.46421, longitude: 9.18998)!, altitude: 122, horizontalError: 8,
        arrival: moment(9))

    /// Second 0 is 2026-03-01 08:30:00 UTC.
    static func moment(_ seconds: Double) -> Moment {
        Moment(
            boot: at(seconds),
            wall: WallTime(millisecondsSince1970: 1_772_353_800_000 + Int64(seconds * 1_000)))
    }

    static func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    static func reading(_ value: Double, at seconds: Double, doubts: Doubts = []) -> Reading {
        Reading(
            id: id, person: maria, device: DeviceID(sample: "strap"), quantity: Quantity(.heartRate, value),
            contact: .detected, arrival: moment(seconds), doubts: doubts)
    }

    static var crossing: AlarmCause { crossing() }

    /// A call by values that their sensor doubts, and that nothing supports.
    static var possible: DispatchOrder {
        order(
            crossing(doubts: [.poorSignal, .jump]),
            trend: [reading(96, at: 0), reading(104, at: 5, doubts: .poorSignal)], certainty: .possible)
    }

    static func crossing(doubts: Doubts = []) -> AlarmCause {
        .crossing(
            Crossing(
                reading: reading(150, at: 10, doubts: doubts),
                rule: LimitRule(
                    kind: .heartRate, side: .high, limit: 131,
                    confirmation: Confirmation(readings: 3, within: .seconds(2)), hysteresis: 5)))
    }

    static func signal(_ kind: WearableSignal.Kind) -> AlarmCause {
        .signal(
            WearableSignal(
                id: id, person: maria, device: DeviceID(sample: "pendant"), kind: kind, arrival: moment(10)))
    }

    static var drill: AlarmCause {
        .drill(
            Drill(id: id, person: maria, act: PersonAct(by: "Anna", means: .commandLine), arrival: moment(10)))
    }

    static func order(
        _ cause: AlarmCause = crossing, _ stage: DispatchStage = .confirmed, round: Int = 1,
        priority: AlarmPriority = .high, ordered: Double = 14.5, firstOrdered: Double = 14.5,
        location: AlarmLocation = .fix(fix, of: .box, age: .zero),
        trend: [Reading] = [reading(96, at: 0), reading(104, at: 5)], certainty: AlarmCertainty = .observed
    ) -> DispatchOrder {
        DispatchOrder(
            alarm: cause.alarm, cause: cause, priority: priority, stage: stage, confirmation: at(12),
            firstOrdered: at(firstOrdered), ordered: at(ordered),
            newest: cause.reading.map { _ in reading(154, at: 14) }, trend: trend, location: location,
            channels: [ChannelID(sample: "ambulance")], round: round, certainty: certainty)
    }

    static func retraction(
        _ ending: AlarmEnding = .aborted(
            PersonAct(by: "Maria", means: .button), at: at(20), beforeDispatch: false),
        of cause: AlarmCause = crossing
    ) -> Retraction {
        Retraction(
            alarm: cause.alarm, cause: cause, priority: .high, ending: ending, firstOrdered: at(14.5),
            ordered: at(20), channels: [ChannelID(sample: "ambulance")])
    }

    /// A call that is first ordered now, after the start of the channel under test.
    static func freshCall(_ cause: AlarmCause = crossing, round: Int = 1) -> HelpMessage {
        let now = Clock.boot()
        let seconds = Double(at(0).duration(to: now).wholeNanoseconds) / 1e9
        return call(order(cause, round: round, ordered: seconds, firstOrdered: seconds))
    }

    static func call(_ order: DispatchOrder = order()) -> HelpMessage { .call(order, of: profile) }

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
