public import GatewayModel
public import SOSLocal

/// Texts about the doubts of a call's values.
extension CallWords {
    /// For a call by values that nothing supports, with the reasons that are known; nil for any other call.
    public func doubt(_ order: DispatchOrder) -> String? {
        order.certainty == .possible ? doubt(because: order.cause.crossing?.reading.doubts ?? []) : nil
    }

    /// The same for a call whose doubts are known from its message.
    public func doubt(because doubts: Doubts) -> String {
        let reasons = reasons(doubts)
        guard !reasons.isEmpty else { return doubt }
        let list = reasons.joined(separator: ", ")
        return say(en: "The sensor may be wrong: \(list).", it: "Il sensore potrebbe sbagliare: \(list).")
    }

    /// Each doubt in a few words, in the order of the contract.
    public func reasons(_ doubts: Doubts) -> [String] {
        Self.reasons.filter { doubts.contains($0.doubt) }.map { $0.text.in(language) }
    }

    private static let reasons: [(doubt: Doubts, text: Text)] = [
        (.questionable, Text(en: "questionable measurement", it: "misura dubbia")),
        (.signalIrregularity, Text(en: "irregular signal", it: "segnale irregolare")),
        (.poorSignal, Text(en: "poor signal", it: "segnale debole")),
        (.lowPerfusion, Text(en: "low perfusion", it: "scarsa perfusione")),
        (.erraticSignal, Text(en: "erratic signal", it: "segnale instabile")),
        (.questionablePulse, Text(en: "questionable pulse", it: "polso dubbio")),
        (.interference, Text(en: "signal interference", it: "interferenze nel segnale")),
        (.bodyMovement, Text(en: "movement while measuring", it: "movimento durante la misura")),
        (.looseCuff, Text(en: "loose cuff", it: "bracciale allentato")),
        (.wrongPosition, Text(en: "wrong position of the cuff", it: "posizione errata del bracciale")),
        (.irregularPulse, Text(en: "irregular pulse", it: "polso irregolare")),
        (
            .contradictsBeats,
            Text(en: "its own beats contradict the rate", it: "i battiti contraddicono la frequenza")
        ),
        (.miscountedBeats, Text(en: "beats counted twice or missed", it: "battiti contati due volte o persi")),
        (.jump, Text(en: "sudden jump of the value", it: "salto improvviso del valore")),
    ]
}
