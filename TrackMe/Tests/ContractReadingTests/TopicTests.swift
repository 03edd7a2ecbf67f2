import ContractReading
import GatewayModel
import Testing

@Suite struct `A topic` {
    @Test(arguments: [
        "", "trackme/v1/house-12", "trackme/v2/house-12/status", "trackme/v1//status", "trackme/v1/+/status",
        "trackme/v1/house-12/status/", "trackme/v1/house-12/sos/maria/accepted", "trackme/v1/house-12/commands",
        "trackme/v1/house-12/samples/Maria", "trackme/v1/house-12/samples/maria/heart-rate/more",
        "trackme/v1/house-12/runs/milan/results", "trackme/v1/house-12/parties/clinic/maria",
        "trackme/v1/house-12/samples/maria/../gap", "/trackme/v1/house-12/status",
        // A company's user at the broker, which the rule for a fleet lets write below its own name.
        "trackme/v1/clinic@party/sos/maria",
    ])
    func `outside of the contract is refused`(_ text: String) {
        #expect(throws: ContractFault.topic) { try ContractTopic(text) }
    }

    @Test func `may name a kind of a newer gateway`() throws {
        let topic = try ContractTopic("trackme/v1/house-12/samples/maria/skin-temperature")
        #expect(topic.gateway.text == "house-12")
        #expect(try topic.channel == .samples(#require(PersonID("maria")), kind: "skin-temperature"))
    }

    @Test func `of several readings has no kind`() throws {
        let topic = try ContractTopic("trackme/v1/house-12/samples/maria")
        #expect(try topic.channel == .samples(#require(PersonID("maria")), kind: nil))
    }
}
