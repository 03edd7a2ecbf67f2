import Consent
import Foundation
import GatewayModel
import ModelSamples
import Samples
import Testing

@testable import Contract

@Suite struct `An envelope as a row` {
    private static let kinds: [Disclosure] = [
        .emergency(of: Sample.maria), .emergencyOver(of: Sample.maria),
        .notice(of: Sample.maria), .question(of: Sample.maria),
        .readings(of: Sample.maria, kind: .glucose), .receipt(of: Sample.maria), .receipt(of: nil),
        share(.quantity(.glucose)), share(.location), share(.profile(.fiscalCode)),
        .runner(RunID(sample: "spring-10k"), Bib(117)!),
        .runnerLeft(RunID(sample: "spring-10k"), Bib(117)!),
    ]

    private static func share(_ kind: DataKind) -> Disclosure {
        .share(with: PartyID(sample: "clinic"), of: Sample.maria, kind: kind, epoch: LedgerSequence(7))
    }

    private func envelope(
        _ disclosure: Disclosure, lane: Envelope.Lane = .live, _ retention: Envelope.Retention = .certain
    ) -> Envelope {
        Envelope(
            id: Sample.id(1), lane: lane, retention: retention, disclosure: disclosure, topic: "a/b",
            payload: Array(#"{"è":1}"#.utf8), isRetained: lane == .backlog)
    }

    @Test func `comes back as what it was, whatever it discloses`() throws {
        for disclosure in Self.kinds {
            for lane in Envelope.Lane.allCases {
                for retention in [Envelope.Retention.sample, .certain] {
                    let envelope = envelope(disclosure, lane: lane, retention)
                    #expect(try #require(StoredEnvelope(envelope)).envelope == envelope)
                }
            }
        }
    }

    @Test func `keeps when it arrived, where its id tells another time`() throws {
        let row = try #require(StoredEnvelope(.sample(Sample.reading(7), topics: Sample.topics)))
        #expect(row.arrived == Sample.moment(7).wall.millisecondsSince1970)
        #expect(row.envelope?.arrived == Sample.moment(7).wall)
        #expect(try #require(StoredEnvelope(envelope(Self.kinds[0]))).arrived == nil)
    }

    @Test func `names the person and the kind in columns of their own`() throws {
        let row = try #require(StoredEnvelope(.sample(Sample.reading(7), topics: Sample.topics)))
        #expect(
            [row.discloses, row.person, row.kind] == ["readings", "maria", "heart-rate"])
        #expect(row.id == Sample.id(7))
        #expect(row.lane == .live && row.retention == .sample && !row.isRetained)
    }

    @Test func `comes back from its id's bytes, and from no others`() {
        #expect(MessageID(bytes: Sample.id(7).bytes) == Sample.id(7))
        #expect(Sample.id(7).bytes.count == 16)
        for count in [0, 15, 17] { #expect(MessageID(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }

    @Test func `is not made of what is of the moment`() {
        for disclosure in Self.kinds { #expect(StoredEnvelope(envelope(disclosure, .moment)) == nil) }
    }

    @Test func `with a word of another version is no envelope`() throws {
        func row(
            discloses: String = "readings", person: String? = "maria", kind: String? = "glucose",
            party: String? = nil, epoch: Int64? = nil, run: String? = nil, bib: Int? = nil
        ) -> StoredEnvelope {
            StoredEnvelope(
                id: Sample.id(1), lane: .live, retention: .sample, discloses: discloses, person: person,
                kind: kind, party: party, epoch: epoch, run: run, bib: bib, topic: "t", payload: [],
                isRetained: false)
        }
        #expect(row().envelope != nil)
        let foreign = [
            row(discloses: "party"), row(person: nil),
            row(person: "Maria!"), row(kind: nil), row(kind: "humour"), row(discloses: "emergency", person: ""),
            row(discloses: "share"), row(discloses: "share", party: "clinic"),
            row(discloses: "share", epoch: 1),
            row(discloses: "share", party: "Clinic!", epoch: 1), row(discloses: "receipt", person: "Maria!"),
            row(discloses: "runner"), row(discloses: "runner", run: "spring-10k"),
            row(discloses: "runner", bib: 7),
            row(discloses: "runner", run: "Spring!", bib: 7),
            row(discloses: "runner", run: "spring-10k", bib: 0),
        ]
        for row in foreign { #expect(row.envelope == nil, "\(row)") }
    }
}

@Suite struct `A gap in the readings` {
    private let gap = SampleGap(
        from: Sample.moment(0).wall, to: Sample.moment(60).wall, dropped: 54, kept: 6, reason: .quota)
    private let series = SampleSeries(of: Sample.maria, .heartRate, for: .cloud)

    @Test func `says between which arrivals readings are missing, how many and why`() {
        let envelope = Envelope.gap(
            gap, of: series, id: Sample.id(3), at: Sample.moment(90).wall, topics: Sample.topics)
        #expect(envelope.topic == "trackme/v1/house-12/samples/maria/heart-rate/gap")
        #expect(
            String(decoding: envelope.payload, as: UTF8.self)
                == #"{"dropped":54,"from":"2026-03-01T08:30:00.000Z","id":"\#(Sample.id(3))","kept":6,"#
                + #""kind":"heart-rate","person":"maria","reason":"quota","time":"2026-03-01T08:31:30.000Z","#
                + #""to":"2026-03-01T08:31:00.000Z"}"#)
    }

    @Test func `leaves with the consent that the readings need, and is never dropped`() throws {
        let envelope = Envelope.gap(
            gap, of: series, id: Sample.id(3), at: Sample.moment(90).wall, topics: Sample.topics)
        #expect(envelope.disclosure == Sample.reading(1).disclosure)
        #expect(envelope.lane == .live && !envelope.isRetained)
        #expect(envelope.retention == .certain)
        #expect(try #require(StoredEnvelope(envelope)).envelope == envelope)
    }

    @Test func `of a third party's copies is said to them, and goes by the grant that the copies go by`() throws
    {
        let party = SampleSeries(
            of: Sample.maria, .heartRate, for: .party(PartyID(sample: "clinic"), LedgerSequence(7)))
        let envelope = Envelope.gap(
            gap, of: party, id: Sample.id(3), at: Sample.moment(90).wall, topics: Sample.topics)
        #expect(envelope.topic == "trackme/v1/house-12/parties/clinic/maria/heart-rate/gap")
        #expect(
            envelope.disclosure
                == .share(
                    with: PartyID(sample: "clinic"), of: Sample.maria, kind: .quantity(.heartRate),
                    epoch: LedgerSequence(7)))
        let text = String(decoding: envelope.payload, as: UTF8.self)
        #expect(text.contains(#""grant":7"#) && text.contains(#""party":"clinic""#))
        #expect(try #require(StoredEnvelope(envelope)).envelope == envelope)
    }

    @Test func `has its ends in order, though the clock was set back in between`() {
        let back = SampleGap(
            from: gap.to, to: gap.from, dropped: 1, kept: 0, reason: .age)
        #expect(back.from == gap.from && back.to == gap.to)
    }
}
