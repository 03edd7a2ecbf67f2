public import GatewayModel
public import SOSLocal

/// Texts for people in every call for help, in the person's language. Pure.
public struct CallWords: Sendable {
    public let language: PersonProfile.Language

    public init(_ language: PersonProfile.Language) {
        self.language = language
    }

    /// The one of the two that is in the language.
    public func say(_ english: String, _ italian: String) -> String {
        switch language {
        case .english: english
        case .italian: italian
        }
    }

    /// `Heart rate too high`, `SOS button`.
    public func event(_ cause: AlarmCause) -> String {
        switch cause {
        case .crossing(let crossing): event(crossing.rule.kind, crossing.rule.side)
        case .signal(let signal):
            signal.device.isHouseInterface ? say("Call for help", "Richiesta di aiuto") : event(signal.kind)
        case .earlyWarning: say("Several vital signs out of range", "Più parametri vitali fuori norma")
        case .silence: say("Sensor has fallen silent", "Il sensore non trasmette più")
        case .drill: say("Drill", "Esercitazione")
        }
    }

    private func event(_ kind: QuantityKind, _ side: LimitRule.Side) -> String {
        let words = kind.words(in: language)
        let ending = words.isFeminine ? "a" : "o"
        return switch side {
        case .low: say("\(words.title) too low", "\(words.title): troppo bass\(ending)")
        case .high: say("\(words.title) too high", "\(words.title): troppo alt\(ending)")
        }
    }

    private func event(_ kind: WearableSignal.Kind) -> String {
        switch kind {
        case .sosButton: say("SOS button pressed", "Pulsante SOS premuto")
        case .fall: say("Fall", "Caduta")
        case .shaking: say("Repeated shaking, as in a seizure", "Scosse ripetute, come in una crisi convulsiva")
        }
    }

    /// The value and the limit that it broke; nil where nothing was measured.
    public func measured(_ cause: AlarmCause) -> String? {
        switch cause {
        case .crossing(let crossing):
            guard let value = shown(crossing.reading.quantity),
                let limit = shown(Quantity(crossing.rule.kind, crossing.rule.limit))
            else { return nil }
            return say("\(value), limit \(limit)", "\(value), limite \(limit)")
        case .earlyWarning(let warning):
            return say(
                "NEWS2 score \(warning.points) of \(warning.parameters) parameters, limit \(warning.limit)",
                "punteggio NEWS2 \(warning.points) su \(warning.parameters) parametri, limite \(warning.limit)")
        case .silence(let silence):
            return say(
                "nothing for \(silence.limit.components.seconds) s",
                "niente da \(silence.limit.components.seconds) s")
        case .signal, .drill: return nil
        }
    }

    /// For a call by values that nothing supports.
    public var doubt: String { say("The sensor may be wrong.", "Il sensore potrebbe sbagliare.") }

    /// With the unit as people write it; nil for a value that is not a number.
    public func shown(_ quantity: Quantity) -> String? {
        quantity.value.plain.map { "\($0) \(quantity.kind.words(in: language).displayUnit)" }
    }

    /// The text always names the owner, the age and the accuracy of the position (T9).
    public func place(_ location: AlarmLocation) -> String {
        switch location {
        case .fix(let fix, let bearer, let age):
            return say("position of ", "posizione ") + owner(bearer) + quality(of: fix, age: age)
        case .lastKnown(let fix, let bearer, let age):
            return say("last known position of ", "ultima posizione nota ") + owner(bearer)
                + quality(of: fix, age: age)
        case .installed(let place):
            return say(
                "address where the box is installed: \(place.address)",
                "indirizzo di installazione: \(place.address)")
        }
    }

    private func owner(_ bearer: AlarmLocation.Bearer) -> String {
        switch bearer {
        case .wearable: say("the person's wearable", "del dispositivo della persona")
        case .box: say("the box, not of the person", "della centralina, non della persona")
        }
    }

    private func quality(of fix: Fix, age: Duration) -> String {
        let seconds = age.components.seconds
        let old = say(", \(seconds) s old", ", di \(seconds) s fa")
        guard let metres = fix.horizontalError?.wholeMetres else {
            return old + say(", accuracy unknown", ", precisione ignota")
        }
        return old + say(", within \(metres) m", ", entro \(metres) m")
    }

    /// Text on the end of an alarm, with the person who ended it.
    public func ending(_ ending: AlarmEnding) -> String {
        let by = ending.act.by
        switch ending {
        case .aborted: return say("Cancelled by \(by).", "Annullata da \(by).")
        case .accepted: return say("Taken by \(by).", "Presa in carico da \(by).")
        case .resolved: return say("Dealt with by \(by).", "Risolta da \(by).")
        case .lapsed: return say("The drill is over.", "L'esercitazione è finita.")
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
