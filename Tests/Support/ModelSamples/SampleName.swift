public import GatewayModel

extension Name {
    /// Creates a name of a test. Traps where `text` does not have the form of a name.
    public init(sample text: String) {
        guard let name = Self(text) else {
            fatalError("the sample name '\(text)' is not valid: expected \(Self.form)")
        }
        self = name
    }
}
