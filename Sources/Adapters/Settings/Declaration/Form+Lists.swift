internal import GatewayModel

extension Form {
    /// A list of words, each once; an empty one says as much as none.
    /// - Parameter words: those that may be chosen.
    static func choices<Word>(among words: [Word] = Array(Word.allCases)) -> Form
    where Value == Set<Word>, Word: RawRepresentable & CaseIterable & Sendable, Word.RawValue == String {
        let names = words.map(\.rawValue)
        let quoted = names.map { "\"\($0)\"" }.joined(separator: ", ")
        return Form("a list out of \(quoted)") { value in
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
    /// E.164: a plus, then at most 15 digits of which the first, of the country code, is none of 0. Spaces
    /// between groups are taken out.
    static var phone: Form {
        text("a phone number with its country code such as \"+390212345678\"", isPersonal: true) { text in
            let number = text.filter { $0 != " " }
            let digits = number.dropFirst().utf8
            let isSound =
                number.hasPrefix("+") && (7...15).contains(digits.count)
                && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                && digits.first != UInt8(ascii: "0")
            guard isSound else {
                return .refused("write + and the country code, then the number: 7 to 15 digits in all")
            }
            return .accepted(number)
        }
    }
}
