import GatewayModel

/// A text to speak.
struct Utterance: Hashable, Sendable {
    /// Personal: it names people and says how they are.
    let text: String
    let language: PersonProfile.Language
}
