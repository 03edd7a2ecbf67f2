public import GatewayModel
public import SOSLocal

/// Texts for people in every call for help, in the person's language. Pure.
public struct CallWords: Sendable {
    public let language: PersonProfile.Language

    public init(_ language: PersonProfile.Language) {
        self.language = language
    }

    public func say(en: String, it: String) -> String { Text(en: en, it: it).in(language) }

    /// `Heart rate too high`, `SOS button`.
    public func event(_ cause: AlarmCause) -> String {
        switch cause {
        case .crossing(let crossing): event(crossing.rule.kind, crossing.rule.side)
        case .signal(let signal):
            signal.device.isHouseInterface
                ? say(en: "Call for help", it: "Richiesta di aiuto") : event(signal.kind)
        case .earlyWarning: say(en: "Several vital signs out of range", it: "Più parametri vitali fuori norma")
        case .silence: say(en: "Sensor has fallen silent", it: "Il sensore non trasmette più")
        case .drill: say(en: "Drill", it: "Esercitazione")
        }
    }

    private func event(_ kind: QuantityKind, _ side: LimitRule.Side) -> String {
        let words = kind.words(in: language)
        let ending = words.isFeminine ? "a" : "o"
        return switch side {
        case .low: say(en: "\(words.title) too low", it: "\(words.title): troppo bass\(ending)")
        case .high: say(en: "\(words.title) too high", it: "\(words.title): troppo alt\(ending)")
        }
    }

    private func event(_ kind: WearableSignal.Kind) -> String {
        switch kind {
        case .sosButton: say(en: "SOS button pressed", it: "Pulsante SOS premuto")
        case .fall: say(en: "Fall", it: "Caduta")
        case .shaking:
            say(en: "Repeated shaking, as in a seizure", it: "Scosse ripetute, come in una crisi convulsiva")
        }
    }

    /// The value and the limit that it broke; nil where nothing was measured.
    public func measured(_ cause: AlarmCause) -> String? {
        switch cause {
        case .crossing(let crossing):
            guard let value = shown(crossing.reading.quantity),
                let limit = shown(Quantity(crossing.rule.kind, crossing.rule.limit))
            else { return nil }
            return say(en: "\(value), limit \(limit)", it: "\(value), limite \(limit)")
        case .earlyWarning(let warning):
            return say(
                en: "NEWS2 score \(warning.points) of \(warning.parameters) parameters, limit \(warning.limit)",
                it:
                    "punteggio NEWS2 \(warning.points) su \(warning.parameters) parametri, limite \(warning.limit)"
            )
        case .silence(let silence):
            return say(
                en: "nothing for \(silence.limit.components.seconds) s",
                it: "niente da \(silence.limit.components.seconds) s")
        case .signal, .drill: return nil
        }
    }

    /// For a call by values that nothing supports.
    public var doubt: String { say(en: "The sensor may be wrong.", it: "Il sensore potrebbe sbagliare.") }

    /// With the unit as people write it; nil for a value that is not a number.
    public func shown(_ quantity: Quantity) -> String? {
        quantity.value.plain.map { "\($0) \(quantity.kind.words(in: language).displayUnit)" }
    }

    /// The text always names the owner, the age and the accuracy of the position (T9).
    public func place(_ location: AlarmLocation) -> String {
        switch location {
        case .fix(let fix, let bearer, let age):
            return say(en: "position of ", it: "posizione ") + owner(bearer) + quality(of: fix, age: age)
        case .lastKnown(let fix, let bearer, let age):
            return say(en: "last known position of ", it: "ultima posizione nota ") + owner(bearer)
                + quality(of: fix, age: age)
        case .installed(let place):
            return say(
                en: "address where the box is installed: \(place.address)",
                it: "indirizzo di installazione: \(place.address)")
        }
    }

    private func owner(_ bearer: AlarmLocation.Bearer) -> String {
        switch bearer {
        case .wearable: say(en: "the person's wearable", it: "del dispositivo della persona")
        case .box: say(en: "the box, not of the person", it: "della centralina, non della persona")
        }
    }

    private func quality(of fix: Fix, age: Duration) -> String {
        let seconds = age.components.seconds
        let old = say(en: ", \(seconds) s old", it: ", di \(seconds) s fa")
        guard let metres = fix.horizontalError?.wholeMetres else {
            return old + say(en: ", accuracy unknown", it: ", precisione ignota")
        }
        return old + say(en: ", within \(metres) m", it: ", entro \(metres) m")
    }

    /// Text on the end of an alarm, with the person who ended it.
    public func ending(_ ending: AlarmEnding) -> String {
        let by = ending.act.by
        switch ending {
        case .aborted: return say(en: "Cancelled by \(by).", it: "Annullata da \(by).")
        case .accepted: return say(en: "Taken by \(by).", it: "Presa in carico da \(by).")
        case .resolved: return say(en: "Dealt with by \(by).", it: "Risolta da \(by).")
        case .lapsed: return say(en: "The drill is over.", it: "L'esercitazione è finita.")
        }
    }
}

extension Double {
    /// Rounded up; nil for a distance that is none on the globe.
    public var wholeMetres: Int? { (0...40_000_000).contains(self) ? Int(rounded(.up)) : nil }
}

extension Double {
    /// As people write it: `150`, `36.8`; nil for what is no number.
    public var plain: String? {
        guard isFinite else { return nil }
        let rounded = (self * 1_000).rounded() / 1_000
        guard rounded.magnitude < 1e15 else { return "\(self)" }
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }
}
