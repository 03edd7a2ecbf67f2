/// A text for people in each language that the product speaks. A further language is one argument more here; each text
/// that has no words in it is then an error of the compiler.
public struct Text: Hashable, Encodable, Sendable {
    public let en: String
    public let it: String

    public init(en: String, it: String) { (self.en, self.it) = (en, it) }

    public func `in`(_ language: PersonProfile.Language) -> String {
        switch language {
        case .english: en
        case .italian: it
        }
    }
}

/// Says texts in one language.
public struct Words: Hashable, Sendable {
    public let language: PersonProfile.Language

    public init(_ language: PersonProfile.Language) { self.language = language }

    public func say(_ text: Text) -> String { text.in(language) }
}
