import Consent
import Contract
import GatewayModel
import ModelSamples
import Samples
import SeededRandom
import Testing

@testable import Vault

@Suite struct `Over random histories` {
    /// The promise, checked against a record that is independent of the tested code.
    @Test
    func `no message is offered for a third party without a grant of that epoch in force at that instant`()
        throws
    {
        var (offered, withheld, purged) = (0, 0, 0)
        for seed in 0..<2_000 {
            var history = RandomHistory(seed: UInt64(seed))
            for _ in 0..<200 { try history.step() }
            for complaint in history.complaints { Issue.record("seed \(seed): \(complaint)") }
            guard history.complaints.isEmpty else { return }
            offered += history.offered
            withheld += history.withheld
            purged += history.purged
        }
        // Otherwise the test tried nothing.
        #expect(offered > 10_000, "\(offered)")
        #expect(withheld > 100, "\(withheld)")
        #expect(purged > 1_000, "\(purged)")
    }
}

/// A house with random events at random times: a ledger with a disk that lags behind, an outbox with a disk of its own,
/// a broker that comes and goes, kills, and a clock that is stepped.
private struct RandomHistory {
    /// The record's data of one grant; independent of the ledger's own.
    private struct Given {
        let request: DataRequest
        var isOver = false
    }

    private static let persons = [ConsentSample.maria, ConsentSample.paolo]
    private static let parties = [ConsentSample.clinic, ConsentSample.study]
    private static let kinds: [QuantityKind] = [.heartRate, .glucose]

    private(set) var complaints: [String] = []
    private(set) var (offered, withheld, purged) = (0, 0, 0)

    private var random: SeededGenerator
    private var gate = ConsentGate(ledger: ConsentLedger(persons: Set(persons)))
    /// Number of its entries on the disk.
    private var written = 0
    private var given: [LedgerSequence: Given] = [:]
    private var outbox = Outbox(liveCapacity: 8, unwrittenCapacity: 24)
    private var rows: [Outbox.Place: StoredEnvelope] = [:]
    private var nextRow: Int64 = 0
    private var second = 0
    private var boot = BootInstant(nanoseconds: 0)
    private var isConnected = false
    private var requests = 0
    private var flying: [MessageID] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        outbox.loaded(alarms: [], stored: 0, at: boot)
    }

    private var wall: WallTime { ConsentSample.wall(second) }

    mutating func step() throws {
        boot = boot.advanced(by: .milliseconds(100))
        switch Int.random(in: 0..<100, using: &random) {
        case ..<6: ask()
        case ..<22: decide { .granted($0) }
        case ..<23: decide { .refused($0) }
        case ..<28: decide { .withdrawn($0) }
        case ..<33: policy(.accepted)
        case ..<34: policy(.withdrawn)
        case ..<38: second += Int.random(in: -20...30, using: &random)
        case ..<40: expire()
        case ..<43: flushLedger()
        case ..<66: read()
        case ..<77: write()
        case ..<82: connect()
        case ..<83: loseConnection()
        case ..<96: offer()
        case ..<98: settle()
        case ..<99: thin()
        default: kill()
        }
    }

    // MARK: The ledger

    private mutating func take(_ act: ConsentAct, for person: PersonID, means: ConsentMeans = .commandLine) {
        let decision = ConsentDecision(act, for: person, by: "somebody", means: means, at: wall)
        guard let entries = try? gate.record(decision) else { return }
        note(entries)
        guard entries.contains(where: { $0.decision.act.onlyCloses }) else { return }
        // The daemon does it when the entry is durable; after a kill before that, it does it at the start.
        flushLedger()
        purge()
    }

    private mutating func note(_ entries: some Sequence<ConsentEntry>) {
        for entry in entries {
            switch entry.decision.act {
            case .granted(let id):
                guard let request = asked[id] else {
                    complaints.append("a grant of nothing")
                    continue
                }
                given[entry.sequence] = Given(request: request)
            case .withdrawn(let id), .expired(let id):
                for (epoch, grant) in given where grant.request.id == id { given[epoch]?.isOver = true }
            case .policy(.dataPolicy, .withdrawn):
                for (epoch, grant) in given where grant.request.person == entry.decision.person {
                    given[epoch]?.isOver = true
                }
            case .policy, .requested, .refused, .partyKeyChanged: break
            }
        }
    }

    private var asked: [RequestID: DataRequest] = [:]

    private mutating func ask() {
        requests += 1
        let from = Bool.random(using: &random) ? nil : second + Int.random(in: -10...10, using: &random)
        let until = Bool.random(using: &random) ? nil : second + Int.random(in: 11...200, using: &random)
        let party = Self.parties.randomElement(using: &random) ?? ConsentSample.clinic
        let person = Self.persons.randomElement(using: &random) ?? ConsentSample.maria
        let kinds = Set(Self.kinds.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
        guard
            let request = try? ConsentSample.request(
                "r\(requests)", by: ConsentSample.party(party), of: person, for: kinds, from: from, until: until
            )
        else { return }
        asked[request.id] = request
        take(.requested(request), for: person, means: .command)
    }

    private mutating func decide(_ act: (RequestID) -> ConsentAct) {
        guard let request = asked.values.sorted(by: { $0.id.text < $1.id.text }).randomElement(using: &random)
        else { return }
        take(act(request.id), for: request.person)
    }

    private mutating func policy(_ verdict: ConsentDecision.Verdict) {
        let person = Self.persons.randomElement(using: &random) ?? ConsentSample.maria
        take(.policy(.dataPolicy, verdict), for: person)
    }

    private mutating func expire() {
        for grant in gate.due(at: wall) {
            take(.expired(grant.request.id), for: grant.request.person, means: .gateway)
        }
    }

    private mutating func flushLedger() {
        written = gate.snapshot.entries.count
    }

    // MARK: The outbox

    private mutating func read() {
        let reading = Reading(
            id: MessageID(wall: wall, using: &random),
            person: Self.persons.randomElement(using: &random) ?? ConsentSample.maria,
            device: DeviceID(sample: "strap"),
            quantity: Quantity(Self.kinds.randomElement(using: &random) ?? .heartRate, 72), contact: .unknown,
            arrival: Moment(boot: boot, wall: wall))
        for cleared in gate.clearShares(of: reading, at: wall) {
            let id = MessageID(wall: wall, using: &random)
            guard let message = cleared.reshaped({ Envelope.share($0, id: id, topics: Sample.topics) }) else {
                complaints.append("a copy that gives away something else")
                continue
            }
            outbox.enqueue(message, at: boot)
        }
        if let cleared = try? gate.clear(reading),
            let message = cleared.reshaped({ Envelope.sample($0, topics: Sample.topics) })
        {
            outbox.enqueue(message, at: boot)
        }
    }

    private mutating func write() {
        let changes = outbox.takeChanges()
        guard Int.random(in: 0..<5, using: &random) > 0 else { return outbox.notWritten() }
        for row in changes.rows { rows[row.place] = StoredEnvelope(row.envelope) }
        for place in changes.deleted { rows[place] = nil }
        outbox.written(stored: rows.count)
        for (gap, series) in outbox.takeGaps() { enqueue(gap, series) }
    }

    private mutating func enqueue(_ gap: SampleGap, _ series: SampleSeries) {
        let message = Envelope.gap(
            gap, of: series, id: MessageID(wall: wall, using: &random), at: wall, topics: Sample.topics)
        guard let cleared = clear(message) else { return }
        outbox.enqueue(cleared, at: boot)
    }

    private func clear(_ envelope: Envelope) -> Cleared<Envelope>? {
        switch envelope.disclosure {
        case .share: try? gate.clearShare(envelope, at: wall)
        default: try? gate.clear(envelope)
        }
    }

    private mutating func purge() {
        let (gate, wall) = (gate, wall)
        func mayLeave(_ envelope: Envelope) -> Bool {
            switch envelope.disclosure {
            case .share: (try? gate.clearShare(envelope, at: wall)) != nil
            default: (try? gate.clear(envelope)) != nil
            }
        }
        purged += outbox.purge { !mayLeave($0) }.count
        let before = rows.count
        rows = rows.filter { $0.value.envelope.map(mayLeave) ?? true }
        purged += before - rows.count
        outbox.diskHolds(rows.count)
    }

    private mutating func connect() {
        guard !isConnected else { return }
        isConnected = true
        _ = outbox.connected()
    }

    private mutating func loseConnection() {
        isConnected = false
        flying = []
        _ = outbox.connectionLost(at: boot)
        if Bool.random(using: &random) { purge() }
    }

    private mutating func offer() {
        guard isConnected else { return }
        if let request = outbox.takePageRequest() {
            let found = rows.filter { $0.key > request.after && $0.key < request.before }.sorted {
                $0.key < $1.key
            }
            let page = found.prefix(request.limit).compactMap { row in
                row.value.envelope.map { Outbox.Row(place: row.key, envelope: $0) }
            }
            outbox.read(
                page, upTo: page.last?.place, isEnd: found.count < request.limit, for: request, at: boot)
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let gate = gate
            let wall = wall
            let offer = outbox.next(
                at: boot,
                clear: { envelope in
                    switch envelope.disclosure {
                    case .share: try? gate.clearShare(envelope, at: wall)
                    default: try? gate.clear(envelope)
                    }
                })
            withheld += offer.withheld.count
            guard let message = offer.cleared?.value else { return }
            flying.append(message.id)
            judge(message)
        }
    }

    /// Judges a message by the record alone, and by its topic at the broker.
    private mutating func judge(_ message: Envelope) {
        let levels = message.topic.split(separator: "/").map(String.init)
        guard levels.count > 3, levels[3] == "parties" else { return }
        offered += 1
        guard case .share(_, _, _, let epoch) = message.disclosure, let grant = given[epoch] else {
            return complaints.append("no grant for \(message.topic)")
        }
        let request = grant.request
        if grant.isOver { complaints.append("grant \(epoch) is over") }
        if levels[4] != request.party.id.text || levels[5] != request.person.text
            || !request.kinds.contains(where: { $0.rawValue == levels[6] })
        {
            complaints.append("grant \(epoch) does not give \(message.topic)")
        }
        if let from = request.from, wall < from { complaints.append("before \(epoch) begins") }
        if let until = request.until, wall >= until { complaints.append("after \(epoch) ends") }
        if !String(decoding: message.payload, as: UTF8.self).contains("\"grant\":\(epoch)") {
            complaints.append("the payload names another grant than \(epoch)")
        }
    }

    private mutating func settle() {
        guard let index = flying.indices.randomElement(using: &random) else { return }
        _ = outbox.settle(flying.remove(at: index), isDelivered: Bool.random(using: &random))
    }

    /// Thins waiting messages as the disk does: some go, and a gap stands in their place.
    private mutating func thin() {
        let samples = rows.filter { $0.value.retention == .sample && !outbox.held.contains($0.key) }
        guard let victim = samples.keys.sorted().randomElement(using: &random),
            let series = rows[victim]?.envelope?.disclosure.series
        else { return }
        let gap = SampleGap(from: wall, to: wall, dropped: 1, kept: 0, reason: .quota)
        rows[victim] = StoredEnvelope(
            .gap(
                gap, of: series, id: MessageID(wall: wall, using: &random), at: wall,
                topics: Sample.topics))
    }

    /// Loses everything that was not on a disk; the next run reads the rest.
    private mutating func kill() {
        var ledger = ConsentLedger(persons: Set(Self.persons))
        var before: String = LedgerHash.nothing
        let kept = gate.snapshot.entries.prefix(written)
        for entry in kept {
            let bytes = LedgerLine(entry, after: before).bytes
            before = LedgerHash.of(bytes)
            guard let again = LedgerLine(bytes)?.entry else { return complaints.append("a line that is none") }
            ledger.replay(again)
        }
        gate = ConsentGate(ledger: ledger)
        given = [:]
        note(kept)
        // Places of an earlier run end at 0.
        let stored = rows.sorted { $0.key < $1.key }.map(\.value)
        rows = Dictionary(
            uniqueKeysWithValues: stored.enumerated().map { (Int64($0.offset - stored.count + 1), $0.element) })
        (outbox, flying, isConnected) = (Outbox(liveCapacity: 8, unwrittenCapacity: 24), [], false)
        outbox.loaded(alarms: [], stored: rows.count, at: boot)
        // The first step of the outbox's thread.
        purge()
    }
}
