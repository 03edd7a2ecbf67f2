import GatewayModel

/// Values that a key accepts: in words for people, and as the check itself.
struct Form<Value: Sendable>: Sendable {
    /// Completes "expected …".
    let expected: String
    /// Personal data: an error message says its length, not its content.
    let isPersonal: Bool
    let content: KeyContent
    let judge: @Sendable (TOMLValue) -> Verdict<Value>

    init(
        _ expected: String, isPersonal: Bool = false, content: KeyContent = .free,
        judge: @escaping @Sendable (TOMLValue) -> Verdict<Value>
    ) {
        self.expected = expected
        self.isPersonal = isPersonal
        self.content = content
        self.judge = judge
    }

    /// The value as an error message may show it.
    func shown(_ value: TOMLValue) -> String {
        if isPersonal, case .string(let text) = value { return "a text of \(text.count) characters" }
        if isPersonal, case .array(let nodes) = value { return "a list of \(nodes.count)" }
        // A telephone number or a PIN without its quotes.
        if isPersonal, case .integer = value { return "a number" }
        return value.description
    }
}

/// Kind of the values of a key, for those that copy or show whole settings.
enum KeyContent: Sendable {
    /// A text of the installer: a name, a host, an address, a path.
    case free
    /// Fixed words, truth, numbers and times: the value alone names nobody.
    case plain
    /// Path of a file that belongs to the settings: a key, a password, a certificate.
    case file
}

/// The answer of a form. There is no third: a value that is not accepted is never replaced.
enum Verdict<Value: Sendable>: Sendable {
    case accepted(Value)
    /// With the remedy.
    case refused(String)
}

/// A unit that people write a value in by mistake.
struct OtherUnit: Sendable {
    let name: String
    /// The value in the unit of the key; nil where there is none.
    let convert: @Sendable (Double) -> Double?

    static let milliseconds = OtherUnit(name: "milliseconds") { $0 / 1_000 }

    /// Units besides that of a kind of reading.
    static func all(of kind: QuantityKind) -> [OtherUnit] {
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
    static func advice(
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
    static func wholeNumber(_ range: ClosedRange<Int>, mistakenFor units: [OtherUnit] = []) -> Form {
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
    static func number(
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
    static func seconds(_ range: ClosedRange<Double>) -> Form {
        let number = Form<Double>.number(range, mistakenFor: [.milliseconds])
        return Form("seconds, \(plain(range.lowerBound))...\(plain(range.upperBound))", content: .plain) {
            value in
            switch number.judge(value) {
            case .accepted(let seconds): .accepted(.nanoseconds(Int64((seconds * 1e9).rounded())))
            case .refused(let advice): .refused(advice)
            }
        }
    }

    static func wholeSeconds(_ range: ClosedRange<Int>) -> Form {
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
    static var truth: Form {
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
    var inSeconds: String { "\(Double(wholeNanoseconds) / 1e9) s" }
}

extension Form {
    /// A text without control characters, which no setting has a use for and a log would suffer from.
    static func text(
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
    static func text(_ lengths: ClosedRange<Int>, isPersonal: Bool = false) -> Form {
        let expected = "a text of \(lengths.lowerBound) to \(lengths.upperBound) characters"
        return text(expected, isPersonal: isPersonal) { text in
            if text.count > lengths.upperBound { return .refused("shorten it") }
            guard text.contains(where: { !$0.isWhitespace }) else { return .refused("fill it in") }
            return .accepted(text)
        }
    }
}

extension Form where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: Form {
        let words = Value.allCases.map(\.rawValue)
        let quoted = words.map { "\"\($0)\"" }.joined(separator: ", ")
        return text("one of \(quoted)", content: .plain) { text in
            if let value = Value(rawValue: text) { return .accepted(value) }
            return .refused("write one of these\(NearestName.hint(text, among: words))")
        }
    }
}

extension Form where Value: Name {
    static var name: Form {
        text("a name: \(Value.form)") { text in
            guard let name = Value(text) else { return .refused("leave out every other character") }
            return .accepted(name)
        }
    }
}

extension Form where Value == DeviceAddress {
    static var deviceAddress: Form {
        text("a Bluetooth address of six octets such as \"C0:FF:EE:00:00:01\"") { text in
            guard let address = DeviceAddress(text) else {
                return .refused(
                    "copy it from the wearable's label, or leave the section out and use: homegateway devices pair"
                )
            }
            return .accepted(address)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

extension Form where Value == DayTime {
    static var dayTime: Form {
        text("a time of day such as \"11:00\"", content: .plain) { text in
            DayTime(text).map { .accepted($0) } ?? .refused("write two digits, a colon, two digits")
        }
    }
}

extension Form where Value == GatewaySettings.WakingHours {
    static var hours: Form {
        text("hours such as \"07:00-22:00\"", content: .plain) { text in
            let times = text.split(separator: "-", omittingEmptySubsequences: false).map { DayTime($0) }
            guard times.count == 2, let begin = times[0], let end = times[1] else {
                return .refused("write two times of day with a hyphen between")
            }
            guard begin != end else { return .refused("leave some hours between them") }
            return .accepted(GatewaySettings.WakingHours(begin: begin, end: end))
        }
    }
}

extension Form {
    /// A list of words, each once; an empty one says as much as none.
    /// - Parameter words: those that may be chosen.
    static func choices<Word>(among words: [Word] = Array(Word.allCases)) -> Form
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
    fileprivate static func list<Element: Hashable>(
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

extension Form where Value == [ChannelID] {
    /// Whether there are such channels is not the form's question.
    static func channels(least: Int) -> Form {
        Form("a list of ids of channels such as [\"mqtt\"]") { value in
            let verdict = list(value) { ChannelID($0) }
            guard case .accepted(let ids) = verdict, ids.count < least else { return verdict }
            return .refused("write at least one")
        }
    }
}

extension Form where Value == [UInt8: PersonID] {
    /// Whether there are such persons is not the form's question.
    static var users: Form {
        Form("users by their numbers, 0...254, such as { 1 = \"maria\", 2 = \"gino\" }") { value in
            guard case .table(let table) = value else { return .refused("write it in { }") }
            var users: [UInt8: PersonID] = [:]
            for entry in table.entries {
                // 255 is the device's word for a user that it does not know.
                guard let number = UInt8(entry.key), number < 255, String(number) == entry.key else {
                    return .refused("write the number that the device shows instead of \(entry.key)")
                }
                guard case .string(let text) = entry.node.value, let person = PersonID(text) else {
                    return .refused("write the id of a person in quotes behind \(number) =")
                }
                users[number] = person
            }
            return users.isEmpty ? .refused("write at least one, or remove it") : .accepted(users)
        }
    }
}

extension Form where Value == Set<RunPattern> {
    /// Whether there are such runs is not the form's question: they may come later.
    static var runs: Form {
        Form("a list of ids of runs such as [\"spring-10k\", \"milan-*\"]") { value in
            switch list(value, { RunPattern($0) }) {
            case .accepted(let ids): .accepted(Set(ids))
            case .refused(let advice): .refused(advice)
            }
        }
    }
}

extension Form where Value == [String] {
    /// Each once. They are personal: a mistake is told by its place in the list.
    static func phones(_ counts: ClosedRange<Int>) -> Form {
        let form = Form<String>.phone
        let expected =
            "a list of \(counts.lowerBound) to \(counts.upperBound) phone numbers such as [\"+390212345678\"]"
        return Form(expected, isPersonal: true) { value in
            guard case .array(let nodes) = value else { return .refused("write it in [ ]") }
            guard nodes.count >= counts.lowerBound else { return .refused("write at least one") }
            guard nodes.count <= counts.upperBound else { return .refused("shorten the list") }
            var phones: [String] = []
            for (number, node) in nodes.enumerated() {
                switch form.judge(node.value) {
                case .accepted(let phone) where phones.contains(phone):
                    return .refused("write number \(number + 1) once")
                case .accepted(let phone): phones.append(phone)
                case .refused(let advice): return .refused("in number \(number + 1), \(advice)")
                }
            }
            return .accepted(phones)
        }
    }

    /// All by name or all by address, so that none can be there twice.
    static func adapters(most: Int) -> Form {
        let form = Form<String>.adapter
        return Form("a list of at most \(most) adapters such as [\"hci0\", \"hci1\"]") { value in
            let verdict = list(value) { text -> String? in
                if case .accepted(let adapter) = form.judge(.string(text)) { adapter } else { nil }
            }
            guard case .accepted(let adapters) = verdict else { return verdict }
            guard adapters.count <= most else { return .refused("shorten the list") }
            let named = adapters.count { $0.hasPrefix("hci") }
            guard named == 0 || named == adapters.count else {
                return .refused("write all by name or all by address")
            }
            return verdict
        }
    }

    /// - Parameter count: the most there may be.
    static func texts(_ lengths: ClosedRange<Int>, count: Int) -> Form {
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

extension Form where Value == String {
    /// Digits that a person remembers.
    static var pin: Form {
        text("a text of 4 to 8 digits", isPersonal: true) { text in
            let isPlain = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard isPlain, (4...8).contains(text.utf8.count) else {
                return .refused("write 4 to 8 of the digits 0 to 9")
            }
            return .accepted(text)
        }
    }

    /// E.164: a plus, then at most 15 digits of which the first, of the country code, is none of 0. Spaces
    /// between groups are taken out.
    static var phone: Form {
        text(E164.form, isPersonal: true) { text in
            E164.parse(text).map { .accepted($0) } ?? .refused(E164.remedy)
        }
    }
}
