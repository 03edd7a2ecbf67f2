import Consent
import GatewayModel
import ModelSamples
import Samples
import Testing

@Suite struct `What a third party gets` {
    private struct Message: Disclosable {
        let disclosure: Disclosure
    }

    private let gate = ConsentGate(ledger: ConsentLedger(persons: [ConsentSample.maria, ConsentSample.paolo]))

    @discardableResult
    private func take(
        _ act: ConsentAct, for person: PersonID = ConsentSample.maria, at seconds: Int = 0
    ) throws -> [ConsentEntry] {
        try gate.record(
            ConsentDecision(
                act, for: person, by: "Maria", means: .commandLine, at: ConsentSample.wall(seconds)))
    }

    /// - Returns: its epoch.
    @discardableResult
    private func grant(_ request: DataRequest, at seconds: Int = 0) throws -> LedgerSequence {
        try take(.policy(.dataPolicy, .accepted), for: request.person)
        try take(.requested(request), for: request.person, at: seconds)
        return try #require(try take(.granted(request.id), for: request.person, at: seconds).first).sequence
    }

    private func reading(
        _ kind: QuantityKind = .heartRate, of person: PersonID = ConsentSample.maria, at seconds: Int = 5,
        measured: Int? = nil
    ) -> Reading {
        Reading(
            id: Sample.id(1), person: person, device: DeviceID(sample: "strap"),
            quantity: Quantity(kind, 72), contact: .unknown, currency: measured == nil ? .live : .history,
            deviceTime: measured.map { DeviceTime(wall: ConsentSample.wall($0), offset: nil) },
            arrival: Sample.moment(Double(seconds)))
    }

    private func parties(_ reading: Reading) -> [PartyID] {
        gate.clearShares(of: reading, at: reading.arrival.wall).map(\.value.grant.party.id)
    }

    private func lets(_ disclosure: Disclosure, at seconds: Int = 5) -> Bool {
        (try? gate.clearShare(Message(disclosure: disclosure), at: ConsentSample.wall(seconds))) != nil
    }

    private func share(
        _ epoch: LedgerSequence, with party: PartyID = ConsentSample.clinic,
        of person: PersonID = ConsentSample.maria, _ kind: QuantityKind = .heartRate
    ) -> Disclosure { .share(with: party, of: person, kind: .quantity(kind), epoch: epoch) }

    @Test func `of the place is a grant of its own: no grant of readings, and no policy, gives it`() throws {
        let sample = PositionSample(
            id: Sample.id(1), person: ConsentSample.maria, source: .box,
            coordinates: try #require(Coordinates(latitude: 45, longitude: 9)), horizontalError: nil,
            arrival: Sample.moment(5))
        func receivers() -> [RequestID] {
            gate.clearShares(of: sample, at: ConsentSample.wall(5)).map(\.value.grant.request.id)
        }
        try grant(ConsentSample.request("r1", for: Set(QuantityKind.allCases)))
        #expect(receivers().isEmpty)
        let epoch = try grant(
            ConsentSample.request(
                "r2", by: ConsentSample.party(ConsentSample.study), data: [.location]))
        #expect(receivers() == [ConsentSample.id("r2")])
        #expect(parties(reading()) == [ConsentSample.clinic])
        let place = Disclosure.share(
            with: ConsentSample.study, of: ConsentSample.maria, kind: .location, epoch: epoch)
        #expect(lets(place))
        try take(.withdrawn(ConsentSample.id("r2")))
        #expect(receivers().isEmpty && !lets(place))
    }

    @Test func `is nothing before it is granted, and what was asked after it`() throws {
        try take(.policy(.dataPolicy, .accepted))
        try take(.requested(ConsentSample.request()))
        #expect(parties(reading()).isEmpty)
        try take(.granted(ConsentSample.id("r1")))
        #expect(parties(reading()) == [ConsentSample.clinic])
        #expect(parties(reading(.glucose)).isEmpty)
        try take(.policy(.dataPolicy, .accepted), for: ConsentSample.paolo)
        #expect(parties(reading(of: ConsentSample.paolo)).isEmpty)
    }

    @Test func `is a copy for each party, and one where it has two grants`() throws {
        let first = try grant(ConsentSample.request("r1"))
        try grant(ConsentSample.request("r2", by: ConsentSample.party(ConsentSample.study)))
        let third = try grant(ConsentSample.request("r3", for: [.heartRate, .glucose]))
        #expect(parties(reading()) == [ConsentSample.clinic, ConsentSample.study])
        #expect(gate.clearShares(of: reading(), at: reading().arrival.wall).first?.value.grant.epoch == first)
        // The other grant goes on where the first ends.
        try take(.withdrawn(ConsentSample.id("r1")))
        #expect(parties(reading()) == [ConsentSample.study, ConsentSample.clinic])
        #expect(!lets(share(first)) && lets(share(third)))
    }

    @Test func `leaves only by the grant it was made under, though the same was granted again since`() throws {
        let first = try grant(ConsentSample.request())
        #expect(lets(share(first)))
        try take(.withdrawn(ConsentSample.id("r1")))
        #expect(!lets(share(first)))
        let second = try #require(try take(.granted(ConsentSample.id("r1"))).first).sequence
        #expect(!lets(share(first)) && lets(share(second)))
    }

    @Test func `leaves for that party, that person and those kinds alone`() throws {
        let epoch = try grant(ConsentSample.request())
        let other = try grant(ConsentSample.request("r2", of: ConsentSample.paolo))
        #expect(lets(share(epoch)) && lets(share(other, of: ConsentSample.paolo)))
        #expect(!lets(share(epoch, with: ConsentSample.study)))
        #expect(!lets(share(epoch, of: ConsentSample.paolo)))
        #expect(!lets(share(epoch, .glucose)))
        #expect(!lets(share(LedgerSequence(0))) && !lets(share(other.next)))
    }

    @Test func `ends with the data policy, and is not back with it`() throws {
        let epoch = try grant(ConsentSample.request())
        try take(.policy(.dataPolicy, .withdrawn))
        #expect(parties(reading()).isEmpty && !lets(share(epoch)))
        try take(.policy(.dataPolicy, .accepted))
        #expect(parties(reading()).isEmpty && !lets(share(epoch)))
    }

    @Test func `begins and ends with the time that was asked for, before anybody writes that down`() throws {
        let epoch = try grant(ConsentSample.request(from: 10, until: 20))
        for (second, isOpen) in [(9, false), (10, true), (19, true), (20, false)] {
            #expect(parties(reading(at: second)).isEmpty == !isOpen, "\(second)")
            #expect(lets(share(epoch), at: second) == isOpen, "\(second)")
        }
        try take(.expired(ConsentSample.id("r1")), at: 20)
        // The clock was set back: over is over.
        #expect(!lets(share(epoch), at: 15))
    }

    @Test func `is nothing after an end that a doubtful clock has told, until a sure one denies it`() throws {
        let epoch = try grant(ConsentSample.request(until: 20))
        // One second in another year.
        #expect(gate.due(at: ConsentSample.wall(1_000_000), isTimeSure: false).isEmpty)
        #expect(!lets(share(epoch)) && parties(reading()).isEmpty && gate.isSuspended(share(epoch)))
        #expect(gate.isGranted(share(epoch)) && gate.snapshot.ending(of: epoch) == nil)
        #expect(gate.due(at: ConsentSample.wall(5), isTimeSure: false).isEmpty)
        #expect(!lets(share(epoch)))
        #expect(gate.due(at: ConsentSample.wall(5), isTimeSure: true).isEmpty)
        #expect(lets(share(epoch)) && parties(reading()) == [ConsentSample.clinic])
        #expect(!gate.isSuspended(share(epoch)))
        #expect(gate.due(at: ConsentSample.wall(20), isTimeSure: true).map(\.epoch) == [epoch])
    }

    @Test func `is granted whatever the time, and not once it is withdrawn, nor to another`() throws {
        let epoch = try grant(ConsentSample.request(from: 10, until: 20))
        #expect(gate.isGranted(share(epoch)))
        #expect(!gate.isGranted(share(epoch, with: ConsentSample.study)))
        #expect(!gate.isGranted(share(epoch, of: ConsentSample.maria, .glucose)))
        #expect(!gate.isGranted(.readings(of: ConsentSample.maria, kind: .heartRate)))
        try take(.withdrawn(ConsentSample.id("r1")))
        #expect(!gate.isGranted(share(epoch)))
    }

    @Test func `is not what a device had stored before the grant, unless the request says since when`() throws {
        try grant(ConsentSample.request("r1", for: [.glucose]), at: 100)
        #expect(parties(reading(.glucose, at: 110, measured: 99)).isEmpty)
        #expect(parties(reading(.glucose, at: 110, measured: 100)) == [ConsentSample.clinic])
        try grant(
            ConsentSample.request(
                "r2", by: ConsentSample.party(ConsentSample.study), for: [.glucose], from: 50), at: 100)
        #expect(parties(reading(.glucose, at: 110, measured: 50)) == [ConsentSample.study])
        #expect(parties(reading(.glucose, at: 110, measured: 49)).isEmpty)
    }

    @Test func `has no way out but its own`() throws {
        let epoch = try grant(ConsentSample.request())
        #expect(throws: ConsentGate.Withheld.wrongPath) {
            try gate.clear(Message(disclosure: share(epoch)))
        }
        #expect(throws: ConsentGate.Withheld.wrongPath) {
            try gate.clearShare(
                Message(disclosure: .readings(of: ConsentSample.maria, kind: .heartRate)),
                at: ConsentSample.wall(5))
        }
        #expect(throws: ConsentGate.Withheld.wrongPath) {
            try gate.discloseInEmergency(
                Message(disclosure: share(epoch)), message: Sample.id(1), at: ConsentSample.wall(5))
        }
    }
}
