import GatewayModel
import HelpState
import SOSLocal

/// Grammar of English: lists, plurals, counts, and the sentences that depend on it.
struct English {
    func listed(_ kinds: [DataKind], _ precision: LocationPrecision) -> String {
        let titles = kinds.map { kind in
            kind == .location
                ? precision == .exact ? "the exact location" : "the location to about a kilometre"
                : kind.title.in(.english).lowercased()
        }
        guard let last = titles.last, titles.count > 1 else { return titles.first ?? "" }
        return titles.dropLast().joined(separator: ", ") + " and " + last
    }

    func moveWords(
        _ slot: LimitSlot, _ from: Double, _ to: Double, _ kind: QuantityKind, _ manner: Manner
    ) -> String {
        let side = slot.side == .low ? "lower" : "upper"
        let words = kind.words(in: .english)
        let (old, new) = (Figure(from, in: .english), Figure(to, in: .english))
        let unit = manner == .spoken ? words.spokenUnit(isOne: new.isOne) : words.displayUnit
        return "The \(side) \(slot.isWarning ? "warning " : "")limit would be \(new.text) \(unit) instead of "
            + "\(old.text)."
    }

    func cancel(by means: CancelMeans) -> String {
        switch means {
        case .box, .boxOnly: "Press the button of the box."
        case .worn: "Press the button that you wear."
        case .wornTwice: "Press the button that you wear twice."
        case .wornLong: "Press the button that you wear, and hold it."
        case .screen: "You can cancel it on the screen."
        case .gateway: "You can cancel it at the gateway only."
        case .nothing: "It cannot be cancelled from here."
        }
    }

    func finding(_ kind: QuantityKind, _ side: LimitRule.Side) -> String {
        let isHigh = side == .high
        return switch kind {
        case .heartRate: isHigh ? "a fast heart" : "a slow heart"
        case .oxygenSaturation: "too little oxygen"
        case .systolicPressure, .diastolicPressure:
            isHigh ? "a very high blood pressure" : "a very low blood pressure"
        case .bodyTemperature: isHigh ? "a high temperature" : "a low temperature"
        case .glucose: isHigh ? "a high blood sugar" : "a low blood sugar"
        default: isHigh ? "a value that is too high" : "a value that is too low"
        }
    }

    func who(_ name: String?) -> String { name ?? "someone in the house" }
    func by(_ what: String, _ name: String?) -> String {
        name.map { "\(what) by \($0)." } ?? "\(what)."
    }
    func callYourself(_ audience: Statement.Audience, _ isDrill: Bool) -> String {
        isDrill
            ? " Have the connection checked."
            : audience == .help ? " Dial 112 yourself." : " Call them yourself."
    }
    func named(_ recipients: [HelpRecipient]) -> String {
        let names = recipients.map { $0.name ?? ($0.kind == .desk ? "the help desk" : "your carers") }
        guard let last = names.last else { return "somebody" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
    }
    func isPlural(_ recipients: [HelpRecipient]) -> Bool {
        recipients.count > 1 || recipients.contains { $0.name == nil && $0.kind == .carers }
    }
    func subject(_ audience: Statement.Audience) -> String {
        audience == .help ? "help" : "your carers"
    }
    func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    func time(_ seconds: Int) -> String {
        seconds < 120 ? counted(seconds, "second") : counted(seconds / 60, "minute")
    }

    func limitWords(
        _ kind: QuantityKind, _ side: String, _ value: Double, _ limit: Double, _ manner: Manner
    ) -> String {
        let words = kind.words(in: .english)
        let figure = Figure(value, in: .english)
        switch manner {
        case .spoken:
            return "\(words.title) \(side): \(figure.text) \(words.spokenUnit(isOne: figure.isOne))."
        case .shown:
            let limit = Figure(limit, in: .english).text
            return "\(words.title) \(side): \(figure.text) \(words.displayUnit) (limit \(limit))."
        }
    }
}
