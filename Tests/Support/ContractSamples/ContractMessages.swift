import ModelSamples
import RunBeacon
import Samples
import Sealing

@testable import CloudCommands
@testable public import Consent
@testable public import Contract
@testable import GatewayModel
@testable import SOSLocal

/// Every form of message that the encoders can make.
public enum ContractMessages {
    public static var all: [Envelope] {
        boxes + samples + gaps + calls + ends + shortCalls + notices + receipts + shares + passings + positions
            + runnerNews + corrections + gathered
    }

    /// Readings in the form for several: all that may leave together, and one by itself.
    private static var gathered: [Envelope] {
        var groups: [[Envelope]] = []
        for reading in (samples + shares).filter(\.isGatherable) {
            if let index = groups.firstIndex(where: { $0[0].isGatherable(with: reading) }) {
                groups[index].append(reading)
            } else {
                groups += [[reading]]
            }
        }
        return groups.flatMap { [Array($0.prefix(1)), Array($0.prefix(128))].compactMap(Envelope.gathered) }
    }

    /// From the essentials to all that the short form has.
    private static var shortCalls: [Envelope] {
        (calls + ends).flatMap { call in
            stride(from: 130, through: 1_000, by: 40).compactMap { call.shortened(to: $0) }
        }
    }

    private static let (topics, now, id) = (Sample.topics, Sample.moment(60), Sample.id(9))
    private static let device = DeviceID(sample: "strap")

    private static var boxes: [Envelope] {
        let conditions =
            HealthCode.allCases.map { HealthCondition($0) }
            + HealthCode.allCases.map { HealthCondition($0, subject: "strap") }
        let known = Heartbeat.Wearable(device: device, person: Sample.maria, lastReadingAge: .seconds(2))
        let unknown = Heartbeat.Wearable(device: device, person: Sample.maria, lastReadingAge: nil)
        let power = [
            nil, Heartbeat.Power(hasMains: nil, batteryPercent: 0),
            Heartbeat.Power(hasMains: true, batteryPercent: nil),
        ]
        let states = [Envelope.Presence.online, .offline].map {
            Envelope.status(
                $0, version: "1.2.3", conditions: conditions, id: id, at: now.wall, topics: topics)
        }
        let beats = power.flatMap { power in
            [[], Array(conditions.prefix(1))].map { conditions in
                Envelope.heartbeat(
                    Heartbeat(
                        uptime: .zero, conditions: conditions, openAlarms: 0, unsent: 1,
                        wearables: [known, unknown], power: power), version: "1.2.3",
                    interval: .seconds(10), id: id, at: now.wall, topics: topics)
            }
        }
        return states + beats
    }

    public static var endings: [GrantEnding] {
        guard let party = ThirdParty(id: PartyID(sample: "uni"), name: "University"),
            let request = try? DataRequest(
                id: RequestID(sample: "r1"), party: party, person: Sample.maria, purpose: "A study",
                kinds: [.quantity(.heartRate), .quantity(.glucose), .location, .profile(.height)])
        else { return [] }
        let grant = Grant(request, to: party, epoch: LedgerSequence(4), since: Sample.moment(0).wall)
        let mark = LedgerMark(sequence: LedgerSequence(9), hash: String(repeating: "0a", count: 32))
        return [ConsentAct.withdrawn(request.id), .expired(request.id)].flatMap { act in
            ConsentMeans.allCases.flatMap { means in
                [[:], [DataKind.quantity(.heartRate): id, .location: id]].map { last in
                    GrantEnding(
                        grant: grant,
                        entry: ConsentEntry(
                            LedgerSequence(9),
                            ConsentDecision(act, for: Sample.maria, by: "Anna", means: means, at: now.wall)),
                        remains: GrantRemains(epoch: grant.epoch, purged: 3, lastSent: last, underway: [id]),
                        mark: mark)
                }
            }
        }
    }

    private static var notices: [Envelope] {
        let facts: [(HealthCode?, String?)] = [(.wearableAway, "strap"), (.mainsLost, nil), (nil, nil)]
        return PersonNotice.Phase.allCases.flatMap { phase in
            PersonNotice.Topic.allCases.flatMap { topic in
                facts.map { code, subject in
                    Envelope.notice(
                        PersonNotice(
                            id: id, person: Sample.maria, matter: "unwatched strap", topic: topic, phase: phase,
                            code: code, subject: subject, time: now.wall,
                            ends: phase == .ended ? Sample.id(8) : nil, text: Text(en: "So.", it: "Così.")),
                        topics: topics)
                }
            }
        }
    }

    private static var decisions: [ReceiptClaims] {
        guard let ending = endings.first else { return [] }
        let matters: [(Answer.Matter, [Answer.Verdict])] = [
            (.request(ending.grant.request, grant: ending.grant.epoch), [.accepted, .withdrawn, .expired]),
            (.request(ending.grant.request, grant: nil), [.refused, .expired]),
            (.policy(.dataPolicy), [.accepted, .withdrawn]), (.policy(.automatedSOS), [.accepted, .withdrawn]),
        ]
        let ofLedger = matters.flatMap { matter, verdicts in
            verdicts.map { verdict in
                ReceiptClaims.decided(
                    Answer(
                        person: Sample.maria, matter: matter, verdict: verdict, entry: LedgerSequence(7),
                        at: now.wall), ending.mark, at: now.wall, topics: topics)
            }
        }
        let subject = ReceiptClaims.Subject(issuer: "trackme", id: "c-1", sequence: 7)
        let ofLimits = LimitAnswer.Verdict.allCases.map { verdict in
            ReceiptClaims.decided(
                LimitAnswer(
                    person: Sample.maria, kind: .heartRate, verdict: verdict, at: now.wall, command: subject),
                id: id, at: now.wall, topics: topics)
        }
        return ofLedger + ofLimits
    }

    private static var receipts: [Envelope] {
        let subject = ReceiptClaims.Subject(issuer: "trackme", id: "c-1", sequence: 7)
        let refusals = CommandRefusal.Reason.allCases.map {
            ReceiptClaims.Outcome(.refused, reason: $0.rawValue, detail: "why")
        }
        let digest = CommandVerifier.digest(of: [])
        func answer(
            _ subject: ReceiptClaims.Subject?, _ outcome: ReceiptClaims.Outcome,
            _ first: ReceiptClaims.Outcome? = nil
        ) -> ReceiptClaims {
            .answer(to: subject, message: digest, outcome, first: first, id: id, at: now.wall, topics: topics)
        }
        let claims =
            refusals.flatMap {
                [answer(nil, $0), answer(subject, $0), answer(subject, .init(.alreadyDone), $0)]
            }
            + [answer(subject, .init(.done)), answer(subject, .init(.alreadyDone), .init(.done, detail: "so"))]
            + [
                answer(subject, .init(.waits, detail: "why")),
                answer(subject, .init(.alreadyDone), .init(.waits)),
            ]
            + endings.map { .ended($0, at: now.wall, topics: topics) } + decisions
        let identity = GatewayIdentity(makingOneFor: topics.gateway)
        return claims.compactMap { claims in
            (try? identity.sign(claims: claims.json)).map {
                Envelope.receipt(signed: $0, id: id, of: nil, topics: topics)
            }
        }
    }

    private static func reading(
        _ kind: QuantityKind, _ contact: SensorContact = .unknown, _ sampling: Reading.Sampling = .stream,
        time: DeviceTime? = nil
    ) -> Reading {
        Reading(
            id: id, person: Sample.maria, device: device, quantity: Quantity(kind, 36.6), contact: contact,
            currency: time == nil ? .live : .history, sampling: sampling, deviceTime: time, arrival: now)
    }

    private static var undated: Reading {
        Reading(
            id: id, person: Sample.maria, device: device, quantity: Quantity(.systolicPressure, 220),
            contact: .unknown, currency: .undated, sampling: .spot, arrival: now)
    }

    /// Reading that a program has handed over.
    private static var ofProgram: Reading {
        Reading(
            id: id, person: Sample.maria, device: DeviceID(sample: "scale-app"),
            quantity: Quantity(.bodyWeight, 68.2), contact: .unknown, currency: .live, sampling: .spot,
            deviceTime: DeviceTime(wall: Sample.moment(0).wall, offset: .zero), arrival: now, provenance: .app)
    }

    /// One of each doubt, and one of all.
    private static var doubted: [Reading] {
        ([Doubts(words: Doubts.everyWord)] + Doubts.everyWord.map { Doubts(words: [$0]) }).map { doubts in
            Reading(
                id: id, person: Sample.maria, device: device, quantity: Quantity(.systolicPressure, 226),
                contact: .unknown, sampling: .spot, arrival: now, doubts: doubts)
        }
    }

    private static var samples: [Envelope] {
        let times = [nil, Duration.milliseconds(-1_250)].map {
            DeviceTime(wall: Sample.moment(0).wall, offset: $0)
        }
        let readings =
            QuantityKind.allCases.flatMap { [reading($0), reading($0, .unknown, .spot)] }
            + [SensorContact.detected, .lost].map { reading(.heartRate, $0) }
            + times.map { reading(.glucose, time: $0) }
        return ReadingFormat.allCases.flatMap { format in
            (readings + [undated, ofProgram] + doubted).map { .sample($0, as: format, topics: topics) }
        }
    }

    private static var gaps: [Envelope] { gaps(for: .cloud) }

    private static var shares: [Envelope] {
        let party = SampleSeries.Recipient.party(ConsentSample.clinic, LedgerSequence(7))
        let parties = [ConsentSample.party(), ConsentSample.party(sealing: ConsentSample.key(9))]
        let copies = parties.flatMap { party in
            ReadingFormat.allCases.flatMap { format in
                (QuantityKind.allCases.map { reading($0) } + [undated, ofProgram, doubted[0]]).compactMap {
                    share($0, with: party, as: format)
                }
            }
        }
        let positions = parties.flatMap { party in
            LocationPrecision.allCases.flatMap { precision in
                [PositionSample.Source.wearable(device), .box].flatMap { source in
                    [nil, 4.24, 312].compactMap { error in share(source, error, precision, with: party) }
                }
            }
        }
        let items = parties.flatMap { party in
            [profile, PersonProfile(id: Sample.maria, name: "Maria", birthYear: nil, home: profile.home)]
                .flatMap { profile in
                    ProfileItem.allCases.compactMap { share($0, of: profile, with: party) }
                }
        }
        let limits = parties.compactMap { share([heartRateLimits, AlarmLimits(.glucose)], with: $0) }
        let locationGaps = SampleSeries(of: Sample.maria, data: .location, for: party).map {
            [gap(of: $0, .quota)]
        }
        return copies + gaps(for: party) + positions + items + limits + (locationGaps ?? [])
    }

    private static let profile = PersonProfile(
        id: Sample.maria, name: "Maria Rossi", birth: BirthDate("1941-05-02"), gender: .female, height: 162,
        phone: "+39021234567", fiscalCode: try? FiscalCode("RSSMRA41E42F205A"), nationalID: "AB 12345",
        contacts: [
            PersonProfile.Contact(name: "Anna", phone: "+393331234567", relation: "daughter"),
            PersonProfile.Contact(name: "Luca", phone: "+393331234568"),
        ], medicalNotes: ["Penicillin allergy"],
        home: InstalledPlace(address: "Via Dante 7", coordinates: nil))

    private static let heartRateLimits = {
        var limits = AlarmLimits(.heartRate)
        (limits.low, limits.high, limits.warningLow, limits.warningHigh) = (40, 131, 45.5, 121)
        return limits
    }()

    private static func share(_ limits: [AlarmLimits], with party: ThirdParty) -> Envelope? {
        let request = try? ConsentSample.request(by: party, data: [.limits])
        return request.flatMap { request in
            let fact = PersonFact(limits, of: Sample.maria, at: now.wall)
            return sealed(
                .share(Shared(fact, by: grant(request)), id: id, topics: topics), answering: request, for: party
            )
        }
    }

    private static func share(
        _ source: PositionSample.Source, _ error: Double?, _ precision: LocationPrecision,
        with party: ThirdParty
    ) -> Envelope? {
        let request = try? ConsentSample.request(by: party, data: [.location], precision: precision)
        let place = Coordinates(latitude: 45.46611234, longitude: 9.18602387)
        guard let request, let place else { return nil }
        let sample = PositionSample(
            id: id, person: Sample.maria, source: source, coordinates: place, horizontalError: error,
            arrival: now)
        return sealed(
            .share(Shared(sample, by: grant(request)), id: id, topics: topics), answering: request, for: party)
    }

    private static func share(
        _ item: ProfileItem, of profile: PersonProfile, with party: ThirdParty
    ) -> Envelope? {
        let request = try? ConsentSample.request(by: party, data: [.profile(item)])
        return request.flatMap { request in
            let fact = PersonFact(item, of: profile, at: now.wall)
            return sealed(
                .share(Shared(fact, by: grant(request)), id: id, topics: topics), answering: request, for: party
            )
        }
    }

    private static func grant(_ request: DataRequest) -> Grant {
        Grant(request, to: request.party, epoch: LedgerSequence(7), since: now.wall)
    }

    private static func sealed(
        _ envelope: Envelope, answering request: DataRequest, for party: ThirdParty
    ) -> Envelope? {
        guard let key = party.sealingKey else { return envelope }
        return envelope.sealed(to: key, answering: request.id, by: HPKESealer())
    }

    private static func share(
        _ reading: Reading, with party: ThirdParty, as format: ReadingFormat
    ) -> Envelope? {
        let request = try? ConsentSample.request(by: party, for: [reading.quantity.kind], as: format)
        return request.flatMap { request in
            sealed(
                .share(Shared(reading, by: grant(request)), id: id, topics: topics), answering: request,
                for: party)
        }
    }

    private static func gaps(for recipient: SampleSeries.Recipient) -> [Envelope] {
        QuantityKind.allCases.flatMap { kind in
            SampleGap.Reason.allCases.map { gap(of: SampleSeries(of: Sample.maria, kind, for: recipient), $0) }
        }
    }

    private static func gap(of series: SampleSeries, _ reason: SampleGap.Reason) -> Envelope {
        .gap(
            SampleGap(from: Sample.moment(0).wall, to: now.wall, dropped: 1, kept: 0, reason: reason),
            of: series, answering: series.recipient == .cloud ? nil : RequestID(sample: "r1"), id: id,
            at: now.wall, topics: topics)
    }

    private static var causes: [AlarmCause] {
        let limits = QuantityKind.allCases.flatMap { kind in
            [AlarmPriority.high, .medium].flatMap { priority in
                LimitRule.Side.allCases.map { side in
                    AlarmCause.crossing(
                        Crossing(
                            reading: reading(kind),
                            rule: LimitRule(
                                kind: kind, side: side, limit: 36.5,
                                confirmation: Confirmation(readings: 1, within: .seconds(1)), hysteresis: 1,
                                priority: priority)))
                }
            }
        }
        let signals = WearableSignal.Kind.allCases.map {
            AlarmCause.signal(
                WearableSignal(id: id, person: Sample.maria, device: device, kind: $0, arrival: now))
        }
        let doubtful = doubted.prefix(1).map {
            AlarmCause.crossing(
                Crossing(
                    reading: $0,
                    rule: LimitRule(
                        kind: $0.quantity.kind, side: .high, limit: 220,
                        confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)))
        }
        return limits + doubtful + signals + [
            .earlyWarning(EarlyWarning(points: 7, parameters: 3, limit: 5, reading: reading(.heartRate))),
            .silence(SensorSilence(last: Sample.reading(0), limit: .seconds(60))),
            .drill(
                Drill(
                    id: id, person: Sample.maria, act: PersonAct(by: "Anna", means: .commandLine), arrival: now)
            ),
            .drill(
                Drill(
                    id: id, person: Sample.maria, act: PersonAct(by: "Maria", means: .wearable), arrival: now,
                    button: DeviceID(sample: "pendant"))),
        ]
    }

    private static var locations: [AlarmLocation] {
        let point = Coordinates(latitude: 45.5, longitude: 9.25)
        let fixes = point.map { point in
            [nil, 121.5].map { Fix(coordinates: point, altitude: $0, horizontalError: $0, arrival: now) }
        }
        return (fixes ?? []).flatMap { fix -> [AlarmLocation] in
            [
                .fix(fix, of: .box, age: .zero), .lastKnown(fix, of: .box, age: .milliseconds(61_500)),
                .fix(fix, of: .wearable(DeviceID(sample: "watch")), age: .milliseconds(2_500)),
            ]
        }
            + [nil, point].map { .installed(InstalledPlace(address: "Via Dante 7", coordinates: $0)) }
    }

    private static func call(
        _ cause: AlarmCause, _ location: AlarmLocation, _ stage: DispatchStage = .confirmed, full: Bool = true
    ) -> Envelope {
        var order = DispatchOrder(
            alarm: cause.alarm, cause: cause, priority: full ? .high : .medium, stage: stage,
            confirmation: now.boot, firstOrdered: now.boot, ordered: now.boot,
            newest: full ? reading(.heartRate) : nil,
            trend: full ? QuantityKind.allCases.map { reading($0) } + doubted.prefix(1) : [],
            location: location, channels: [], round: full ? 1 : 2,
            certainty: cause.crossing?.reading.doubts.isEmpty == false ? .possible : .observed)
        order.callHandedOver = full ? nil : now.boot
        if !full {
            order.saidAllRight = Alarm.SaidAllRight(
                by: PersonAct(by: "Maria, on tag", means: .wearable), at: now.boot)
        }
        let contacts = [nil, "daughter"].map {
            PersonProfile.Contact(name: "Anna", phone: "+393331234567", relation: $0)
        }
        let profile = PersonProfile(
            id: Sample.maria, name: "Maria \"Mimí\"\n", birth: full ? BirthDate(year: 1_941) : nil,
            gender: full ? .female : nil, phone: full ? "+390212345678" : nil,
            contacts: full ? contacts : [], medicalNotes: full ? ["takes warfarin"] : [],
            home: InstalledPlace(address: "Via Dante 7", coordinates: nil))
        return .sos(order, of: profile, id: id, at: now.wall, topics: topics)
    }

    private static var calls: [Envelope] {
        causes.flatMap { cause in locations.map { call(cause, $0) } }
            + locations.map { call(causes[0], $0, .pending, full: false) }
    }

    private static var ends: [Envelope] {
        let endings = PersonAct.Means.allCases.flatMap { means -> [AlarmEnding] in
            let act = PersonAct(by: "Anna", means: means)
            return [
                .aborted(act, at: now.boot, beforeDispatch: false), .resolved(act, at: now.boot),
                .accepted(act, channel: ChannelID(sample: "mqtt"), at: now.boot),
            ]
        }
        return (endings + [.lapsed(at: now.boot)]).flatMap { ending in
            [nil, now.boot].map { handedOver in
                var retraction = Retraction(
                    alarm: causes[0].alarm, cause: causes[0], priority: .high, ending: ending,
                    firstOrdered: now.boot, ordered: now.boot, channels: [])
                retraction.callHandedOver = handedOver
                return .sos(retraction, id: id, at: now.wall, topics: topics)
            }
        }
    }

    private static var passings: [Envelope] {
        let sources = ClockSource.allCases.map { ClockState(source: $0, bound: .microseconds(350_001)) }
        return (sources + [ClockState(source: .freeRunning, bound: nil)]).flatMap { clock in
            Passing.Method.allCases.flatMap { method in
                [[], Set(Passing.Flag.allCases)].map { flags in
                    .passing(RaceSample.passing(clock: clock, method: method, flags: flags), topics: topics)
                }
            }
        }
    }

    private static var runnerNews: [Envelope] {
        let events: [RunnerNews.Event] = [
            .overdue(RaceSample.finish, order: 2, lastHeard: nil),
            .overdue(RaceSample.finish, order: 1, lastHeard: now.wall), .found(RaceSample.finish),
            .trackerLost(lastPosition: now.wall), .trackerBack, .left,
        ]
        return events.map { event in
            .runnerNews(
                RunnerNews(
                    of: Enrolment(run: RaceSample.run, bib: RaceSample.bib(117)), event, at: now.wall, number: 1
                ),
                start: Sample.moment(0).wall, topics: topics)
        }
    }

    private static var corrections: [Envelope] {
        let acts: [RaceCorrection.Act] =
            [.add(RaceSample.finish, order: 2, time: now.wall, bound: 1_500), .strike(id), .undo(1)]
            + RaceCorrection.Mark.allCases.map { .mark($0) }
        return acts.map { act in
            .correction(
                RaceCorrection(
                    number: 2, run: RaceSample.run, bib: RaceSample.bib(117), act: act, by: "Anna",
                    at: now.wall,
                    reason: "Maria Rossi fell"), topics: topics)
        }
    }

    private static var positions: [Envelope] {
        let next = RunnerPosition.Prediction(
            checkpoint: RaceSample.finish, time: Sample.moment(90).wall, bound: .milliseconds(12_001))
        let bare = RaceSample.position()
        let full = RaceSample.position(
            accuracy: 8.46, distance: 4_210.4, offset: 3.6, speed: 2.93, next: next,
            flags: Set(RunnerPosition.Flag.allCases))
        let precise = RaceSample.position(accuracy: 0.014)
        return [bare, full, precise, RaceSample.position(speed: 0.1), RaceSample.position(speed: -2)].map {
            .runPosition($0, of: RaceSample.bib(117), in: RaceSample.run, id: id, topics: topics)
        }
    }
}
