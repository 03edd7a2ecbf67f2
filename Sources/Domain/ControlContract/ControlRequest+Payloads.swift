package import Consent
package import GatewayModel
import RunBeacon
package import SOSLocal

extension ControlRequest {
    /// Name of the caller for the record, without control characters.
    package struct Caller: Hashable, Sendable {
        package let name: String
        /// Interface of the act, for the record.
        package let means: PersonAct.Means
        /// Paired device of the caller; nil for a caller without a session.
        package let session: String?
        /// Name that is compared with the deciders of the settings.
        package internal(set) var decider: String

        /// Means of a decision about data.
        package var consentMeans: ConsentMeans { means == .commandLine ? .commandLine : .console }

        package init(_ session: ControlSession) {
            (name, means) = (session.name, session.isScreen ? .screen : .page)
            self.session = session.id
            // The person decides by their own session, whatever its name is.
            decider = session.role == .person ? session.person?.text ?? session.name : session.name
        }

        /// - Parameter given: the name that the caller gave, if any.
        package init(_ given: String?) {
            let plain = (given ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
            let name = String(String.UnicodeScalarView(plain).prefix(200))
            self.name = name.isEmpty ? "someone in the house" : name
            (means, decider, session) = (.commandLine, self.name, nil)
        }
    }

    /// End of an alarm, by `abort`, `resolve` or `accept_alarm`.
    package struct AlarmEnd: Hashable, Sendable {
        /// Maximum number of characters of a reason.
        private static let reasonLength = 120

        /// The alarm, the person with the alarm, or nil of both for the only open alarm.
        package let alarm: AlarmID?
        package internal(set) var person: PersonID?
        /// Words on how the alarm was dealt with; nil where none were given.
        package let reason: String?
        package internal(set) var caller: Caller

        package init(
            alarm: String?, person: String?, reason: String? = nil, by caller: String?
        ) throws(ControlError) {
            self.alarm = try ControlRequest.alarmID(alarm)
            let reason = reason.map { Shown.text($0, most: Self.reasonLength) } ?? ""
            self.reason = reason.isEmpty ? nil : reason
            self.person = try ControlField.person.optionalID(person)
            self.caller = Caller(caller)
        }

        package var target: AlarmTarget {
            alarm.map { .alarm($0) } ?? person.map { .person($0) } ?? .theOpenOne
        }
    }

    /// Call for help by a person, for themselves or for the person of their session.
    package struct HelpCall: Hashable, Sendable {
        /// Nil where `alarm` names the person.
        package internal(set) var person: PersonID?
        /// Alarm that was cancelled, and for which help is called after all.
        package let alarm: AlarmID?
        package internal(set) var caller: Caller

        package init(person: String?, alarm: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.optionalID(person)
            self.alarm = try ControlRequest.alarmID(alarm)
            self.caller = Caller(caller)
        }
    }

    /// Page of the alarms of a person, the newest first.
    package struct Alarms: Hashable, Sendable {
        package let person: PersonID
        package let from: WallTime
        /// Not included.
        package let to: WallTime
        /// Last alarm of the page before; nil for the first page.
        package let after: AlarmID?

        package init(person: PersonID, from: WallTime, to: WallTime, after: AlarmID? = nil) {
            (self.person, self.from, self.to, self.after) = (person, from, to, after)
        }

        package init(person: String?, from: WallTime, to: WallTime, after: String?) throws(ControlError) {
            self.init(
                person: try ControlField.person.id(person), from: from, to: to,
                after: try ControlRequest.alarmID(after))
        }
    }

    fileprivate static func alarmID(_ text: String?) throws(ControlError) -> AlarmID? {
        guard let text else { return nil }
        guard let alarm = AlarmID(text) else {
            throw ControlError(
                "alarm: '\(Shown.text(text))' is no alarm id; it looks like 0190c3a2-…, see: homegateway status"
            )
        }
        return alarm
    }

    package struct Exercise: Hashable, Sendable {
        package let person: PersonID
        /// Minutes from now; nil ends the exercise.
        package let minutes: Int?
        package internal(set) var caller: Caller

        package init(person: String?, minutes: Int?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            (self.minutes, self.caller) = (minutes, Caller(caller))
        }
    }

    package struct Drill: Hashable, Sendable {
        package let person: PersonID
        package internal(set) var caller: Caller

        package init(person: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.caller = Caller(caller)
        }
    }

    /// Decision about a policy or about a request of a third party.
    package struct Decision: Hashable, Sendable {
        package enum Subject: Hashable, Sendable {
            case policy(ConsentSubject, of: PersonID)
            /// The request names its person itself; a person that is given has to be that one.
            case request(RequestID, of: PersonID?)
        }

        package internal(set) var subject: Subject
        package internal(set) var caller: Caller
        /// Digits of a decision at the room's screen. They are not kept.
        let pin: String?

        package init(
            subject: String?, person: String?, by caller: String?, pin: String? = nil
        ) throws(ControlError) {
            let known = ConsentSubject.allCases.map(\.rawValue).joined(separator: ", ")
            let field = ControlField(
                "subject", expected: "\(known) or the id of a request", remedy: "see: homegateway consent list")
            let text = try field.text(subject)
            if let policy = ConsentSubject(rawValue: text) {
                self.subject = .policy(policy, of: try ControlField.person.id(person))
            } else {
                let request: RequestID = try field.value(text) { RequestID($0) }
                self.subject = .request(request, of: try ControlField.person.optionalID(person))
            }
            self.caller = Caller(caller)
            self.pin = pin
        }
    }

    /// Decision about limits that a command wants to widen.
    package struct LimitDecision: Hashable, Sendable {
        package let person: PersonID
        package let kind: QuantityKind
        package internal(set) var caller: Caller
        /// As in `Decision`.
        let pin: String?

        package init(
            person: String?, kind: String?, by caller: String?, pin: String? = nil
        ) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.kind = try ControlField.kind.value(kind) { QuantityKind(rawValue: $0) }
            self.caller = Caller(caller)
            self.pin = pin
        }
    }

    /// Page of a person's stored readings of one kind, or of the person's positions.
    package struct History: Hashable, Sendable {
        package let person: PersonID
        package let kind: DataKind
        package let from: WallTime
        /// Not included.
        package let to: WallTime
        /// Nil for the resolution that fits the span.
        package let resolution: HistoryResolution?

        package init(
            person: PersonID, kind: DataKind, from: WallTime, to: WallTime, resolution: HistoryResolution?
        ) {
            (self.person, self.kind, self.from, self.to) = (person, kind, from, to)
            self.resolution = resolution
        }

        package init(
            person: String?, kind: String?, from: WallTime, to: WallTime, resolution: HistoryResolution?
        ) throws(ControlError) {
            self.init(
                person: try ControlField.person.id(person),
                kind: try ControlField.storedKind.value(kind) { DataKind(rawValue: $0) }, from: from, to: to,
                resolution: resolution)
        }
    }

    /// Page of all data about a person.
    package struct MyData: Hashable, Sendable {
        package let person: PersonID
        /// Number of the first entry.
        package let start: Int64

        package init(person: PersonID, from start: Int64) {
            (self.person, self.start) = (person, start)
        }
    }

    package struct Erasure: Hashable, Sendable {
        package let person: PersonID
        package internal(set) var caller: Caller

        package init(person: String?, by caller: String?) throws(ControlError) {
            self.person = try ControlField.person.id(person)
            self.caller = Caller(caller)
        }
    }

    /// Answer to "Who has measured?".
    package struct Measurer: Hashable, Sendable {
        package let measurement: MessageID
        /// Nil: nobody of the house.
        package let person: PersonID?
        package internal(set) var caller: Caller

        private static let measurement = ControlField(
            "subject", expected: "the id of a measurement that waits",
            remedy: "see unnamed_measurements of follow")

        package init(measurement: String?, person: String?, by caller: String?) throws(ControlError) {
            self.measurement = try Self.measurement.value(measurement) { MessageID($0) }
            self.person = try ControlField.person.optionalID(person)
            self.caller = Caller(caller)
        }
    }

    /// Confirmation that the battery of a broadcaster was changed.
    package struct BatteryChange: Hashable, Sendable {
        package let device: DeviceID
        package internal(set) var caller: Caller

        package init(of device: DeviceID, by caller: String?) {
            (self.device, self.caller) = (device, Caller(caller))
        }
    }

    package struct Runs: Hashable, Sendable {
        /// Nil for all runs.
        package let run: RunID?
        /// Whether the answer names the runners.
        package let listsRunners: Bool

        package init(run: RunID?, listsRunners: Bool = false) {
            (self.run, self.listsRunners) = (run, listsRunners)
        }
    }

    /// Vital signs of a runner, as far as a third party may see them.
    package struct Vitals: Hashable, Sendable {
        package let run: RunID
        package let bib: Bib
        package let party: PartyID

        package init(run: RunID, bib: Bib, for party: PartyID) {
            (self.run, self.bib, self.party) = (run, bib, party)
        }
    }

    /// Part of a `RaceDocument`.
    package struct Race: Hashable, Sendable {
        package let run: RunID
        /// Number of the first row.
        package let first: Int

        package init(_ run: RunID, from first: Int = 0) { (self.run, self.first) = (run, first) }
    }
}
