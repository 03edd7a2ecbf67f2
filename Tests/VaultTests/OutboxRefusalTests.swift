import Contract
import GatewayModel
import Samples
import SeededRandom
import Testing
import Vault

@Suite struct `What the broker refuses` {
    private func ids(_ numbers: Int...) -> [MessageID] { numbers.map(Sample.id) }

    /// A backlog on the disk, all of it read.
    private func backlog(_ messages: [(number: Int, topic: String)]) -> OutboxRig {
        let rig = OutboxRig(unwrittenCapacity: 10_000, isConnected: false)
        for message in messages { rig.enqueue(message.number, topic: message.topic) }
        rig.write()
        _ = rig.outbox.connected()
        rig.read()
        return rig
    }

    @Test func `waits, and other topics pass it`() {
        let rig = backlog((1...40).map { ($0, $0 <= 20 ? "refused" : "taken") })
        for number in 1...20 { #expect(rig.next() == Sample.id(number)) }
        for number in 1...20 { rig.refuse(number, .topic) }
        #expect(rig.offered() == (21...40).map(Sample.id))
        rig.wait(.seconds(59))
        #expect(rig.offered().isEmpty)
        #expect(rig.outbox.count == 40)
    }

    @Test func `comes back in order, one first and the others when that one is taken`() {
        let rig = backlog((1...30).map { ($0, "t") })
        for _ in 1...20 { _ = rig.next() }
        for number in 1...20 { rig.refuse(number, .topic) }
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
        rig.refuse(1, .topic)
        #expect(rig.offered().isEmpty)
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
        _ = rig.settle(1)
        #expect(rig.offered() == (2...30).map(Sample.id))
    }

    @Test func `comes back in order where there is more of it than memory holds`() {
        let rig = backlog((1...1_000).map { ($0, $0.isMultiple(of: 2) ? "refused" : "taken") })
        for _ in 1...2 { _ = rig.next() }
        rig.refuse(2, .topic)
        let taken = rig.offered()
        #expect(taken == (1...499).map { Sample.id(2 * $0 + 1) })
        for id in taken { rig.outbox.settle(id) }
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(2))
        _ = rig.settle(2)
        #expect(rig.offered() == (2...500).map { Sample.id(2 * $0) })
    }

    @Test func `and comes while it waits, waits behind it`() {
        let rig = OutboxRig()
        rig.enqueue(1, topic: "refused")
        rig.write()
        _ = rig.next()
        rig.refuse(1, .topic)
        rig.enqueue(2, topic: "refused")
        rig.enqueue(3, topic: "taken")
        rig.enqueue(4, lane: .alarm, topic: "refused")
        rig.write()
        #expect(rig.offered() == ids(4, 3))
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
        _ = rig.settle(1)
        #expect(rig.offered() == ids(2))
    }

    /// There may be no later message, and a read through the whole disk would take too long.
    @Test func `is offered again where the disk has not taken it`() {
        let rig = OutboxRig()
        rig.enqueue(1)
        rig.wait(Outbox.patience)
        #expect(rig.offered() == ids(1))
        rig.refuse(1, .topic)
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
        rig.refuse(1, .either)
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
    }

    @Test func `for want of quota makes everything wait but alarms, and then lets the rest have its turn`() {
        let rig = OutboxRig()
        rig.enqueue(1, topic: "full")
        rig.enqueue(2, topic: "taken")
        rig.write()
        _ = rig.next()
        rig.refuse(1, .everything)
        #expect(rig.offered().isEmpty)
        rig.enqueue(3, lane: .alarm)
        #expect(rig.offered() == ids(3))
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(2))
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
    }

    @Test func `is given up where it is a reading, one a minute and not all that waits`() {
        let rig = backlog((1...100).map { ($0, "t") })
        _ = rig.next()
        #expect(rig.refuse(1, .message) == .givenUp(Sample.envelope(1)))
        #expect(rig.offered().isEmpty)
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(2))
        #expect(rig.refuse(2, .message) == .givenUp(Sample.envelope(2)))
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(3))
        _ = rig.settle(3)
        #expect(rig.offered() == (4...100).map(Sample.id))
    }

    @Test(arguments: [Outbox.Refusal.message, .either])
    func `is never given up where it is kept for certain, and holds up no other of its kind`(
        refusal: Outbox.Refusal
    ) {
        let rig = OutboxRig()
        rig.enqueue(1, 2, 3, retention: .certain)
        rig.write()
        _ = rig.next()
        #expect(rig.refuse(1, refusal) == .postponed(Sample.envelope(1, retention: .certain)))
        #expect(rig.offered().isEmpty, "it may be all of its kind")
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(2))
        _ = rig.settle(2)
        // The others of its kind are accepted: live messages follow, and it is tried once more.
        #expect(rig.offered() == ids(3, 1))
        rig.refuse(1, refusal)
        _ = rig.settle(3)
        rig.enqueue(4, retention: .certain)
        rig.write()
        #expect(rig.offered() == ids(4))
        _ = rig.settle(4)
        rig.wait(.seconds(3_599))
        #expect(rig.offered().isEmpty)
        rig.wait(.seconds(1))
        #expect(rig.offered() == ids(1))
        #expect(rig.outbox.isRefused == false)
        rig.write()
        #expect(rig.rows.count == 1)
    }

    @Test func `and comes last of its topic is tried again as well`() {
        let rig = OutboxRig()
        rig.enqueue(1, retention: .certain)
        rig.write()
        _ = rig.next()
        rig.refuse(1, .message)
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
    }

    @Test func `is tried at once by the next connection, but for topics whose time is not over`() {
        let rig = OutboxRig()
        rig.enqueue(1, topic: "refused")
        rig.enqueue(2, topic: "large", retention: .certain)
        rig.write()
        _ = rig.offered()
        rig.refuse(1, .topic)
        rig.refuse(2, .message)
        rig.wait(.seconds(60))
        #expect(Set(rig.offered()) == Set(ids(1, 2)))
        rig.refuse(1, .topic)
        rig.refuse(2, .message)
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        #expect(rig.offered() == ids(2))
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
    }

    @Test func `loses its consent where it waits`() {
        let rig = OutboxRig()
        rig.enqueue(1, 2)
        rig.write()
        _ = rig.next()
        rig.refuse(1, .topic)
        #expect(rig.offered().isEmpty)
        let purged = rig.outbox.purge { _ in true }
        #expect(purged.map(\.id) == ids(1, 2))
        rig.write()
        #expect(rig.rows.isEmpty)
        #expect(rig.outbox.isEmpty)
    }

    /// RabbitMQ 3.10 closes the connection on a forbidden message: the first one offered would end each connection.
    @Test func `by the end of the connection stands back as well, after some of them`() {
        let rig = backlog([(1, "refused"), (2, "refused"), (3, "taken")])
        for _ in 1...3 {
            #expect(rig.offered() == ids(1, 2, 3))
            _ = rig.outbox.connectionLost(at: rig.now)
            _ = rig.outbox.connected()
        }
        #expect(rig.offered() == ids(3))
        _ = rig.settle(3)
        rig.wait(.seconds(60))
        #expect(rig.offered() == ids(1))
        // The broker accepted other messages meanwhile, so this one was the cause.
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        #expect(rig.offered().isEmpty)
        rig.wait(.seconds(60))
        #expect(rig.offered().first == Sample.id(1))
    }

    @Test func `by the end of connections on which it answered to something stands back from nothing`() {
        let rig = OutboxRig()
        for number in 1...10 {
            rig.enqueue(number)
            rig.write()
            #expect(rig.offered().contains(Sample.id(number)))
            _ = rig.settle(number)
            rig.enqueue(100 + number)
            rig.write()
            _ = rig.outbox.connectionLost(at: rig.now)
            _ = rig.outbox.connected()
        }
        #expect(rig.offered().count == 10)
    }

    /// A broker that refuses at random, for random reasons, on lines that break.
    @Test func `is lost by none of all this, and comes once when it is taken`() throws {
        for seed in 0..<300 {
            var history = RefusalHistory(seed: UInt64(seed))
            for _ in 0..<400 { history.step() }
            history.end()
            for complaint in history.complaints { Issue.record("seed \(seed): \(complaint)") }
            guard history.complaints.isEmpty else { return }
        }
    }
}

/// Messages of three topics between a disk and a broker, both with random behaviour.
private struct RefusalHistory {
    private(set) var complaints: [String] = []
    private var random: SeededGenerator
    private let rig = OutboxRig(liveCapacity: 8, unwrittenCapacity: 1_000, isConnected: false)
    private var isConnected = false
    private var numbers: [MessageID: Int] = [:]
    private var samples: Set<MessageID> = []
    private var flying: [MessageID] = []
    private var (delivered, givenUp) = (Set<MessageID>(), Set<MessageID>())

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() {
        rig.wait(.milliseconds(50))
        switch Int.random(in: 0..<100, using: &random) {
        case ..<30: enqueue()
        case ..<48: write()
        case ..<50: loseConnection()
        case ..<55: connect()
        case ..<80: offer(Int.random(in: 1...4, using: &random))
        case ..<93: answer()
        default: rig.wait(.seconds([1, 3, 20, 61, 130, 4_000].randomElement(using: &random) ?? 1))
        }
    }

    private mutating func enqueue() {
        let number = numbers.count + 1
        let isSample = Int.random(in: 0..<3, using: &random) > 0
        let topic = ["a", "b", "c"].randomElement(using: &random) ?? "a"
        rig.enqueue(number, topic: topic, retention: isSample ? .sample : .certain)
        numbers[Sample.id(number)] = number
        if isSample { samples.insert(Sample.id(number)) }
    }

    private mutating func write() {
        guard Int.random(in: 0..<5, using: &random) > 0 else {
            _ = rig.outbox.takeChanges()
            return rig.outbox.notWritten()
        }
        rig.write()
    }

    private mutating func connect() {
        guard !isConnected else { return }
        isConnected = true
        _ = rig.outbox.connected()
    }

    private mutating func loseConnection() {
        guard isConnected else { return }
        (isConnected, flying) = (false, [])
        _ = rig.outbox.connectionLost(at: rig.now)
    }

    private mutating func offer(_ count: Int) {
        guard isConnected else { return }
        rig.read()
        for _ in 0..<count where flying.count < 20 {
            guard let id = rig.next() else { return }
            if delivered.contains(id) || givenUp.contains(id) { complaints.append("\(id) is offered again") }
            flying.append(id)
        }
    }

    private mutating func answer() {
        guard let index = flying.indices.randomElement(using: &random) else { return }
        let id = flying.remove(at: index)
        guard Bool.random(using: &random) else { return take(id) }
        let refusal = Outbox.Refusal.allCases.randomElement(using: &random) ?? .topic
        guard case .givenUp = rig.outbox.refused(id, refusal, at: rig.now) else { return }
        givenUp.insert(id)
        if !samples.contains(id) { complaints.append("\(id) is given up") }
    }

    private mutating func take(_ id: MessageID) {
        rig.outbox.settle(id)
        delivered.insert(id)
    }

    /// Accepts all messages from now on.
    mutating func end() {
        connect()
        for id in flying { take(id) }
        flying = []
        for _ in 0..<40 {
            rig.wait(.seconds(900))
            rig.write()
            while complaints.isEmpty {
                offer(20)
                guard !flying.isEmpty else { break }
                for id in flying { take(id) }
                flying = []
            }
        }
        while rig.outbox.hasSettled { rig.write() }
        let missing = Set(numbers.keys).subtracting(delivered).subtracting(givenUp)
        if !missing.isEmpty { complaints.append("lost: \(missing.compactMap { numbers[$0] }.sorted())") }
        if !rig.rows.isEmpty { complaints.append("left on the disk: \(rig.rows.keys.sorted())") }
        if !rig.outbox.isEmpty { complaints.append("\(rig.outbox.count) are left") }
    }
}
