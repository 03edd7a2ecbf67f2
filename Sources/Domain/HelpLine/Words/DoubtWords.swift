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
        return say("The sensor may be wrong: \(list).", "Il sensore potrebbe sbagliare: \(list).")
    }

    /// Each doubt in a few words, in the order of the contract.
    public func reasons(_ doubts: Doubts) -> [String] {
        Self.reasons.filter { doubts.contains($0.doubt) }.map { say($0.english, $0.italian) }
    }

    private static let reasons: [(doubt: Doubts, english: String, italian: String)] = [
        (.questionable, "questionable measurement", "misura dubbia"),
        (.signalIrregularity, "irregular signal", "segnale irregolare"),
        (.poorSignal, "poor signal", "segnale debole"),
        (.lowPerfusion, "low perfusion", "scarsa perfusione"),
        (.erraticSignal, "erratic signal", "segnale instabile"),
        (.questionablePulse, "questionable pulse", "polso dubbio"),
        (.interference, "signal interference", "interferenze nel segnale"),
        (.bodyMovement, "movement while measuring", "movimento durante la misura"),
        (.looseCuff, "loose cuff", "bracciale allentato"),
        (.wrongPosition, "wrong position of the cuff", "posizione errata del bracciale"),
        (.irregularPulse, "irregular pulse", "polso irregolare"),
        (.contradictsBeats, "its own beats contradict the rate", "i battiti contraddicono la frequenza"),
        (.miscountedBeats, "beats counted twice or missed", "battiti contati due volte o persi"),
        (.jump, "sudden jump of the value", "salto improvviso del valore"),
    ]
}
