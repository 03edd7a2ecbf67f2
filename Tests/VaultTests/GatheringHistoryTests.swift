import GatewayModel
import ModelSamples
import Samples
import SeededRandom
import Testing
import Vault

@testable import Consent
@testable import Contract

@Suite struct `Gathered readings over random histories` {
    /// The promise, checked against a record that the outbox does not write.
    @Test func `arrive once in each run of the gateway, and none is missing`() {
        var (delivered, together) = (0, 0)
        for seed in 0..<250 {
            var history = GatheringHistory(seed: UInt64(seed))
            for _ in 0..<400 { history.step() }
            history.end()
            for complaint in history.complaints { Issue.record("seed \(seed): \(complaint)") }
            guard history.complaints.isEmpty else { return }
            delivered += history.delivered.count
            together += history.together
        }
        // Less would prove nothing.
        #expect(delivered > 10_000, "\(delivered)")
        #expect(together > 1_000, "\(together)")
    }
}

/// An outbox between a disk, a broker and persons, each of which does as it likes: failed writes, lost connections, refusals
/// of every kind, small packets, withdrawals, a full disk, and kills.
private struct GatheringHistory {
    private(set) var complaints: [String] = []
    /// Readings that the broker has acknowledged.
    private(set) var delivered: Set<MessageID> = []
    /// Messages of several readings that were offered.
    private(set) var together = 0

    private static let persons = [Sample.maria, PersonID(sample: "paolo")]
    private static let party = PartyID(sample: "clinic")
    private var random: SeededGenerator
    private let rig = OutboxRig(liveCapacity: 12, unwrittenCapacity: 10_000, isConnected: false)
    private var isConnected = false
    private var gathering = Duration.seconds(1)
    private var last = 0
    /// Messages that must arrive.
    private var owed: Set<MessageID> = []
    private var deliveredInThisRun: Set<MessageID> = []
    private var withdrawn: Set<PersonID> = []
    private var owner: [MessageID: PersonID] = [:]
    /// Readings of each message on its way, by the ID that the broker's answer names.
    private var flying: [MessageID: [MessageID]] = [:]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() {
        rig.wait(.milliseconds(50))
        switch Int.random(in: 0..<200, using: &random) {
        case ..<70: enqueue()
        case ..<100: write()
        case ..<106: loseConnection()
        case ..<118: connect()
        case ..<150: offer(Int.random(in: 1...4, using: &random))
        case ..<180: answer()
        case ..<183: withdraw()
        case ..<187: withdrawn = []
        case ..<189: thin()
        case ..<191: kill()
        case ..<193: switchGathering()
        case ..<194: rig.outbox.release()
        default: rig.wait(.seconds([1, 1, 3, 20, 61, 4_000].randomElement(using: &random) ?? 1))
        }
    }

    // MARK: The house

    private mutating func enqueue() {
        last += 1
        let id = Sample.id(last)
        guard let person = Self.persons.filter({ !withdrawn.contains($0) }).randomElement(using: &random) else {
            return
        }
        let kind: QuantityKind = Bool.random(using: &random) ? .heartRate : .oxygenSaturation
        let reading = Reading(
            id: id, person: person, device: DeviceID(sample: "strap"), quantity: Quantity(kind, 72),
            contact: .detected, arrival: Sample.moment(Double(last)))
        let message: Envelope =
            switch Int.random(in: 0..<10, using: &random) {
            case 0: Sample.envelope(last, topic: "certain", retention: .certain)
            case 1, 2: share(reading)
            case 3: .sample(reading, as: .fhir, topics: Sample.topics)
            default: .sample(reading, topics: Sample.topics)
            }
        let isPressing = Int.random(in: 0..<6, using: &random) == 0
        rig.outbox.enqueue(Cleared(message), at: rig.now, isPressing: isPressing)
        owed.insert(id)
        if message.retention == .sample { owner[id] = person }
    }

    /// A copy for a third party.
    private func share(_ reading: Reading) -> Envelope {
        let own = Envelope.sample(reading, topics: Sample.topics)
        let disclosure = Disclosure.share(
            with: Self.party, of: reading.person, kind: reading.dataKind, epoch: LedgerSequence(1))
        return Envelope(
            id: own.id, lane: own.lane, retention: own.retention, disclosure: disclosure,
            topic: "parties/\(reading.person)/\(reading.quantity.kind.rawValue)", payload: own.payload)
    }

    /// A person withdraws: nothing of theirs may be offered from now on. A message on its way is not called back.
    private mutating func withdraw() {
        guard let person = Self.persons.randomElement(using: &random) else { return }
        withdrawn.insert(person)
        for (place, row) in rig.rows where isWithdrawn(row.envelope) {
            owed.remove(row.envelope.id)
            rig.rows[place] = nil
        }
        for part in flying.values.joined() where owner[part] == person { owed.remove(part) }
        purge()
        rig.outbox.diskHolds(rig.rows.count)
    }

    private mutating func purge() {
        let withdrawn = withdrawn
        let purged = rig.outbox.purge { envelope in
            withdrawn.contains { envelope.disclosure.tellsReadings(of: $0) }
        }
        owed.subtract(purged.map(\.id))
    }

    private func isWithdrawn(_ envelope: Envelope) -> Bool {
        withdrawn.contains { envelope.disclosure.tellsReadings(of: $0) }
    }

    /// Readings are given up for room, as the disk's own rule does it.
    private mutating func thin() {
        let held = rig.outbox.held
        for (place, row) in rig.rows where row.envelope.retention == .sample && !held.contains(place) {
            guard Bool.random(using: &random) else { continue }
            owed.remove(row.envelope.id)
            rig.rows[place] = nil
        }
        rig.outbox.diskHolds(rig.rows.count)
    }

    private mutating func kill() {
        // Readings that the disk does not have are lost; those on it have places up to 0 in the next run.
        let end = rig.rows.keys.max() ?? 0
        rig.rows = Dictionary(
            uniqueKeysWithValues: rig.rows.values.filter { !isWithdrawn($0.envelope) }.map {
                ($0.place - end, Outbox.Row(place: $0.place - end, envelope: $0.envelope))
            })
        owed.formIntersection(delivered.union(rig.rows.values.map(\.envelope.id)))
        (isConnected, flying, deliveredInThisRun) = (false, [:], [])
        rig.outbox = Outbox(liveCapacity: 12, unwrittenCapacity: 10_000)
        rig.outbox.loaded(alarms: [], stored: rig.rows.count, at: rig.now)
    }

    private mutating func switchGathering() {
        gathering = gathering == .zero ? .seconds(1) : .zero
        if isConnected { rig.outbox.gather(within: gathering) }
    }

    private mutating func write() {
        guard Int.random(in: 0..<5, using: &random) > 0 else {
            _ = rig.outbox.takeChanges()
            return rig.outbox.notWritten()
        }
        rig.write()
    }

    // MARK: The broker

    private mutating func connect() {
        guard !isConnected else { return }
        isConnected = true
        rig.outbox.gather(within: gathering)
        _ = rig.outbox.connected(
            maximumPayload: [nil, nil, 400, 900, 2_000].randomElement(using: &random) ?? nil)
    }

    private mutating func loseConnection() {
        guard isConnected else { return }
        (isConnected, flying) = (false, [:])
        _ = rig.outbox.connectionLost(at: rig.now)
        purge()
    }

    private mutating func offer(_ count: Int) {
        guard isConnected else { return }
        for _ in 0..<count where flying.count < 20 {
            rig.read()
            let withdrawn = withdrawn
            let offer = rig.outbox.next(at: rig.now) { envelope in
                withdrawn.contains { envelope.disclosure.tellsReadings(of: $0) } ? nil : Cleared(envelope)
            }
            owed.subtract(offer.withheld.map(\.id))
            guard let first = offer.cleared?.value else { return }
            check(offer)
            flying[first.id] = offer.parts.map(\.value.id)
            if offer.parts.count > 1 { together += 1 }
        }
    }

    private mutating func check(_ offer: Outbox.Offer) {
        let ids = offer.parts.map(\.value.id)
        let inFlight = Set(flying.values.joined())
        for id in ids {
            if deliveredInThisRun.contains(id) { complaints.append("\(id) is offered again") }
            if inFlight.contains(id) { complaints.append("\(id) is on its way already") }
        }
        if Set(ids).count < ids.count { complaints.append("a message holds a reading twice") }
        if ids.count > 1, !offer.isGathered { complaints.append("several readings in the form of one") }
        guard offer.isGathered else { return }
        guard let message = Cleared.gathered(offer.parts, as: Envelope.gathered)?.value else {
            return complaints.append("no message can be made of \(ids)")
        }
        let payload = String(decoding: message.payload, as: UTF8.self)
        for id in ids where !payload.contains(#""id":"\#(id)""#) { complaints.append("\(id) is left out") }
        let bound = offer.parts.reduce(Envelope.gatheredOverhead) { $0 + $1.value.gatheredBytes }
        if message.payload.count > bound { complaints.append("\(message.payload.count) bytes, above \(bound)") }
    }

    private mutating func answer() {
        guard let (id, parts) = flying.sorted(by: { "\($0.key)" < "\($1.key)" }).randomElement(using: &random)
        else { return }
        flying[id] = nil
        guard Int.random(in: 0..<4, using: &random) == 0 else { return acknowledge(id, parts) }
        let refusal = Outbox.Refusal.allCases.randomElement(using: &random) ?? .topic
        switch rig.outbox.refused(id, refusal, at: rig.now) {
        case .givenUp(let envelope)?:
            owed.remove(envelope.id)
            if parts.count > 1 { complaints.append("one refusal costs \(parts.count) readings") }
            if envelope.retention == .certain { complaints.append("\(id) is given up") }
        case .postponed?, .divided?: break
        case nil: complaints.append("\(id) was not on its way")
        }
    }

    private mutating func acknowledge(_ id: MessageID, _ parts: [MessageID]) {
        let settled = rig.outbox.settle(id).map(\.id)
        if Set(settled) != Set(parts) { complaints.append("\(parts) arrived, and \(settled) are settled") }
        delivered.formUnion(parts)
        deliveredInThisRun.formUnion(parts)
    }

    /// From now on the broker takes everything, and nobody withdraws.
    mutating func end() {
        withdrawn = []
        connect()
        for (id, parts) in flying { acknowledge(id, parts) }
        flying = [:]
        for _ in 0..<40 {
            rig.wait(.seconds(900))
            rig.write()
            while complaints.isEmpty {
                offer(20)
                guard !flying.isEmpty else { break }
                for (id, parts) in flying { acknowledge(id, parts) }
                flying = [:]
            }
        }
        while rig.outbox.hasSettled { rig.write() }
        let missing = owed.subtracting(delivered)
        if !missing.isEmpty { complaints.append("lost: \(missing)") }
        if !rig.rows.isEmpty { complaints.append("left on the disk: \(rig.rows.keys.sorted())") }
        if !rig.outbox.isEmpty { complaints.append("\(rig.outbox.count) are left") }
    }
}
