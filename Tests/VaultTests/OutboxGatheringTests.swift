import Contract
import GatewayModel
import ModelSamples
import Samples
import Testing
import Vault

@testable import Consent

/// Readings of one person that leave in one message. Instants are told, nothing sleeps.
@Suite struct `An outbox that gathers` {
    private let rig = OutboxRig(liveCapacity: 1_024, unwrittenCapacity: 1_000)
    private let paolo = PersonID(sample: "paolo")

    init() { rig.outbox.gather(within: .seconds(1)) }

    private func enqueue(
        _ numbers: Int..., of person: PersonID = Sample.maria, kind: QuantityKind = .heartRate,
        isPressing: Bool = false
    ) {
        for number in numbers {
            let reading = Reading(
                id: Sample.id(number), person: person, device: DeviceID(sample: "strap"),
                quantity: Quantity(kind, 72), contact: .detected, arrival: Sample.moment(Double(number)))
            rig.outbox.enqueue(
                Cleared(.sample(reading, topics: Sample.topics)), at: rig.now, isPressing: isPressing)
        }
    }

    /// What `next` gives, message by message.
    private func offers() -> [[Int]] {
        var offers: [[Int]] = []
        while true {
            rig.read()
            let offer = rig.outbox.next(at: rig.now, clear: { Cleared($0) })
            guard !offer.parts.isEmpty else { return offers }
            offers.append(
                offer.parts.compactMap { part in (0..<1_000).first { Sample.id($0) == part.value.id } })
        }
    }

    @Test func `offers the readings of a person together when the time is over, and each person by themselves`()
    {
        enqueue(1, 2)
        enqueue(3, of: paolo)
        rig.write()
        #expect(offers().isEmpty)
        #expect(rig.outbox.gatheringEnd == rig.now.advanced(by: .seconds(1)))
        rig.wait(.milliseconds(900))
        enqueue(4, kind: .oxygenSaturation)
        rig.write()
        #expect(offers().isEmpty)
        rig.wait(.milliseconds(100))
        #expect(offers() == [[1, 2, 4], [3]])
        #expect(rig.outbox.gatheringEnd == nil)
    }

    @Test func `writes each at once, and offers none that the disk does not have`() {
        enqueue(1)
        rig.write()
        #expect(rig.rows.count == 1)
        rig.wait(.seconds(1))
        enqueue(2)
        #expect(offers() == [[1]])
        rig.write()
        #expect(offers().isEmpty)
        rig.wait(.seconds(1))
        #expect(offers() == [[2]])
    }

    @Test func `lets one acknowledgement settle them all`() {
        enqueue(1, 2, 3)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == [[1, 2, 3]])
        #expect(rig.outbox.count == 3)
        #expect(rig.outbox.settle(Sample.id(1)).map(\.id) == [1, 2, 3].map(Sample.id))
        #expect(rig.outbox.settle(Sample.id(1)).isEmpty, "a second acknowledgement")
        rig.write()
        #expect(rig.rows.isEmpty && rig.outbox.isEmpty)
    }

    @Test func `lets neither alarms nor what presses wait, and takes along what waited`() {
        enqueue(1)
        rig.write()
        rig.outbox.enqueue(Sample.cleared(2, lane: .alarm, topic: "sos"), at: rig.now)
        enqueue(3, of: paolo, isPressing: true)
        rig.write()
        #expect(offers() == [[2], [3]])
        enqueue(4, isPressing: true)
        rig.write()
        #expect(offers() == [[1, 4]])
    }

    @Test func `wakes the broker's thread once for all that wait, and at once for what does not`() {
        func write() -> Bool {
            let changes = rig.outbox.takeChanges()
            for row in changes.rows { rig.rows[row.place] = row }
            return rig.outbox.written(stored: rig.rows.count)
        }
        enqueue(1)
        #expect(write())
        enqueue(2)
        #expect(!write())
        enqueue(3, isPressing: true)
        #expect(write())
    }

    @Test func `does not wait where there is enough for full messages`() {
        for number in 0..<256 { enqueue(number) }
        rig.write()
        #expect(offers().map(\.count) == [128, 128])
    }

    @Test func `fills messages with a backlog, without waiting`() {
        let numbers = Array(0..<200)
        for number in numbers { enqueue(number) }
        rig.write()
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        let offers = offers()
        #expect(offers.map(\.count) == [128, 72])
        #expect(offers.flatMap(\.self) == numbers)
    }

    @Test func `sends all of them again after a lost connection, under their own ids`() {
        enqueue(1, 2)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == [[1, 2]])
        _ = rig.outbox.connectionLost(at: rig.now)
        _ = rig.outbox.connected()
        enqueue(3)
        rig.write()
        #expect(offers() == [[1, 2]], "the third is live, and waits")
        rig.outbox.settle(Sample.id(1))
        rig.wait(.seconds(1))
        #expect(offers() == [[3]])
    }

    @Test(arguments: [Outbox.Refusal.message, .either, .topic])
    func `divides a message that the broker refuses: a bad reading costs no other`(_ refusal: Outbox.Refusal) {
        enqueue(1, 2, 3)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == [[1, 2, 3]])
        #expect(rig.refuse(1, refusal) == .divided)
        #expect(offers() == [[1], [2], [3]])
        // The second is the one that it does not take.
        rig.outbox.settle(Sample.id(1))
        rig.outbox.settle(Sample.id(3))
        #expect(rig.refuse(2, .message) == .givenUp(.sample(reading(2), topics: Sample.topics)))
        rig.write()
        #expect(rig.rows.isEmpty)
        // For a while all that follow leave by themselves.
        rig.wait(.seconds(61))
        enqueue(4, 5)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == (refusal == .topic ? [[4], [5]] : [[4, 5]]))
    }

    private func reading(_ number: Int) -> Reading {
        Reading(
            id: Sample.id(number), person: Sample.maria, device: DeviceID(sample: "strap"),
            quantity: Quantity(.heartRate, 72), contact: .detected, arrival: Sample.moment(Double(number)))
    }

    @Test func `keeps all of them where the broker is full for a while`() {
        enqueue(1, 2)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == [[1, 2]])
        rig.refuse(1, .everything)
        #expect(offers().isEmpty)
        rig.wait(.seconds(61))
        #expect(offers() == [[1], [2]])
    }

    @Test func `makes messages as small as the broker wants them`() {
        _ = rig.outbox.connected(maximumPayload: 800)
        enqueue(1, 2, 3, 4, 5)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == [[1, 2], [3, 4], [5]])
    }

    @Test func `gives up gathering where connections end on gathered messages`() {
        enqueue(1, 2)
        rig.write()
        rig.wait(.seconds(1))
        for _ in 1...3 {
            #expect(offers() == [[1, 2]])
            _ = rig.outbox.connectionLost(at: rig.now)
            _ = rig.outbox.connected()
        }
        // By then the topic that was offered first stands back for a minute as well, and one of it asks first.
        rig.wait(.seconds(61))
        #expect(offers() == [[1]])
        rig.outbox.settle(Sample.id(1))
        #expect(offers() == [[2]])
    }

    @Test func `asks about each of them, and leaves out what may not leave any more`() {
        enqueue(1, 2, 3)
        rig.write()
        rig.wait(.seconds(1))
        let offer = rig.outbox.next(at: rig.now, clear: { $0.id == Sample.id(2) ? nil : Cleared($0) })
        #expect(offer.parts.map(\.value.id) == [Sample.id(1), Sample.id(3)])
        #expect(offer.withheld.map(\.id) == [Sample.id(2)])
    }

    @Test func `forgets what waits when its consent is withdrawn`() {
        enqueue(1, 2)
        enqueue(3, of: paolo)
        rig.write()
        let purged = rig.outbox.purge { $0.disclosure.tellsReadings(of: Sample.maria) }
        #expect(purged.map(\.id) == [Sample.id(1), Sample.id(2)])
        rig.wait(.seconds(1))
        #expect(offers() == [[3]])
    }

    @Test func `lets go what waits when the session stops, or gathering is switched off`() {
        enqueue(1, 2)
        rig.write()
        rig.outbox.release()
        #expect(offers() == [[1, 2]])
        enqueue(3, 4)
        rig.write()
        rig.outbox.gather(within: .zero)
        #expect(offers() == [[3], [4]])
    }

    @Test func `offers a reading once that a wearable has told twice`() {
        enqueue(1, 1, 2)
        rig.write()
        rig.wait(.seconds(1))
        #expect(offers() == [[1, 2]])
    }
}
