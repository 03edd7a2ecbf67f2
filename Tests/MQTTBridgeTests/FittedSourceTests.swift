import BrokerSupport
import Consent
import Foundation
import GatewayModel
import Testing

@testable import Contract
@testable import MQTTBridge

/// Each message in a form that the broker takes.
@Suite struct FittedSourceTests {
    private struct Short: Decodable {
        let alarm: String
        let short: Bool
        let state: String
        var drill: Bool?
        var rule: String?
        var at: [Double]?
        var place: String?
        var person: String?
        var certainty: String?
        var doubt: [String]?
        var time: String?
        var name: String?
        var phones: [String]?
    }

    static let alarm = "0190c3a2-1234-7000-8000-0000000000aa"

    private static func call(
        state: String = "confirmed", drill: Bool = false, isDoubtful: Bool = false
    ) -> Envelope {
        var random = SystemRandomNumberGenerator()
        let id = MessageID(wall: WallTime(millisecondsSince1970: 1_790_000_000_000), using: &random)
        let doubt = isDoubtful ? #""doubt":["poor-signal"],"# : ""
        let certainty = isDoubtful ? #""certainty":"possible","# : ""
        let payload = """
            {"alarm":"\(alarm)",\(certainty)"cause":{"device":"strap",\(doubt)"kind":"heart-rate","limit":120,"rule":"heart-rate-high",\
            "unit":"/min","value":150},"drill":\(drill),"id":"\(id)","location":{"latitude":45.466123456,\
            "longitude":9.186,"source":"fix"},"person":"maria","priority":"high","profile":{"address":"Via Dante 7",\
            "contacts":[{"name":"Anna","phone":"+39021"},{"name":"Ugo","phone":"+39022"}],"medical_notes":["\
            \(String(repeating: "x", count: 700))"],"name":"Maria Rossi"},"round":1,"state":"\(state)",\
            "time":"2026-11-23T02:04:53.740Z","trend":[]}
            """
        return Envelope(
            id: id, lane: .alarm, retention: .certain, disclosure: .emergency(of: PersonID("maria")!),
            topic: "trackme/v1/house-12/sos/maria", payload: Array(payload.utf8))
    }

    private static func welcome(_ version: ProtocolVersion, _ limit: Int?) -> Welcome {
        Welcome(
            broker: BrokerEndpoint(host: "b", port: 1), protocolVersion: version, receiveMaximum: 20,
            isSessionPresent: false, sessionExpiry: nil, maximumPacketSize: limit, keepsRetained: true)
    }

    private func decode(_ publication: Publication) throws -> Short {
        try JSONDecoder().decode(Short.self, from: Data(publication.payload))
    }

    @Test(arguments: [256, 300, 400, 600, 900])
    func `a call fits into a small packet with the most important first`(_ limit: Int) throws {
        let call = Self.call()
        let source = QueueSource([call])
        let fitted = FittedSource(source)
        fitted.connected(Self.welcome(.v5, limit))
        let publication = try #require(fitted.next())
        #expect(publication.packetBytes(.v5) <= limit)
        #expect(publication.id == call.id)
        let short = try decode(publication)
        #expect(short.short && short.alarm == Self.alarm && short.state == "confirmed")
        #expect(short.rule == "heart-rate-high")
        #expect(short.at == [45.46612, 9.186] && short.place == "fix")
        #expect(short.person == "maria")
        if limit >= 300 { #expect(short.time != nil) }
        if limit >= 600 { #expect(short.name == "Maria Rossi" && short.phones == ["+39021", "+39022"]) }
        fitted.acknowledged(publication.id)
        #expect(source.snapshot.acknowledged == [call.id: 1])
        #expect(source.snapshot.violations.isEmpty)
    }

    @Test(arguments: [256, 400, 600])
    func `a call by doubtful values says so in its short form`(_ limit: Int) throws {
        for isDoubtful in [false, true] {
            let fitted = FittedSource(QueueSource([Self.call(isDoubtful: isDoubtful)]))
            fitted.connected(Self.welcome(.v5, limit))
            let short = try decode(try #require(fitted.next()))
            #expect(short.short && short.rule == "heart-rate-high" && short.place == "fix")
            // The essentials and the place leave room for it in a packet of 300 bytes.
            if limit >= 300 { #expect(short.certainty == (isDoubtful ? "possible" : nil)) }
            if limit >= 600 { #expect(short.doubt == (isDoubtful ? ["poor-signal"] : nil)) }
        }
    }

    @Test func `a rehearsal says so in every form`() throws {
        let short = try #require(Self.call(drill: true).shortened(to: 160))
        #expect(try JSONDecoder().decode(Short.self, from: Data(short.payload)).drill == true)
    }

    @Test func `a call that fits goes out whole`() throws {
        let call = Self.call()
        let fitted = FittedSource(QueueSource([call]))
        fitted.connected(Self.welcome(.v5, nil))
        #expect(fitted.next()?.payload == call.payload)
    }

    @Test func `a reading that is too large is refused and holds up nothing`() throws {
        let readings = Envelope.numbered(1, topic: String(repeating: "t", count: 300))
        let call = Self.call()
        let source = QueueSource(readings + [call])
        let fitted = FittedSource(source)
        fitted.connected(Self.welcome(.v5, 256))
        #expect(fitted.next()?.id == call.id)
        #expect(source.snapshot.refused[readings[0].id]?.contains("the broker takes 256") == true)
    }

    @Test(arguments: [0x95, 0x83] as [UInt8])
    func `a call that the broker finds too large goes out short at once`(_ code: UInt8) throws {
        let call = Self.call()
        let source = QueueSource([call])
        let fitted = FittedSource(source)
        fitted.connected(Self.welcome(.v5, nil))
        #expect(fitted.next()?.payload == call.payload)
        fitted.refused(call.id, ReasonCode(rawValue: code), reason: "")
        #expect(source.snapshot.refused.isEmpty)
        let short = try #require(fitted.next())
        #expect(short.packetBytes(.v5) <= 256)
        // The short one is refused as well: then it is told.
        fitted.refused(short.id, ReasonCode(rawValue: code), reason: "no")
        #expect(source.snapshot.refused == [call.id: "no"])
    }

    @Test func `with the old version a call goes out in both forms and counts once`() throws {
        let call = Self.call()
        let source = QueueSource([call])
        let fitted = FittedSource(source)
        fitted.connected(Self.welcome(.v311, nil))
        let (short, full) = (try #require(fitted.next()), try #require(fitted.next()))
        #expect(fitted.next() == nil)
        #expect(short.id == call.id.derived("short") && short.packetBytes(.v311) <= 256)
        #expect(full.payload == call.payload)
        fitted.acknowledged(short.id)
        #expect(source.snapshot.acknowledged.isEmpty)
        fitted.acknowledged(full.id)
        #expect(source.snapshot.acknowledged == [call.id: 1])
        #expect(source.snapshot.violations.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a full form that ends the connection is not tried again`(_ isShortDelivered: Bool) throws {
        let call = Self.call()
        let source = QueueSource([call])
        let fitted = FittedSource(source)
        fitted.connected(Self.welcome(.v311, nil))
        let short = try #require(fitted.next())
        _ = fitted.next()
        if isShortDelivered { fitted.acknowledged(short.id) }
        fitted.connectionLost()
        fitted.connected(Self.welcome(.v311, nil))
        let again = fitted.next()
        #expect((again == nil) == isShortDelivered)
        if let again { fitted.acknowledged(again.id) }
        #expect(fitted.next() == nil)
        #expect(source.snapshot.acknowledged == [call.id: 1])
        #expect(source.snapshot.violations.isEmpty)
    }
}
