import ContractReading
import GatewayModel
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
    }
}
