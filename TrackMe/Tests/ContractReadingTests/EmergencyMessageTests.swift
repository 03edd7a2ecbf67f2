import ContractReading
import GatewayModel
import SOSLocal
import Testing

@Suite struct `A call for help` {
    private static let core = """
        "alarm": "019caa1b-3c40-7d10-8a01-5f0c3a9e0008", "id": "019caa1b-3c40-7d10-8a01-5f0c3a9e0009",
        "person": "maria", "state": "confirmed"
        """

    private func read(_ members: String) throws -> EmergencyMessage {
        try EmergencyMessage(Array("{\(Self.core)\(members)}".utf8), of: #require(PersonID("maria")))
    }

    @Test func `is taken without any detail`() throws {
        let message = try read("")
        #expect(message.state == .confirmed)
        #expect(!message.isDrill)
        #expect(message.time == message.id.wall)
        #expect(message.location == nil)
    }

    @Test(arguments: [
        #""location": 7"#, #""location": {"source": []}"#, #""profile": {"name": "a\nb"}"#, #""trend": {}"#,
        #""trend": [{"kind": "heart-rate"}]"#, #""cause": null, "time": "yesterday""#, #""drill": "no""#,
        #""timeline": []"#, #""round": "first""#,
    ])
    func `is taken without the detail that cannot be read`(_ detail: String) throws {
        let rest = #", "cause": {"rule": "fall", "device": "band"}"#
        let message = try read(detail.contains("cause") ? ", \(detail)" : "\(rest), \(detail)")
        #expect(message.isPartial)
        #expect(message.state == .confirmed)
        #expect(message.cause?.rule == (detail.contains("cause") ? nil : "fall"))
    }

    @Test func `is not a rehearsal unless it says so`() throws {
        #expect(try !read(#", "drill": 1"#).isDrill)
        #expect(try read(#", "drill": true"#).isDrill)
    }

    @Test func `has no place outside of the globe`() throws {
        let message = try read(#", "location": {"source": "fix", "latitude": 91, "longitude": 9}"#)
        #expect(message.location?.source == "fix")
        #expect(message.location?.latitude == nil)
        #expect(message.location?.longitude == nil)
    }

    @Test func `gives the members of the short form`() throws {
        let message = try read(
            #", "short": true, "rule": "heart-rate-high", "value": 150, "unit": "/min", "place": "fix", "#
                + #""at": [45.4661, 9.186], "name": "Maria Rossi", "phones": ["+393331234567"]"#)
        #expect(message.cause?.value == 150)
        #expect(message.location?.longitude == 9.186)
        #expect(message.profile?.contacts.first?.phone == "+393331234567")
        #expect(message.certainty == nil && message.cause?.doubts == nil)
    }

    @Test func `says in each form that it is possible, and why`() throws {
        let doubt = #""doubt": ["poor-signal", "of-a-newer-gateway"]"#
        let full = try read(#", "certainty": "possible", "cause": {"rule": "heart-rate-high", \#(doubt)}"#)
        let short = try read(
            #", "short": true, "certainty": "possible", "rule": "heart-rate-high", \#(doubt)"#)
        for message in [full, short] {
            #expect(message.certainty == .possible && !message.isPartial)
            #expect(message.cause?.doubts == [.poorSignal, .questionable])
        }
        #expect(try read(#", "short": true, "rule": "fall""#).withDetails(of: full).certainty == .possible)
        let surer = try read(#", "short": true, "round": 2, "rule": "fall""#)
        #expect(surer.withDetails(of: full).certainty == nil)
    }

    @Test(arguments: [#""certainty": 7"#, #""cause": {"rule": "fall", "doubt": {}}"#])
    func `is taken where its doubt cannot be read`(_ detail: String) throws {
        let message = try read(", \(detail)")
        #expect(message.state == .confirmed && message.certainty == nil)
        #expect(message.cause?.rule == (detail.contains("fall") ? "fall" : nil))
    }
}
