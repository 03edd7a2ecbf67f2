import GatewayModel

extension FHIR {
    /// A Bundle of the type `batch`, which a server takes in as it is: each Observation is put under its own id.
    static func bundle(of observations: [(id: MessageID, observation: [UInt8])]) -> [UInt8] {
        var json = Array(#"{"entry":["#.utf8)
        for (index, (id, observation)) in observations.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += #"{"request":{"method":"PUT","url":"Observation/\#(id)"},"resource":"#.utf8
            json += observation
            json.append(UInt8(ascii: "}"))
        }
        json += #"],"resourceType":"Bundle","type":"batch"}"#.utf8
        return json
    }
}
