package import Consent
package import GatewayModel
package import HelpState
package import SOSLocal

/// State of the gateway at one instant, for pages and other programs. Each capability adds its part.
///
/// The names of the fields are public, on the wire in snake case. Times are milliseconds since 1970, instants nanoseconds of
/// `CLOCK_BOOTTIME`. A field without a value is left out.
package struct HouseSnapshot: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "snapshot" }

    package struct Person: Codable, Hashable, Sendable {
        /// Whether the gateway sees how the person is.
        package struct Supervision: Codable, Hashable, Sendable {
            package let isPaused: Bool
            /// Codes of the conditions that pause it, the gravest first.
            package let reasons: [String]

            package init(reasons: [String]) {
                (isPaused, self.reasons) = (!reasons.isEmpty, reasons)
            }
        }

        /// Somebody to telephone when the house cannot call.
        package struct Contact: Codable, Hashable, Sendable {
            package let name, phone: String

            package init(_ contact: PersonProfile.Contact) { (name, phone) = (contact.name, contact.phone) }
        }

        package let id, name, language: String
        /// Policies that the person has accepted: `data-policy`, `automated-sos`.
        package let agreements: [String]
        /// Wearables and missing abilities, in words for an installer.
        package let coverage: [String]
        /// Whether the person has a PIN to decide with at the room's screen; nil for no.
        package var decidesOnScreen: Bool?
        package var supervision: Supervision?
        /// Time for which the limits of exercise hold, as somebody has said; nil at rest.
        package var exerciseLeftMs: Int64?
        /// Whether help can be called for the person; nil in a state of an earlier version.
        package var help: Readiness?
        /// Contacts that get news first; nil where the reader may not see them.
        package var contacts: [Contact]?

        package init(id: PersonID, name: String, language: String, agreements: [String], coverage: [String]) {
            (self.id, self.name, self.language) = (id.text, name, language)
            (self.agreements, self.coverage) = (agreements, coverage)
        }
    }

    /// Help channel with its last known state.
    package struct Channel: Codable, Hashable, Sendable {
        package let id: String
        /// Nil while it works, or before its first result.
        package let fault: String?
        package let lastWorked: Int64?
        /// Time at which a text of the channel last arrived for sure; nil for another kind of channel, or before.
        package var lastTextArrived: Int64?

        package init(id: ChannelID, fault: String?, lastWorked: WallTime?) {
            (self.id, self.fault) = (id.text, fault)
            self.lastWorked = lastWorked?.millisecondsSince1970
        }
    }

    package struct Device: Codable, Hashable, Sendable {
        package let id, person, address: String
        /// `connection` or `advertising`.
        package let heardBy: String
        /// Kinds of reading that it has shown; nil for a device that was not connected until now.
        package let kinds: [String]?
        /// Time since its last reading; nil where none came since the start.
        package let lastReadingAgeMs: Int64?
        /// Time since its last message of any kind; nil where none came since the start.
        package var lastHeardAgeMs: Int64?
        /// Percent; nil before it was heard.
        package var battery: Int?
        /// Notifications since the start that nobody judged; nil where none of any kind came.
        package var ignored: Int?
        /// Use of each kind; nil for a device that was not connected until now.
        package var uses: [KindUse]?
        /// It was added by command or by a page; false for one of the settings file, which only people write.
        package var isAddedHere: Bool?

        package init(
            id: DeviceID, person: PersonID, address: DeviceAddress, heardBy: String, kinds: [QuantityKind]?,
            lastReadingAge: Duration?
        ) {
            (self.id, self.person, self.address) = (id.text, person.text, address.description)
            (self.heardBy, self.kinds) = (heardBy, kinds?.map(\.rawValue))
            lastReadingAgeMs = lastReadingAge?.wholeMilliseconds
        }
    }

    /// The newest reading of a kind that describes the person now.
    package struct LatestReading: Codable, Hashable, Sendable {
        package let person, device, kind, unit: String
        package let value: Double
        package let arrival: Int64
        package let ageMs: Int64

        package init(_ reading: Reading, at now: BootInstant) {
            (person, device) = (reading.person.text, reading.device.text)
            (kind, unit) = (reading.quantity.kind.rawValue, reading.quantity.kind.coding.unit)
            value = reading.quantity.value
            arrival = reading.arrival.wall.millisecondsSince1970
            ageMs = (reading.arrival.boot.duration(to: now) + reading.namedAfter).wholeMilliseconds
        }
    }

    /// Measurement of a shared cuff or scale without a known person. It has no values: they may be of anybody.
    package struct UnnamedMeasurement: Codable, Hashable, Sendable {
        /// To be given with the answer.
        package let id: String
        package let device, kind: String
        package let ageMs: Int64

        /// - Parameter reading: the first of the measurement.
        package init(_ reading: Reading, at now: BootInstant) {
            (id, device) = (reading.id.description, reading.device.text)
            kind = reading.quantity.kind.rawValue
            ageMs = reading.arrival.boot.duration(to: now).wholeMilliseconds
        }
    }

    /// Request of a third party for data.
    package struct Request: FieldDocument, Hashable {
        package static var field: ControlFields.Name { "request" }

        package let id, person, party, partyName, purpose: String
        package let kinds: [String]
        /// `looks` or `acts`; nil where no account asks to be linked.
        package let role: String?
        /// `coarse` or `exact`; nil where the location is not asked for.
        package let precision: String?
        /// `pending`, `granted`, `refused`, `withdrawn` or `expired`.
        package let state: String
        package let asked: Int64
        package let from, until: Int64?
        /// Name of the person who decided last, and the time; nil before.
        package let decidedBy: String?
        package let decided: Int64?

        package init(_ record: RequestRecord) {
            let request = record.request
            (id, person) = (request.id.text, request.person.text)
            (party, partyName, purpose) = (record.party.id.text, record.party.name, request.purpose)
            kinds = request.kinds.map(\.rawValue).sorted()
            role = request.linksAccount ? request.role.rawValue : nil
            precision = request.kinds.contains(.location) ? request.precision.rawValue : nil
            asked = record.asked.millisecondsSince1970
            (from, until) = (request.from?.millisecondsSince1970, request.until?.millisecondsSince1970)
            let decision = record.latest.decision
            state =
                switch record.state {
                case .pending: "pending"
                case .granted: "granted"
                case .refused: "refused"
                case .withdrawn: "withdrawn"
                case .expired: "expired"
                }
            let isPending = record.state == .pending
            (decidedBy, decided) = (
                isPending ? nil : decision.by, isPending ? nil : decision.at.millisecondsSince1970
            )
        }
    }

    package struct Condition: Codable, Hashable, Sendable {
        package let code: String
        /// Wearable, channel or file that it is about; nil for the box.
        package let subject: String?
        package let severity, title, remedy: String
        package let reason: String?
        package let since: Int64?

        package init(_ condition: HealthCondition, reason: String?, since: WallTime?) {
            self.since = since?.millisecondsSince1970
            let declaration = condition.code.declaration
            (code, subject) = (condition.code.rawValue, condition.subject)
            (severity, title) = (declaration.severity.rawValue, declaration.title.en)
            (remedy, self.reason) = (declaration.remedy, reason)
        }
    }

    /// Alarm that is open, or ended a short time ago.
    package struct Alarm: Codable, Hashable, Sendable {
        /// End of the alarm, by a person; a drill may lapse.
        package struct Ending: Codable, Hashable, Sendable {
            /// `aborted`, `accepted`, `resolved` or `lapsed`.
            package let how: String
            package let by: String
            /// A `PersonAct.Means`.
            package let means: String
            /// Channel of an acceptance.
            package let channel: String?
            package let ageMs: Int64
            /// Nobody outside had been told before the end.
            package let isBeforeCall: Bool

            package init(_ ending: AlarmEnding, isBeforeCall: Bool, at now: BootInstant) {
                (how, by, means) = (ending.word, ending.act.by, ending.act.means.rawValue)
                ageMs = max(ending.instant.duration(to: now), .zero).wholeMilliseconds
                self.isBeforeCall = isBeforeCall
                if case .accepted(_, let channel, _) = ending {
                    self.channel = channel.text
                } else {
                    channel = nil
                }
            }
        }

        /// Channel that was told, with the outcome.
        package struct Told: Codable, Hashable, Sendable {
            package let channel: String
            /// Time from the crossing to the acknowledgement of a machine outside; nil until then.
            package let handedOverAfterMs: Int64?
            /// Last failure, in the channel's words.
            package let failure: String?
        }

        package let id, person, rule, priority: String
        package let isDrill: Bool
        /// Worn device that raised it; nil for a drill.
        package let device: String?
        /// Value and limit of a crossing, in `unit`.
        package let value, limit: Double?
        package let unit: String?
        /// `asks` or `measures-again` where the values are doubtful and nothing supports them: the room is asked. Nil
        /// otherwise.
        package let doubt: String?
        package let crossed: Int64
        package let crossedBootNs: Int64
        /// End of the window to cancel; nil when it is over.
        package let windowEndBootNs: Int64?
        package let windowLeftMs: Int64?
        /// Help knows that it may be needed, while the window runs.
        package let isNoticeGiven: Bool
        /// `not-yet`, `trying`, `handed-over`, or `none` where nobody outside is told of an alarm like this.
        package let call: String
        package let told: [Told]
        /// Time since the person said by a button that they are all right, after the call had arrived; nil where they
        /// have not.
        package let saidAllRightAgeMs: Int64?
        /// Means by which it may be ended: the raw values of `PersonAct.Means`.
        package let mayEnd: [String]
        /// Nil while it is open.
        package let ending: Ending?
        /// State of the help; nil in a state of an earlier version.
        package let help: Help?

        package init(
            _ alarm: SOSLocal.Alarm, mayEnd: Set<PersonAct.Means>, help: HelpState?, at now: BootInstant
        ) {
            self.help = help.map { Help($0, of: alarm) }
            self.mayEnd = mayEnd.map(\.rawValue).sorted()
            ending = alarm.ending.map {
                Ending($0, isBeforeCall: alarm.channelsTold.isEmpty, at: now)
            }
            (id, person, rule) = (alarm.id.description, alarm.cause.person.text, alarm.cause.name)
            (priority, isDrill) = (alarm.priority.rawValue, alarm.cause.isDrill)
            device = alarm.cause.device?.text
            let crossing = alarm.cause.crossing
            (value, limit) = (crossing?.reading.quantity.value, crossing?.rule.limit)
            unit = crossing?.rule.kind.coding.unit
            let isSpot = crossing?.reading.sampling == .spot
            doubt = alarm.isDoubted ? isSpot ? "measures-again" : "asks" : nil
            crossed = alarm.cause.arrival.wall.millisecondsSince1970
            crossedBootNs = alarm.cause.instant.nanoseconds
            windowEndBootNs = alarm.windowEnd?.nanoseconds
            windowLeftMs = alarm.windowEnd.map { max(now.duration(to: $0), .zero).wholeMilliseconds }
            isNoticeGiven = alarm.isNoticeGiven
            call =
                switch alarm.call {
                case .notYet: "not-yet"
                case .trying: "trying"
                case .handedOver: "handed-over"
                case .none: "none"
                }
            saidAllRightAgeMs = alarm.saidAllRight.map {
                max($0.at.duration(to: now), .zero).wholeMilliseconds
            }
            let timeline = alarm.timeline
            told = alarm.channelsTold.map { channel in
                Told(
                    channel: channel.text,
                    handedOverAfterMs: timeline.handedOver[channel].map {
                        timeline.sinceCrossing($0).wholeMilliseconds
                    },
                    failure: timeline.failed[channel]?.reason)
            }
        }
    }

    /// Result of a check, for the list of an installer.
    package struct CheckSummary: Codable, Hashable, Sendable {
        /// Nil while it runs.
        package let finished: Int64?
        package let problems: Int

        package init(_ report: CheckReport) { (finished, problems) = (report.finished, report.problems) }
    }

    package struct Run: Codable, Hashable, Sendable {
        package let id, title: String
        package let start, end: Int64
        package let runners: Int

        package init(id: String, title: String, start: WallTime, end: WallTime, runners: Int) {
            (self.id, self.title, self.runners) = (id, title, runners)
            (self.start, self.end) = (start.millisecondsSince1970, end.millisecondsSince1970)
        }
    }

    /// Limits in force for one kind of reading of a person at rest, in its unit; a missing one is not judged.
    package struct Limits: Codable, Hashable, Sendable {
        package let person, kind, unit: String
        /// Limits of an emergency.
        package let low, high: Double?
        package let warningLow, warningHigh: Double?

        package init(_ limits: AlarmLimits, for person: PersonID) {
            (self.person, kind, unit) = (person.text, limits.kind.rawValue, limits.kind.coding.unit)
            (low, high) = (limits.low, limits.high)
            (warningLow, warningHigh) = (limits.warningLow, limits.warningHigh)
        }
    }

    /// Usual values of a person: 10th to 90th percentile of the hours of the last 14 days that have readings.
    package struct UsualBand: Codable, Hashable, Sendable {
        /// Fewer hours with readings say nothing of the usual: two days.
        package static let leastHours = 48

        package let person, kind, unit: String
        package let low, high: Double

        /// Nil where too few hours are known.
        /// - Parameter hours: mean of each hour, in any order.
        package init?(ofHours hours: [Double], of kind: QuantityKind, for person: PersonID) {
            guard hours.count >= Self.leastHours else { return nil }
            let sorted = hours.sorted()
            (self.person, self.kind, unit) = (person.text, kind.rawValue, kind.coding.unit)
            low = sorted[sorted.count / 10]
            high = sorted[sorted.count - 1 - sorted.count / 10]
        }
    }

    /// Question of an issuer of commands that asks to make an alarm less likely.
    package struct LimitQuestion: DocumentRow, Hashable {
        package static var field: ControlFields.Name { "limitQuestions" }

        package struct Move: Codable, Hashable, Sendable {
            /// A `LimitSlot`.
            package let slot: String
            package let from, to: Double

            package init(_ slot: LimitSlot, from: Double, to: Double) {
                (self.slot, self.from, self.to) = (slot.rawValue, from, to)
            }
        }

        package let id, person, kind, unit, issuer: String
        package let moves: [Move]

        package init(id: String, person: PersonID, kind: QuantityKind, issuer: String, moves: [Move]) {
            (self.id, self.person, self.kind) = (id, person.text, kind.rawValue)
            (unit, self.issuer, self.moves) = (kind.coding.unit, issuer, moves)
        }
    }

    /// Code of a person for one question of an account of TrackMe to be linked.
    package struct LinkCode: Codable, Hashable, Sendable {
        /// `open`, `used`, `void` after wrong tries, or `expired`.
        package enum State: String, Codable, Hashable, Sendable { case open, used, void, expired }

        package let person: String
        /// The digits, as a person reads them; nil when it works no more.
        package let code: String?
        package let state: State
        /// End of its validity.
        package let expires: Int64

        package init(
            person: PersonID, _ code: OneTimeCode, _ standing: OneTimeCodes<WallTime>.Standing,
            expires: WallTime
        ) {
            self.person = person.text
            self.code = standing == .open ? code.grouped : nil
            self.expires = expires.millisecondsSince1970
            state =
                switch standing {
                case .open: .open
                case .used: .used
                case .void: .void
                case .expired: .expired
                }
        }
    }

    /// Settings of the house that pages follow.
    package struct House: Codable, Hashable, Sendable {
        /// Language of sentences about nobody in particular: `en`, `it`.
        package let language: String
        /// Local times, `HH:MM`, in which less urgent things may be said; over midnight where the end is earlier.
        package let wakingBegin, wakingEnd: String

        package init(language: String, wakingBegin: DayTime, wakingEnd: DayTime) {
            self.language = language
            (self.wakingBegin, self.wakingEnd) = (wakingBegin.description, wakingEnd.description)
        }
    }

    package let version, gateway: String
    package let time: Int64
    package let bootNs: Int64
    /// One line on the state, which names no person.
    package let summary: String
    /// Messages that wait for the broker.
    package let unsent: Int
    package internal(set) var alarms: [Alarm]
    /// Alarms that ended in the last ten minutes, the newest first. After a restart, those that somebody has
    /// accepted and nobody has ended.
    package internal(set) var recentAlarms: [Alarm]
    /// The gravest first.
    package internal(set) var conditions: [Condition]
    package var house: House?
    package var persons: [Person] = []
    package var channels: [Channel] = []
    package var devices: [Device] = []
    package var buttons: [SOSButtonRow] = []
    package var readings: [LatestReading] = []
    /// Measurements that wait for the name of their person; nil for none.
    package var unnamedMeasurements: [UnnamedMeasurement]?
    package var limits: [Limits] = []
    package var usual: [UsualBand] = []
    package var requests: [Request] = []
    package var limitQuestions: [LimitQuestion] = []
    /// Codes of the last 20 minutes for accounts of TrackMe; nil where no issuer may ask the house, or the reader may see
    /// none.
    package var linkCodes: [LinkCode]?
    package var runs: [Run] = []
    /// The last check of the gateway since its start, without its findings.
    package var check: CheckSummary?
    /// The last walks since the start, one a wearable.
    package var walks: [WalkDocument]?
    /// Cancelled alarms of this month and the two before it; nil for none.
    package var cancelledAlarms: [CancelledAlarms]?

    package init(
        version: String, gateway: GatewayID, at now: Moment, summary: String, unsent: Int,
        alarms: [SOSLocal.Alarm], recentAlarms: [SOSLocal.Alarm] = [], conditions: [Condition],
        mayEnd: (PersonID) -> Set<PersonAct.Means> = { _ in SOSPlan.everyMeans },
        help: (SOSLocal.Alarm) -> HelpState? = { _ in nil }
    ) {
        (self.version, self.gateway, self.summary, self.unsent) = (version, gateway.text, summary, unsent)
        (time, bootNs) = (now.wall.millisecondsSince1970, now.boot.nanoseconds)
        func shown(_ alarm: SOSLocal.Alarm) -> Alarm {
            Alarm(alarm, mayEnd: mayEnd(alarm.cause.person), help: help(alarm), at: now.boot)
        }
        (self.alarms, self.recentAlarms) = (alarms.map(shown), recentAlarms.map(shown))
        self.conditions = conditions
    }

    /// Says of each person whether supervision is paused: by a condition of a wearable of theirs, or of the box. A
    /// person without a wearable is not watched over. Without a way to call help the person is still watched over.
    package mutating func describeSupervision() {
        for index in persons.indices {
            let worn = Set(devices.filter { $0.person == persons[index].id }.map(\.id))
            let known = Set(devices.map(\.id))
            let reasons = conditions.filter { condition in
                guard condition.severity == HealthCode.Severity.supervision.rawValue, !condition.isOfHelp
                else { return false }
                guard let subject = condition.subject, known.contains(subject) else { return true }
                return worn.contains(subject)
            }.map(\.code)
            persons[index].supervision = Person.Supervision(
                reasons: worn.isEmpty ? ["no-wearable"] + reasons : reasons)
        }
    }
}

extension HouseSnapshot.Condition {
    /// It says that nobody can be called for its subject, a person.
    fileprivate var isOfHelp: Bool {
        [HealthCode.helpUnreachable.rawValue, HealthCode.nobodyToCall.rawValue].contains(code)
    }
}
