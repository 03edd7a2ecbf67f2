public import Accounts
public import CloudCommands
import ContractReading
public import GatewayModel
import Houses
import MQTTBridge
import Store

/// Reads messages of the broker into pieces of a batch. Pure but for the keys. A message that cannot be used becomes a
/// dead letter and never stops the rest.
public struct MessageReader: Sendable {
    /// A clock that is further ahead is wrong: the readings of its house would cover the newest values for as long.
    static let mostAhead = Duration.seconds(3_600)
    /// The time in an ID removes the reading one day, and need not be as near.
    static let mostIDAhead = Duration.seconds(86_400)
    /// Bytes of a message, as the contract bounds them.
    static let largest = 65_536

    /// Calls for help, of all houses.
    public static let callFilters = ["trackme/v1/+/sos/+"]
    /// The other topics that the server needs, of all houses.
    public static let filters = [
        "trackme/v1/+/samples/#", "trackme/v1/+/receipts", "trackme/v1/+/parties/#",
        "trackme/v1/+/notices/+", "trackme/v1/+/status", "trackme/v1/+/heartbeat",
        "trackme/v1/+/runs/+/+",
    ]

    private let sealer: IdentitySealer
    private let check: @Sendable (GatewayID) throws -> Knowledge

    /// Knowledge of a house.
    public enum Knowledge: Sendable {
        case registered(ReceiptCheck)
        case unknown
    }

    /// - Parameter sealer: of fiscal codes, which are kept as look-up values alone.
    public init(sealer: IdentitySealer, check: @escaping @Sendable (GatewayID) throws -> Knowledge) {
        (self.sealer, self.check) = (sealer, check)
    }

    /// - Throws: only if the key of a registered house is not read yet; the message has to come again.
    func items(of message: InboundMessage, at now: WallTime) throws -> [IntakeItem] {
        func unusable(_ reason: DeadLetter.Reason, _ detail: String) -> [IntakeItem] {
            // A copy is for its party alone: its bytes are not kept for the operator.
            let isCopy = message.topic.contains("/parties/")
            return [
                .unusable(
                    DeadLetter(
                        topic: message.topic, payload: isCopy ? [] : message.payload, reason: reason,
                        detail: detail, at: now))
            ]
        }
        guard message.payload.count <= Self.largest else {
            return unusable(.tooLarge, "\(message.payload.count) bytes, expected at most \(Self.largest)")
        }
        let topic: ContractTopic
        do throws(ContractFault) { topic = try ContractTopic(message.topic) } catch {
            return unusable(.unknownTopic, error.description)
        }
        // A house that nobody has registered yet calls for help all the same. The broker holds the topic to the house.
        if case .sos(let person) = topic.channel {
            do throws(ContractFault) {
                let emergency = try EmergencyMessage(message.payload, of: person)
                return [
                    .sos(
                        SOSReport(gateway: topic.gateway, message: emergency, payload: message.payload, at: now)
                    )
                ]
            } catch {
                return unusable(.unreadable, error.description)
            }
        }
        guard case .registered(let check) = try check(topic.gateway) else {
            switch topic.channel {
            // Each house of the broker sends them all day: they would push everything else out of the table.
            case .status, .heartbeat: return []
            default: break
            }
            return unusable(.unknownHouse, "register the house: trackme houses add")
        }
        func run(_ run: RunID, _ bib: Bib, _ kind: RunReport.Message) -> [IntakeItem] {
            [
                .run(
                    RunReport(
                        gateway: topic.gateway, run: run, bib: bib, message: kind, payload: message.payload))
            ]
        }
        do throws(ContractFault) {
            switch try ContractMessage(message.payload, on: topic) {
            case .samples(let records):
                return records.flatMap { record -> [IntakeItem] in
                    switch Self.sample(record, of: topic.gateway, at: now) {
                    case .success(let sample): [.sample(sample)]
                    case .failure(let refusal): unusable(refusal.reason, refusal.detail)
                    }
                }
            case .receipt(let bytes):
                return Self.items(try HouseReceipt(bytes, from: topic.gateway, by: check))
            case .observations(let records):
                return records.flatMap { record -> [IntakeItem] in
                    switch Self.items(record, of: topic.gateway, at: now) {
                    case .success(let items): items
                    case .failure(let refusal): unusable(refusal.reason, refusal.detail)
                    }
                }
            case .gap(let gap):
                guard let kind = QuantityKind(rawValue: gap.kind) else {
                    return unusable(.unknownKind, "update the server")
                }
                return [
                    .gap(
                        StoredGap(
                            subject: HousePerson(topic.gateway, gap.person), kind: kind, id: gap.id,
                            from: gap.from, to: gap.to, dropped: gap.dropped, kept: gap.kept,
                            reason: gap.reason))
                ]
            case .notice(let notice): return [.notice(StoredNotice(notice, from: topic.gateway))]
            case .status(let status): return [.house(topic.gateway, .status(HouseStatus(status)))]
            case .heartbeat(let beat): return [.house(topic.gateway, .heartbeat(HouseHeartbeat(beat)))]
            case .copy(let copy) where FactKind.allCases.contains { $0.party == copy.party.text }:
                let fact = try fact(copy, of: topic.gateway)
                guard fact.time <= now.advanced(by: Self.mostAhead) else {
                    return unusable(.future, "more than an hour ahead: set the clock of the house")
                }
                return [.fact(fact)]
            case .copy(let copy) where copy.party.text == LinkService.spectators:
                return try Self.vitals(copy, of: topic.gateway, at: now)
            case .copy(let copy):
                return [
                    .party(
                        .copy(
                            SharedCopy(
                                party: copy.party, subject: HousePerson(topic.gateway, copy.person),
                                kind: copy.kind, id: copy.id, grant: copy.grant.map(Int64.init),
                                request: copy.request, topic: message.topic, payload: message.payload,
                                received: now, measured: copy.measured)))
                ]
            case .passing(let passing):
                guard passing.time <= now.advanced(by: Self.mostAhead) else {
                    return unusable(.future, "more than an hour ahead: set the clock of the box")
                }
                return run(passing.run, passing.bib, .passing(passing))
            case .position(let position):
                guard position.measured <= now.advanced(by: Self.mostAhead) else {
                    return unusable(.future, "more than an hour ahead: set the clock of the box")
                }
                return run(position.run, position.bib, .position(position))
            case .runnerNews(let news): return run(news.run, news.bib, .news(news))
            case .correction(let correction):
                return run(correction.run, correction.bib, .correction(correction))
            // Read before the check of the house.
            case .emergency: return []
            }
        } catch {
            let isReceipt = if case .receipts = topic.channel { true } else { false }
            return unusable(isReceipt ? .badSignature : .unreadable, error.description)
        }
    }

    private struct Refusal: Error {
        let reason: DeadLetter.Reason
        let detail: String
    }

    private static func sample(
        _ record: SampleRecord, of gateway: GatewayID, at now: WallTime
    ) -> Result<StoredSample, Refusal> {
        guard let kind = record.quantity else {
            return .failure(Refusal(reason: .unknownKind, detail: "update the server"))
        }
        guard record.unit == kind.coding.unit else {
            return .failure(
                Refusal(reason: .unreadable, detail: "the unit of \(kind.rawValue) is not \(kind.coding.unit)"))
        }
        if let refusal = ahead(record.id, record.time, now) { return .failure(refusal) }
        var flags: StoredSample.Flags = []
        if record.isHistory { flags.insert(.history) }
        if record.isUndated { flags.insert(.undated) }
        if record.contact == .lost { flags.insert(.contactLost) }
        if record.isFromApp { flags.insert(.app) }
        flags.formUnion(StoredSample.Flags(record.doubts))
        return .success(
            StoredSample(
                subject: HousePerson(gateway, record.person), kind: kind, device: record.device, id: record.id,
                time: record.time, value: record.value, flags: flags,
                beatIntervals: beats(record.beatIntervals)))
    }

    /// Fact about a person that this server has asked for.
    private func fact(_ copy: PartyCopy, of gateway: GatewayID) throws(ContractFault) -> StoredFact {
        if copy.party.text == FactKind.limits.party {
            let shared = try SharedLimits(copy.payload, for: copy.party, of: copy.person)
            return StoredFact(
                subject: HousePerson(gateway, shared.person), value: .limits(shared.limits),
                request: copy.request, time: shared.time)
        }
        let shared = try SharedFiscalCode(copy.payload, for: copy.party, of: copy.person)
        return StoredFact(
            subject: HousePerson(gateway, shared.person),
            value: .fiscalCode(lookUp: shared.code.map(sealer.lookUp)), request: shared.request,
            time: shared.time)
    }

    /// Readings for the spectators of a run. What is missing is no matter: the next one shows.
    private static func vitals(
        _ copy: PartyCopy, of gateway: GatewayID, at now: WallTime
    ) throws(ContractFault) -> [IntakeItem] {
        guard !copy.isGap else { return [] }
        guard let grant = copy.grant else { throw .form("the member 'grant' is missing") }
        return try SampleRecord.read(copy.payload, of: copy.person, kind: nil).compactMap { record in
            guard let kind = record.quantity, record.unit == kind.coding.unit, record.contact != .lost,
                ahead(record.id, record.time, now) == nil
            else { return nil }
            return .vital(
                SharedVital(
                    subject: HousePerson(gateway, record.person), grant: Int64(grant), kind: kind,
                    value: record.value, time: record.time))
        }
    }

    /// The ID names a time as well, by which readings are removed.
    private static func ahead(_ id: MessageID, _ time: WallTime, _ now: WallTime) -> Refusal? {
        guard time > now.advanced(by: mostAhead) || id.wall > now.advanced(by: mostIDAhead) else { return nil }
        return Refusal(reason: .future, detail: "more than an hour ahead: set the clock of the house")
    }

    /// Those that 16 bits of tenths of a millisecond hold.
    private static func beats(_ intervals: [Double]) -> [Double] {
        intervals.filter { $0 > 0 && $0 <= 6_553.5 }
    }

    /// A reading for each value, else the resource as it came.
    private static func items(
        _ record: ObservationRecord, of gateway: GatewayID, at now: WallTime
    ) -> Result<[IntakeItem], Refusal> {
        if let refusal = ahead(record.id, record.time, now) { return .failure(refusal) }
        let subject = HousePerson(gateway, record.person)
        guard let device = record.device, !record.values.isEmpty else {
            return .success([
                .document(
                    StoredDocument(
                        subject: subject, id: record.id, time: record.time, resource: record.resource))
            ])
        }
        var flags: StoredSample.Flags = []
        if record.isHistory { flags.insert(.history) }
        if record.isFromApp { flags.insert(.app) }
        return .success(
            record.values.map { value in
                .sample(
                    StoredSample(
                        subject: subject, kind: value.kind, device: device, id: record.id, time: record.time,
                        value: value.value, flags: flags,
                        beatIntervals: value.kind == .heartRate ? beats(record.beatIntervals) : []))
            })
    }

    private static func items(_ receipt: HouseReceipt) -> [IntakeItem] {
        switch receipt.event {
        case .command(let answer):
            guard let command = answer.command else { return [] }
            return [
                .answer(
                    CommandAnswer(
                        gateway: receipt.gateway, command: command,
                        refusal: answer.result == .refused ? answer.reason ?? "refused" : nil,
                        at: receipt.issued))
            ]
        case .decided(let decision):
            guard let verdict = DecisionRecord.Verdict(rawValue: decision.verdict.rawValue),
                let entry = decision.entry
            else { return [] }
            let matter: DecisionRecord.Matter
            var grant: Int64?
            switch decision.subject {
            case .request(let party, let request, _, let number, _):
                guard LinkService.ownParties.contains(party.text) else {
                    let state: RequestState =
                        switch verdict {
                        case .accepted: .accepted
                        case .refused: .refused
                        case .withdrawn: .withdrawn
                        case .expired: .expired
                        }
                    return [
                        .party(
                            .answer(
                                party, request, by: HousePerson(receipt.gateway, decision.person),
                                .decided(state, entry: Int64(entry), grant: number.map(Int64.init)),
                                at: decision.at))
                    ]
                }
                matter = .request(request)
                grant = number.map(Int64.init)
            case .policy(let policy): matter = .policy(policy)
            case .limits: return []
            }
            return [
                .decision(
                    DecisionRecord(
                        subject: HousePerson(receipt.gateway, decision.person), matter: matter,
                        verdict: verdict, at: decision.at, entry: Int64(entry), grant: grant))
            ]
        case .grantEnded(let end):
            // The end of a link and of the sharing of a fact comes as its decision.
            guard !LinkService.ownParties.contains(end.party.text) else { return [] }
            return [
                .party(
                    .answer(
                        end.party, end.request, by: HousePerson(receipt.gateway, end.person),
                        .grantEnded(end.how == "expired" ? .expired : .withdrawn, grant: Int64(end.number)),
                        at: end.at))
            ]
        case .other: return []
        }
    }
}

extension StoredNotice {
    fileprivate init(_ notice: NoticeRecord, from gateway: GatewayID) {
        let phase: Phase =
            switch notice.phase {
            case .began: .began
            case .ended: .ended
            case .news: .news
            }
        self.init(
            subject: HousePerson(gateway, notice.person), id: notice.id, time: notice.time, phase: phase,
            matter: notice.matter, topic: notice.topic, text: notice.text)
    }
}

extension HouseStatus {
    fileprivate init(_ status: BoxStatus) {
        self.init(
            id: status.id, time: status.time, isOnline: status.isOnline, version: status.version,
            conditions: status.conditions.prefix(100).map {
                Condition(code: $0.code, severity: $0.severity, subject: $0.subject)
            })
    }
}

extension HouseHeartbeat {
    fileprivate init(_ beat: BoxHeartbeat) {
        let wearables = beat.wearables.prefix(200).map { wearable in
            (wearable.device, wearable.lastReadingAge.map { beat.time.advanced(by: .zero - $0) })
        }
        self.init(
            id: beat.id, time: beat.time, version: beat.version, interval: beat.interval,
            openAlarms: beat.openAlarms, unsent: beat.unsent, hasMains: beat.hasMains,
            batteryPercent: beat.batteryPercent,
            wearables: Dictionary(wearables) { first, _ in first })
    }
}
