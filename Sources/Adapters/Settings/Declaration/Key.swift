/// One key of a section, declared once: the reader, the errors and the reference all use this.
struct Key<Value: Sendable>: DeclaredKey {
    let name: String
    let form: Form<Value>
    let presence: Presence
    let meaning: String

    init(_ name: String, _ form: Form<Value>, _ presence: Presence, _ meaning: String) {
        self.name = name
        self.form = form
        self.presence = presence
        self.meaning = meaning
    }

    var expected: String { form.expected }

    func rightElements(of value: TOMLValue) -> [TOMLNode] {
        guard case .array(let nodes) = value else { return [] }
        return nodes.filter { node in
            if case .accepted = form.judge(.array([node])) { true } else { false }
        }
    }

    var defaultIsOfItsForm: Bool {
        guard case .standard(let value) = presence else { return true }
        if case .accepted = form.judge(value) { return true }
        return false
    }
}

/// What happens where a key is not written.
enum Presence: Sendable {
    case required
    /// In words, what its absence means.
    case optional(String)
    /// The value that holds then, judged by the same form as a written one.
    case standard(TOMLValue)

    var words: String {
        switch self {
        case .required: "required"
        case .optional(let words): words
        case .standard(let value): "`\(value)`"
        }
    }
}

/// A key whatever its type, for the list of a section.
protocol DeclaredKey: Sendable {
    var name: String { get }
    var expected: String { get }
    var presence: Presence { get }
    var meaning: String { get }
    var defaultIsOfItsForm: Bool { get }
    /// The elements of a list that the key accepts, each by itself.
    func rightElements(of value: TOMLValue) -> [TOMLNode]
}
