/// What a key accepts: in words for people, and as the check itself.
struct Form<Value: Sendable>: Sendable {
    /// Completes "expected …".
    let expected: String
    /// Personal data: an error message says how long it is, not what it is.
    let isPersonal: Bool
    let judge: @Sendable (TOMLValue) -> Verdict<Value>

    init(
        _ expected: String, isPersonal: Bool = false,
        judge: @escaping @Sendable (TOMLValue) -> Verdict<Value>
    ) {
        self.expected = expected
        self.isPersonal = isPersonal
        self.judge = judge
    }

    /// The value as an error message may show it.
    func shown(_ value: TOMLValue) -> String {
        if isPersonal, case .string(let text) = value { return "a text of \(text.count) characters" }
        if isPersonal, case .array(let nodes) = value { return "a list of \(nodes.count)" }
        return value.description
    }
}

/// The answer of a form. There is no third: what is not accepted is never replaced.
enum Verdict<Value: Sendable>: Sendable {
    case accepted(Value)
    /// With what to do about it.
    case refused(String)
}
