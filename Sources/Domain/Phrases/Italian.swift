import GatewayModel
import HelpState
import SOSLocal

/// Grammar of Italian: lists, plurals, counts, and the sentences that depend on it.
struct Italian {
    func listed(_ kinds: [DataKind], _ precision: LocationPrecision) -> String {
        let titles = kinds.map { kind in
            kind == .location
                ? precision == .exact ? "la posizione esatta" : "la posizione a circa un chilometro"
                : kind.title.in(.italian).lowercased()
        }
        guard let last = titles.last, titles.count > 1 else { return titles.first ?? "" }
        return titles.dropLast().joined(separator: ", ") + " e " + last
    }

    func moveWords(
        _ slot: LimitSlot, _ from: Double, _ to: Double, _ kind: QuantityKind, _ manner: Manner
    ) -> String {
        let side = slot.side == .low ? "inferiore" : "superiore"
        let words = kind.words(in: .italian)
        let (old, new) = (Figure(from, in: .italian), Figure(to, in: .italian))
        let unit = manner == .spoken ? words.spokenUnit(isOne: new.isOne) : words.displayUnit
        return "Il limite \(side)\(slot.isWarning ? " di avviso" : "") sarebbe \(new.text) \(unit) invece di "
            + "\(old.text)."
    }

    func cancel(by means: CancelMeans) -> String {
        switch means {
        case .box, .boxOnly: "Premi il pulsante della centralina."
        case .worn: "Premi il pulsante che porti addosso."
        case .wornTwice: "Premi due volte il pulsante che porti addosso."
        case .wornLong: "Tieni premuto il pulsante che porti addosso."
        case .screen: "Puoi annullarlo sullo schermo."
        case .gateway: "Puoi annullarlo solo dalla centralina."
        case .nothing: "Da qui non si può annullare."
        }
    }

    func finding(_ kind: QuantityKind, _ side: LimitRule.Side) -> String {
        let isHigh = side == .high
        return switch kind {
        case .heartRate: isHigh ? "un battito veloce" : "un battito lento"
        case .oxygenSaturation: "poco ossigeno nel sangue"
        case .systolicPressure, .diastolicPressure:
            isHigh ? "una pressione molto alta" : "una pressione molto bassa"
        case .bodyTemperature: isHigh ? "una temperatura alta" : "una temperatura bassa"
        case .glucose: isHigh ? "la glicemia alta" : "la glicemia bassa"
        default: isHigh ? "un valore troppo alto" : "un valore troppo basso"
        }
    }

    func who(_ name: String?) -> String { name ?? "una persona in casa" }
    func by(_ what: String, _ name: String?) -> String {
        name.map { "\(what) da \($0)." } ?? "\(what)."
    }
    func callYourself(_ audience: Statement.Audience, _ isDrill: Bool) -> String {
        isDrill
            ? " Fai controllare il collegamento."
            : audience == .help ? " Chiama tu il 112." : " Chiama tu chi ti assiste."
    }
    func named(_ recipients: [HelpRecipient]) -> String {
        let names = recipients.map { $0.name ?? ($0.kind == .desk ? "la centrale" : "chi ti assiste") }
        guard let last = names.last else { return "qualcuno" }
        return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " e " + last
    }
    func counted(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }

    func time(_ seconds: Int) -> String {
        seconds < 120
            ? counted(seconds, "secondo", "secondi") : counted(seconds / 60, "minuto", "minuti")
    }

    func limitWords(
        _ kind: QuantityKind, _ side: LimitRule.Side, _ value: Double, _ limit: Double, _ manner: Manner
    ) -> String {
        let words = kind.words(in: .italian)
        let ending = words.isFeminine ? "a" : "o"
        let judged = side == .low ? "troppo bass\(ending)" : "troppo alt\(ending)"
        let figure = Figure(value, in: .italian)
        switch manner {
        case .spoken:
            return "\(words.title) \(judged): \(figure.text) \(words.spokenUnit(isOne: figure.isOne))."
        case .shown:
            let limit = Figure(limit, in: .italian).text
            return "\(words.title) \(judged): \(figure.text) \(words.displayUnit) (limite \(limit))."
        }
    }
}
