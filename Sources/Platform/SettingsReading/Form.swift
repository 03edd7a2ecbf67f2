public import GatewayModel

/// Values that a key accepts: in words for people, and as the check itself.
public struct Form<Value: Sendable>: Sendable {
    /// Completes "expected …".
    public let expected: String
    /// Personal data: an error message says its length, not its content.
    public let isPersonal: Bool
    public let content: KeyContent
    public let judge: @Sendable (TOMLValue) -> Verdict<Value>

    public init(
        _ expected: String, isPersonal: Bool = false, content: KeyContent = .free,
        judge: @escaping @Sendable (TOMLValue) -> Verdict<Value>
    ) {
        self.expected = expected
        self.isPersonal = isPersonal
        self.content = content
        self.judge = judge
    }

    /// The value as an error message may show it.
    public func shown(_ value: TOMLValue) -> String {
        if isPersonal, case .string(let text) = value { return "a text of \(text.count) characters" }
        if isPersonal, case .array(let nodes) = value { return "a list of \(nodes.count)" }
        // A telephone number or a PIN without its quotes.
        if isPersonal, case .integer = value { return "a number" }
        return value.description
    }
}

/// Kind of the values of a key, for those that copy or show whole settings.
public enum KeyContent: Sendable {
    /// A text of the installer: a name, a host, an address, a path.
    case free
    /// Fixed words, truth, numbers and times: the value alone names nobody.
    case plain
    /// Path of a file that belongs to the settings: a key, a password, a certificate.
    case file
}

/// The answer of a form. There is no third: a value that is not accepted is never replaced.
public enum Verdict<Value: Sendable>: Sendable {
    case accepted(Value)
    /// With the remedy.
    case refused(String)
}

/// A unit that people write a value in by mistake.
public struct OtherUnit: Sendable {
    public let name: String
    /// The value in the unit of the key; nil where there is none.
    public let convert: @Sendable (Double) -> Double?

    public static let milliseconds = OtherUnit(name: "milliseconds") { $0 / 1_000 }

    /// Units besides that of a kind of reading.
    public static func all(of kind: QuantityKind) -> [OtherUnit] {
        kind.units.dropFirst().map { unit in
            OtherUnit(name: names[unit] ?? unit) { kind.value($0, in: unit) }
        }
    }

    /// Codes of UCUM that people write otherwise.
    private static let names = [
        "[degF]": "°F", "[lb_av]": "pounds", "[stone_av]": "stones", "[mi_i]/h": "mph", "1": "a fraction",
        "/s": "Hz",
    ]

    /// Advice about a number outside of a range that is within it in one of the units; nil for any other.
    ///
    /// - Parameter unit: of the key, for people; empty where the name of the key says it.
    public static func advice(
        on number: Double, outside range: ClosedRange<Double>, of unit: String, among units: [OtherUnit]
    ) -> String? {
        for other in units {
            guard let meant = other.convert(number), range.contains(meant) else { continue }
            // No limit is known more exactly than this.
            let rounded = meant.magnitude >= 60 ? meant.rounded() : (meant * 10).rounded() / 10
            guard range.contains(rounded) else { continue }
            return "\(plain(number)) looks like \(other.name); write \(plain(rounded))"
                + (unit.isEmpty ? "" : ", in \(unit)")
        }
        return nil
    }
}

extension Form where Value == Int {
    /// - Parameter units: in which it may be written by mistake.
    public static func wholeNumber(_ range: ClosedRange<Int>, mistakenFor units: [OtherUnit] = []) -> Form {
        Form("a whole number, \(range.lowerBound)...\(range.upperBound)", content: .plain) { value in
            switch value {
            case .integer(let number):
                guard let number = Int(exactly: number), range.contains(number) else {
                    let bounds = Double(range.lowerBound)...Double(range.upperBound)
                    return .refused(
                        OtherUnit.advice(on: Double(number), outside: bounds, of: "", among: units)
                            ?? Form.outside)
                }
                return .accepted(number)
            case .float: return .refused("write it without a fraction")
            case .string(let text): return .refused(TextMistake.numberInQuotes(text))
            default: return .refused("write one whole number")
            }
        }
    }
}

extension Form where Value == Double {
    /// Integers are taken as numbers too; infinities and "not a number" are in no range.
    ///
    /// - Parameters:
    ///   - unit: for people; empty where the name of the key says it.
    ///   - units: in which it may be written by mistake.
    public static func number(
        _ range: ClosedRange<Double>, in unit: String = "", mistakenFor units: [OtherUnit] = []
    ) -> Form {
        let expected = "a number, \(plain(range.lowerBound))...\(plain(range.upperBound))"
        return Form(expected + (unit.isEmpty ? "" : " \(unit)"), content: .plain) { value in
            let number: Double
            switch value {
            case .integer(let whole): number = Double(whole)
            case .float(let written): number = written
            case .string(let text): return .refused(TextMistake.numberInQuotes(text))
            default: return .refused("write one number")
            }
            guard !range.contains(number) else { return .accepted(number) }
            return .refused(
                OtherUnit.advice(on: number, outside: range, of: unit, among: units) ?? Form.outside)
        }
    }
}

extension Form where Value == Duration {
    public static func seconds(_ range: ClosedRange<Double>) -> Form {
        let number = Form<Double>.number(range, mistakenFor: [.milliseconds])
        return Form("seconds, \(plain(range.lowerBound))...\(plain(range.upperBound))", content: .plain) {
            value in
            switch number.judge(value) {
            case .accepted(let seconds): .accepted(.nanoseconds(Int64((seconds * 1e9).rounded())))
            case .refused(let advice): .refused(advice)
            }
        }
    }

    public static func wholeSeconds(_ range: ClosedRange<Int>) -> Form {
        let number = Form<Int>.wholeNumber(range, mistakenFor: [.milliseconds])
        return Form("whole seconds, \(range.lowerBound)...\(range.upperBound)", content: .plain) { value in
            switch number.judge(value) {
            case .accepted(let seconds): .accepted(.seconds(seconds))
            case .refused(let advice): .refused(advice)
            }
        }
    }
}

extension Form where Value == Bool {
    public static var truth: Form {
        Form("true or false", content: .plain) { value in
            if case .boolean(let truth) = value { return .accepted(truth) }
            if case .string(let text) = value, let truth = TextMistake.truth(text) {
                return .refused("write \(truth), without quotes")
            }
            return .refused("write true or false, without quotes")
        }
    }
}

extension Form {
    fileprivate static var outside: String { "choose a value in this range" }
}

/// A bound as people write it: 25 rather than 25.0.
private func plain(_ number: Double) -> String {
    number.rounded() == number ? String(Int(number)) : String(number)
}

extension Duration {
    /// `2.5 s`: every digit that was written, none that was not.
    public var inSeconds: String { "\(Double(wholeNanoseconds) / 1e9) s" }
}

extension Form {
    /// A text without control characters, which no setting has a use for and a log would suffer from.
    public static func text(
        _ expected: String, isPersonal: Bool = false, content: KeyContent = .free,
        judge: @escaping @Sendable (String) -> Verdict<Value>
    ) -> Form {
        Form(expected, isPersonal: isPersonal, content: content) { value in
            guard case .string(let text) = value else { return .refused("write one text in quotes") }
            guard !text.unicodeScalars.contains(where: \.isControl) else {
                return .refused("remove the control characters (line breaks, tabs, \\u0000 and the like)")
            }
            return judge(text)
        }
    }
}

extension Form where Value == String {
    public static func text(_ lengths: ClosedRange<Int>, isPersonal: Bool = false) -> Form {
        let expected = "a text of \(lengths.lowerBound) to \(lengths.upperBound) characters"
        return text(expected, isPersonal: isPersonal) { text in
            if text.count > lengths.upperBound { return .refused("shorten it") }
            guard text.contains(where: { !$0.isWhitespace }) else { return .refused("fill it in") }
            return .accepted(text)
        }
    }
}

extension Form where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    public static var choice: Form {
        let words = Value.allCases.map(\.rawValue)
        let quoted = words.map { "\"\($0)\"" }.joined(separator: ", ")
        return text("one of \(quoted)", content: .plain) { text in
            if let value = Value(rawValue: text) { return .accepted(value) }
            return .refused("write one of these\(NearestName.hint(text, among: words))")
        }
    }
}

extension Form where Value: Name {
    public static var name: Form {
        text("a name: \(Value.form)") { text in
            guard let name = Value(text) else { return .refused("leave out every other character") }
            return .accepted(name)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension Form {
    /// A list of words, each once; an empty one says as much as none.
    /// - Parameter words: those that may be chosen.
    public static func choices<Word>(among words: [Word] = Array(Word.allCases)) -> Form
    where Value == Set<Word>, Word: RawRepresentable & CaseIterable & Sendable, Word.RawValue == String {
        let names = words.map(\.rawValue)
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return Form("a list out of \(quoted)", content: .plain) { value in
            switch list(value, among: names, { text in words.first { $0.rawValue == text } }) {
            case .accepted(let chosen): .accepted(Set(chosen))
            case .refused(let advice): .refused(advice)
            }
        }
    }

    /// Each element once, in the order in which they are written.
    public static func list<Element: Hashable>(
        _ value: TOMLValue, among names: [String] = [], _ element: (String) -> Element?
    ) -> Verdict<[Element]> {
        guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
        var chosen: [Element] = []
        for node in nodes {
            guard case .string(let text) = node.value, let word = element(text) else {
                let hint =
                    if case .string(let text) = node.value { NearestName.hint(text, among: names) } else { "" }
                return .refused("correct or remove \(node.value)\(hint)")
            }
            guard !chosen.contains(word) else { return .refused("write \(node.value) once") }
            chosen.append(word)
        }
        return .accepted(chosen)
    }
}

extension Form where Value == [String] {
    /// - Parameter count: the most there may be.
    public static func texts(_ lengths: ClosedRange<Int>, count: Int) -> Form {
        let text = Form<String>.text(lengths)
        return Form(
            "a list of at most \(count) texts of \(lengths.lowerBound) to \(lengths.upperBound) characters"
        ) {
            value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard nodes.count <= count else { return .refused("shorten the list") }
            var texts: [String] = []
            for (number, node) in nodes.enumerated() {
                switch text.judge(node.value) {
                case .accepted(let text): texts.append(text)
                case .refused(let advice): return .refused("in number \(number + 1), \(advice)")
                }
            }
            return .accepted(texts)
        }
    }
}
