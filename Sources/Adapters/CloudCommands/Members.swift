internal import GatewayModel

/// The members of one object, taken by their names; whatever nobody took is unknown.
struct Members {
    /// Where they stand, for messages: `the claims`, `cmd`.
    let place: String
    private var left: [StrictJSON.Member]

    init(_ json: StrictJSON, of place: String) throws(CommandRefusal) {
        guard case .object(let members) = json else {
            throw CommandRefusal(.wrongValue, "\(place): expected an object")
        }
        self.place = place
        left = members
    }

    mutating func takeIfAny(_ name: String) -> StrictJSON? {
        guard let index = left.firstIndex(where: { $0.name == name }) else { return nil }
        return left.remove(at: index).value
    }

    mutating func take(_ name: String) throws(CommandRefusal) -> StrictJSON {
        guard let value = takeIfAny(name) else {
            throw CommandRefusal(.wrongValue, "\(place): \(name) is missing")
        }
        return value
    }

    func wrong(_ name: String, expected: String) -> CommandRefusal {
        CommandRefusal(.wrongValue, "\(place): \(name) is not as expected: \(expected)")
    }

    // MARK: Values of one type

    mutating func text(_ name: String, _ lengths: ClosedRange<Int>) throws(CommandRefusal) -> String {
        guard let text = try textIfAny(name, lengths) else {
            throw CommandRefusal(.wrongValue, "\(place): \(name) is missing")
        }
        return text
    }

    /// Plain text: it is shown on consoles, where a line break or an escape could write lines of its own.
    mutating func textIfAny(_ name: String, _ lengths: ClosedRange<Int>) throws(CommandRefusal) -> String? {
        guard let value = takeIfAny(name) else { return nil }
        guard case .text(let text) = value, PlainText.holds(text, lengths) else {
            throw wrong(
                name,
                expected: "a plain text of \(lengths.lowerBound) to \(lengths.upperBound) characters")
        }
        return text
    }

    /// A text that `make` understands.
    mutating func parsed<Value>(
        _ name: String, expected: String, _ make: (String) -> Value?
    ) throws(CommandRefusal) -> Value {
        guard let value = try parsedIfAny(name, expected: expected, make) else {
            throw CommandRefusal(.wrongValue, "\(place): \(name) is missing; expected \(expected)")
        }
        return value
    }

    mutating func parsedIfAny<Value>(
        _ name: String, expected: String, _ make: (String) -> Value?
    ) throws(CommandRefusal) -> Value? {
        guard let json = takeIfAny(name) else { return nil }
        guard case .text(let text) = json, let value = make(text) else {
            throw wrong(name, expected: expected)
        }
        return value
    }

    mutating func whole(_ name: String, _ range: ClosedRange<Int64>) throws(CommandRefusal) -> Int64 {
        guard case .whole(let number) = try take(name), range.contains(number) else {
            throw wrong(name, expected: "a whole number, \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }

    mutating func wholeIfAny(_ name: String, _ range: ClosedRange<Int64>) throws(CommandRefusal) -> Int64? {
        left.contains { $0.name == name } ? try whole(name, range) : nil
    }

    mutating func truthIfAny(_ name: String) throws(CommandRefusal) -> Bool? {
        guard let value = takeIfAny(name) else { return nil }
        guard case .truth(let truth) = value else { throw wrong(name, expected: "true or false") }
        return truth
    }

    mutating func truth(_ name: String) throws(CommandRefusal) -> Bool {
        guard let truth = try truthIfAny(name) else {
            throw CommandRefusal(.wrongValue, "\(place): \(name) is missing")
        }
        return truth
    }

    /// After all that is known was taken.
    func end() throws(CommandRefusal) {
        guard let name = left.first?.name else { return }
        throw CommandRefusal(
            .unknownMember,
            "\(place): there is no member '\(Self.shown(name))': leave it out, or ask for what this gateway knows"
        )
    }

    private static func shown(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { $0.isASCII && $0.value >= 0x20 }))
    }
}
