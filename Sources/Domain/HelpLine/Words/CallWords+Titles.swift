public import GatewayModel

extension CallWords {
    /// What a kind of reading is called.
    public func title(_ kind: QuantityKind) -> String {
        say(kind.coding.title, italian(kind))
    }

    private func italian(_ kind: QuantityKind) -> String {
        switch kind {
        case .heartRate: "Frequenza cardiaca"
        case .rrInterval: "Durata dell'intervallo RR"
        case .systolicPressure: "Pressione sistolica"
        case .diastolicPressure: "Pressione diastolica"
        case .meanArterialPressure: "Pressione arteriosa media"
        case .oxygenSaturation: "Saturazione di ossigeno"
        case .respirationRate: "Frequenza respiratoria"
        case .bodyTemperature: "Temperatura corporea"
        case .glucose: "Glicemia"
        case .bodyWeight: "Massa corporea"
        case .bodyFat: "Massa grassa"
        case .runningSpeed: "Velocità di corsa"
        case .runningCadence: "Cadenza di corsa"
        case .energyExpended: "Energia consumata"
        }
    }
}
