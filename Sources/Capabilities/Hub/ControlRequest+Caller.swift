package import GatewayModel

extension ControlRequest {
    /// Name of the caller, as they named themselves, without control characters.
    package var callerName: String {
        let plain = (by ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(plain).prefix(200))
        return name.isEmpty ? "someone in the house" : name
    }

    /// Person of the request; nil where it names none, or none of a valid form.
    package var personID: PersonID? { person.flatMap { PersonID($0) } }
}
