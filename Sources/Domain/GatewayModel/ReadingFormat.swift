/// In which form readings are told to one who gets them: the broker, a third party.
public enum ReadingFormat: String, CaseIterable, Hashable, Codable, Sendable {
    /// The contract's own short objects.
    case samples
    /// HL7 FHIR R4 Observations.
    case fhir
}
