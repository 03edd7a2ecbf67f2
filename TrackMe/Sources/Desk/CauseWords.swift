public import GatewayModel

/// Names of the rules that raise alarms, as people read them.
public struct CauseWords: Hashable, Sendable {
    private let language: PersonProfile.Language

    public init(_ language: PersonProfile.Language) { self.language = language }

    /// Title of a rule of the contract. A newer house may have rules that this program does not know.
    public func title(ofRule rule: String) -> String {
        let words: [String: (String, String)] = [
            "sos-button": ("Call for help", "Richiesta di aiuto"), "fall": ("Fall", "Caduta"),
            "shaking": ("Shaking", "Tremore"), "sensor-silent": ("Sensor silent", "Sensore muto"),
            "drill": ("Rehearsal", "Esercitazione"),
            "early-warning-score": ("Early warning score", "Punteggio di allerta"),
        ]
        if let known = words[rule] { return language == .english ? known.0 : known.1 }
        for (ending, english, italian) in [("-high", "high", "alto"), ("-low", "low", "basso")] {
            let plain = rule.hasSuffix("-warning") ? String(rule.dropLast(8)) : rule
            if plain.hasSuffix(ending), let kind = QuantityKind(rawValue: String(plain.dropLast(ending.count)))
            {
                return "\(kind.words(in: language).title): \(language == .english ? english : italian)"
            }
        }
        return rule
    }

    /// A value with the unit that people read, to one digit after the point.
    public func figure(_ value: Double, _ unit: String?, kind: String? = nil) -> String {
        let bounded = min(max(value, -1_000_000), 1_000_000)
        let tenths = Int((bounded * 10).rounded())
        let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
        let shown = kind.flatMap { QuantityKind(rawValue: $0)?.words(in: language).displayUnit } ?? unit ?? ""
        return shown.isEmpty ? number : "\(number) \(shown)"
    }
}
