internal import GatewayModel

extension Form {
    /// A text without control characters, which no setting has a use for and a log would suffer from.
    static func text(
        _ expected: String, isPersonal: Bool = false,
        judge: @escaping @Sendable (String) -> Verdict<Value>
    ) -> Form {
        Form(expected, isPersonal: isPersonal) { value in
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
        return text("one of \(quoted)") { text in
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
