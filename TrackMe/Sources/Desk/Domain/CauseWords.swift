public import GatewayModel

/// Names of the rules that raise alarms, as people read them.
public struct CauseWords: Hashable, Sendable {
    private let language: PersonProfile.Language

    public init(_ language: PersonProfile.Language) { self.language = language }

    /// Title of a rule of the contract. A newer house may have rules that this program does not know.
    public func title(ofRule rule: String) -> String {
        let words: [String: Text] = [
            "sos-button": Text(en: "Call for help", it: "Richiesta di aiuto"),
            "fall": Text(en: "Fall", it: "Caduta"),
            "shaking": Text(en: "Shaking", it: "Tremore"),
            "sensor-silent": Text(en: "Sensor silent", it: "Sensore muto"),
            "drill": Text(en: "Rehearsal", it: "Esercitazione"),
            "early-warning-score": Text(en: "Early warning score", it: "Punteggio di allerta"),
        ]
        if let known = words[rule] { return known.in(language) }
        for (ending, side) in [("-high", Text(en: "high", it: "alto")), ("-low", Text(en: "low", it: "basso"))]
        {
            let plain = rule.hasSuffix("-warning") ? String(rule.dropLast(8)) : rule
            if plain.hasSuffix(ending), let kind = QuantityKind(rawValue: String(plain.dropLast(ending.count)))
            {
                return "\(kind.words(in: language).title): \(side.in(language))"
            }
        }
        return rule
    }

    /// A value with the unit that people read, to one digit after the point.
    public func figure(_ value: Double, _ unit: String?, kind: String? = nil) -> String {
        let number = Figure(value, in: language).text
        let shown = kind.flatMap { QuantityKind(rawValue: $0)?.words(in: language).displayUnit } ?? unit ?? ""
        return shown.isEmpty ? number : "\(number) \(shown)"
    }
}
