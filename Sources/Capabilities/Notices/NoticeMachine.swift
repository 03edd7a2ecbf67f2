import GatewayModel
import Hub
import Vault

/// Decides which news leave the house, with their recipients and times: each matter once at its beginning and once at its end.
///
/// A matter that is not urgent waits for the waking hours. While an alarm is open no notice leaves, so that none is in the
/// way of a call for help. What was told survives a restart. Pure: events and instants in, deliveries and rows out.
struct NoticeMachine: Sendable {
    /// Least time between two beginnings of one matter. It doubles with each, up to `longestPause`.
    static let shortestPause = Duration.seconds(3_600)
    static let longestPause = Duration.seconds(8 * 3_600)
    /// A matter that was quiet for so long begins anew.
    static let memory = Duration.seconds(24 * 3_600)
    /// News without an end that nobody could be told for so long are given up.
    static let newsLimit = Duration.seconds(24 * 3_600)
    /// A channel that has not reported the outcome of an attempt by then has lost it: no attempt takes longer than 120 s.
    static let outcomeLimit = Duration.seconds(180)
    /// Matters that are kept at most; a house with ten persons has some dozens.
    static let entryLimit = 512
    /// A text costs money and a failing service is of no use to anybody: no faster than this.
    static let backoff = Backoff(first: .seconds(15), limit: .seconds(900))

    /// Facts about the house at one instant.
    struct Situation: Sendable {
        var now: Moment
        var isAwake: Bool
        var isAlarmOpen: Bool
        /// `NoticeRule.Patience.usual`; also the time for which a matter is over before that is told.
        var patience: Duration
        var findings: [NoticeFinding]
        /// By person.
        var persons: [PersonID: Person]

        /// Consent and recipients of one person.
        struct Person: Sendable {
            let name: String
            /// AutomatedSOS is accepted.
            let mayTell: Bool
            /// The data policy is accepted.
            let mayAsk: Bool
            let carers: [NoticeTarget]
            let deciders: [NoticeTarget]
        }
    }

    /// One attempt to be made.
    struct Delivery: Hashable, Sendable {
        let notice: PersonNotice
        let target: NoticeTarget
        /// Attempts of this notice to this recipient that failed.
        let failures: Int
    }

    struct Outcome: Sendable {
        var deliveries: [Delivery] = []
        /// Changes of `state.sqlite`.
        var rows: [StateChange] = []
        /// Matters that were told now, for the log, which names no person.
        var begun: [Begun] = []

        struct Begun: Hashable, Sendable {
            let matter: String
            let phase: PersonNotice.Phase
        }
    }

    private struct Attempt: Sendable {
        let id: String
        var backoff = NoticeMachine.backoff
        var underWay: BootInstant?
        var notBefore: BootInstant?
    }

    private struct Entry: Sendable {
        var record: NoticeRecord
        var attempts: [String: Attempt] = [:]
        /// Since when an open matter holds no more.
        var overSince: BootInstant?
    }

    private let gateway: GatewayID
    private var entries: [String: Entry] = [:]
    /// Since when each matter holds that is not told, by its key.
    private var since: [String: BootInstant] = [:]
    private var jitter: Jitter

    /// - Parameter records: rows of the last run.
    init(of gateway: GatewayID, resuming records: [NoticeRecord], seed: UInt64) {
        self.gateway = gateway
        jitter = Jitter(seed: seed)
        for record in records.prefix(Self.entryLimit) where record.notice != nil {
            entries[record.key] = Entry(record: record)
        }
    }

    /// Number of notices that somebody does not have yet.
    var waiting: Int { entries.values.count { !$0.record.owed.isEmpty } }

    /// Rows about a person, the oldest first.
    func records(of person: PersonID) -> [NoticeRecord] {
        entries.values.map(\.record).filter { $0.person == person.text }.sorted { $0.time < $1.time }
    }

    /// Forgets the matters of a person but those that go on, which would be told again.
    mutating func erase(_ person: PersonID) -> (rows: [StateChange], spared: Int) {
        let own = entries.filter { $0.value.record.person == person.text }
        let ended = own.filter { !$0.value.record.isOpen }.keys
        for key in ended { entries[key] = nil }
        return (ended.map { .remove(.notice, key: $0) }, own.count - ended.count)
    }

    // MARK: Events

    /// Takes news of another part.
    mutating func post(_ notice: Notice, in situation: Situation) -> Outcome {
        var outcome = Outcome()
        guard let person = situation.persons[notice.person] else { return outcome }
        let isForDeciders = notice.audience == .deciders
        guard isForDeciders ? person.mayAsk : person.mayTell else { return outcome }
        let targets = isForDeciders ? person.deciders : person.carers
        guard !targets.isEmpty else { return outcome }
        let news = PersonNotice(
            id: id(notice.person, notice.matter, .news, at: situation.now.wall), person: notice.person,
            matter: notice.matter, topic: .other, phase: .news, time: situation.now.wall,
            text: notice.text, isForDeciders: isForDeciders)
        let record = NoticeRecord(news, isUrgent: notice.urgency == .atOnce, to: targets)
        // A matter of the supervision has its own beginning and end.
        guard entries[record.key].map(\.record.isNews) ?? (entries.count < Self.entryLimit) else {
            return outcome
        }
        replace(record, &outcome)
        return outcome
    }

    /// Records the outcome of an attempt.
    ///
    /// - Returns: whether a failure is the first of its notice and recipient.
    mutating func ended(
        _ id: MessageID, _ target: NoticeTarget, isHandedOver: Bool, at now: BootInstant
    ) -> (rows: [StateChange], isNews: Bool) {
        let (id, target) = (id.description, target.text)
        guard let key = entries.first(where: { $0.value.attempts[target]?.id == id })?.key,
            var entry = entries[key], var attempt = entry.attempts[target], attempt.underWay != nil
        else { return ([], false) }
        // The matter has come further meanwhile.
        guard entry.record.id == id else {
            entries[key]?.attempts[target] = nil
            return ([], false)
        }
        guard isHandedOver else {
            attempt.underWay = nil
            attempt.notBefore = now.advanced(by: attempt.backoff.next(using: &jitter))
            entries[key]?.attempts[target] = attempt
            return ([], attempt.backoff.failures == 1)
        }
        entry.attempts[target] = nil
        entry.record.owed.removeAll { $0 == target }
        // The texts name the person, and nobody needs them any more.
        if entry.record.owed.isEmpty { entry.record.text = Text(en: "", it: "") }
        guard entry.record.isNews, entry.record.owed.isEmpty else {
            entries[key] = entry
            return ([entry.record.change], false)
        }
        entries[key] = nil
        return ([.remove(.notice, key: key)], false)
    }

    /// Judges all matters; call about once a second.
    mutating func tick(_ situation: Situation) -> Outcome {
        var outcome = Outcome()
        removeWithdrawn(situation, &outcome)
        let holding = Dictionary(
            situation.findings.map { (NoticeRecord.key($0.person.text, $0.matter, false), $0) }
        ) { first, _ in first }
        since = since.filter { holding[$0.key] != nil }
        // In the order of the listing, which is stable.
        for finding in situation.findings { begin(finding, situation, &outcome) }
        for key in entries.keys.sorted() { end(key, isHolding: holding[key] != nil, situation, &outcome) }
        deliver(situation, &outcome)
        return outcome
    }
}

// MARK: Beginning and end

extension NoticeMachine {
    private mutating func removeWithdrawn(_ situation: Situation, _ outcome: inout Outcome) {
        for (key, entry) in entries {
            let person = PersonID(entry.record.person).flatMap { situation.persons[$0] }
            let isAllowed = person.map { entry.record.isForDeciders ? $0.mayAsk : $0.mayTell } ?? false
            let age = Self.age(of: entry.record.time, situation)
            let isStale = entry.record.isNews && age >= Self.newsLimit
            let isForgotten =
                !entry.record.isOpen && !entry.record.isNews && entry.record.owed.isEmpty && age >= Self.memory
            guard !isAllowed || isStale || isForgotten else { continue }
            entries[key] = nil
            outcome.rows.append(.remove(.notice, key: key))
        }
    }

    /// Time since a wall time; zero where the clock was set back.
    private static func age(of time: Int64, _ situation: Situation) -> Duration {
        .milliseconds(max(situation.now.wall.millisecondsSince1970 - time, 0))
    }

    private mutating func begin(_ finding: NoticeFinding, _ situation: Situation, _ outcome: inout Outcome) {
        let key = NoticeRecord.key(finding.person.text, finding.matter, false)
        let earlier = entries[key]?.record
        guard earlier?.isOpen != true, let person = situation.persons[finding.person] else { return }
        let now = situation.now
        // Its own time begins when nothing wider explains it any more.
        guard !finding.isCovered else {
            since[key] = now.boot
            return
        }
        let began = since[key] ?? now.boot
        since[key] = began
        let patience =
            switch finding.patience {
            case .usual: situation.patience
            case .exactly(let patience): patience
            }
        guard began.duration(to: now.boot) >= patience, finding.isUrgent || situation.isAwake,
            person.mayTell, !person.carers.isEmpty, mayBegin(earlier, situation),
            entries[key] != nil || entries.count < Self.entryLimit
        else { return }
        let notice = PersonNotice(
            id: id(finding.person, finding.matter, .began, at: now.wall), person: finding.person,
            matter: finding.matter, topic: finding.concern.topic, phase: .began, code: finding.code,
            subject: finding.subject, time: now.wall, text: finding.beginning)
        var record = NoticeRecord(notice, isUrgent: finding.isUrgent, to: person.carers)
        record.began = now.wall.millisecondsSince1970
        record.times = (isRecent(earlier, situation) ? earlier?.times ?? 0 : 0) + 1
        since[key] = nil
        replace(record, &outcome)
    }

    private func isRecent(_ earlier: NoticeRecord?, _ situation: Situation) -> Bool {
        guard let earlier, earlier.times > 0 else { return false }
        let passed = situation.now.wall.millisecondsSince1970 - earlier.began
        // A clock that was set back tells nothing, and the news are better told.
        return passed >= 0 && .milliseconds(passed) < Self.memory
    }

    /// Whether the last beginning of the matter is long enough ago.
    private func mayBegin(_ earlier: NoticeRecord?, _ situation: Situation) -> Bool {
        guard let earlier, isRecent(earlier, situation) else { return true }
        let pause = min(Self.shortestPause * (1 << min(max(earlier.times - 1, 0), 8)), Self.longestPause)
        return Self.age(of: earlier.began, situation) >= pause
    }

    private mutating func end(
        _ key: String, isHolding: Bool, _ situation: Situation, _ outcome: inout Outcome
    ) {
        guard var entry = entries[key], entry.record.isOpen, !entry.record.isForDeciders else { return }
        guard !isHolding else {
            entries[key]?.overSince = nil
            return
        }
        let now = situation.now
        let overSince = entry.overSince ?? now.boot
        entry.overSince = overSince
        entries[key] = entry
        guard overSince.duration(to: now.boot) >= situation.patience,
            entry.record.isUrgent || situation.isAwake, let person = PersonID(entry.record.person),
            let concern = entry.record.matter.split(separator: " ").first.flatMap({
                Concern(rawValue: String($0))
            })
        else { return }
        let name = situation.persons[person]?.name ?? person.text
        let words = NoticeWords(name: name, subject: entry.record.subject ?? "").ending(concern)
        var record = entry.record
        (record.phase, record.ends) = (PersonNotice.Phase.ended.rawValue, record.id)
        record.id = id(person, record.matter, .ended, at: now.wall).description
        record.time = now.wall.millisecondsSince1970
        // A recipient that was never reached learns neither.
        record.owed = words == nil ? [] : record.told
        if let words { record.text = words }
        replace(record, &outcome)
    }

    /// Attempts of the earlier phase that are under way go on, so that the end does not overtake the beginning.
    private mutating func replace(_ record: NoticeRecord, _ outcome: inout Outcome) {
        let underWay = entries[record.key]?.attempts.filter { $0.value.underWay != nil } ?? [:]
        entries[record.key] = Entry(record: record, attempts: underWay)
        outcome.rows.append(record.change)
        let phase = PersonNotice.Phase(rawValue: record.phase) ?? .news
        outcome.begun.append(Outcome.Begun(matter: record.isNews ? "news" : record.matter, phase: phase))
    }

    /// The same for the same news, so that a repeated delivery has the same ID.
    private func id(
        _ person: PersonID, _ matter: String, _ phase: PersonNotice.Phase, at time: WallTime
    ) -> MessageID {
        var numbers = DerivedNumbers(
            of: "\(gateway) \(person) \(matter) \(phase.rawValue) \(time.millisecondsSince1970)")
        return MessageID(wall: time, using: &numbers)
    }
}

// MARK: Deliveries

extension NoticeMachine {
    private mutating func deliver(_ situation: Situation, _ outcome: inout Outcome) {
        let now = situation.now.boot
        for (key, entry) in entries {
            for (target, attempt) in entry.attempts {
                guard let start = attempt.underWay, start.duration(to: now) >= Self.outcomeLimit else {
                    continue
                }
                var late = attempt
                late.underWay = nil
                late.notBefore = now.advanced(by: late.backoff.next(using: &jitter))
                entries[key]?.attempts[target] = late.id == entry.record.id ? late : nil
            }
        }
        guard !situation.isAlarmOpen else { return }
        // One notice a recipient at a time keeps their order.
        var busy = Set(
            entries.values.flatMap { entry in
                entry.attempts.filter { $0.value.underWay != nil }.map(\.key)
            })
        let due = entries.filter { !$0.value.record.owed.isEmpty }.sorted {
            ($0.value.record.time, $0.key) < ($1.value.record.time, $1.key)
        }
        for (key, entry) in due where entry.record.isUrgent || situation.isAwake {
            guard let notice = entry.record.notice else { continue }
            for text in entry.record.owed where !busy.contains(text) {
                let attempt = entry.attempts[text] ?? Attempt(id: entry.record.id)
                guard attempt.notBefore.map({ $0 <= now }) ?? true, let target = NoticeTarget(text) else {
                    continue
                }
                busy.insert(text)
                start(attempt, of: key, to: text, at: now, &outcome)
                outcome.deliveries.append(
                    Delivery(notice: notice, target: target, failures: attempt.backoff.failures))
            }
        }
    }

    private mutating func start(
        _ attempt: Attempt, of key: String, to target: String, at now: BootInstant, _ outcome: inout Outcome
    ) {
        var attempt = attempt
        attempt.underWay = now
        entries[key]?.attempts[target] = attempt
        guard entries[key]?.record.told.contains(target) == false else { return }
        entries[key]?.record.told.append(target)
        if let record = entries[key]?.record { outcome.rows.append(record.change) }
    }
}
