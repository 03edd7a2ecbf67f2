import GatewayModel

/// The combined score over a person's newest readings, whichever device they are from.
extension VitalRules {
    /// How long a reading says how a person is. What streams is missed after 5 minutes; a single measurement
    /// counts for an hour, as often as NEWS2 asks for a new set at 5 points.
    static func validity(of sampling: Reading.Sampling) -> Duration {
        switch sampling {
        case .stream: .seconds(300)
        case .spot: .seconds(3_600)
        }
    }

    var earlyWarningToKeep: EarlyWarningMonitor.State? {
        earlyWarning.flatMap { $0.state == .watching ? nil : $0.state }
    }

    /// Not while the person exercises, which alone raises the score.
    mutating func judgeScore(completedBy reading: Reading) {
        guard let rule = earlyWarning?.rule, exerciseEnd == nil,
            EarlyWarningScore.kinds.contains(reading.quantity.kind)
        else { return }
        let score = score(by: rule, at: reading.arrival.boot)
        earlyWarning?.judge(score, completedBy: reading)
    }

    mutating func tickScore(at now: BootInstant) -> [Verdict] {
        guard let rule = earlyWarning?.rule, let deadline = earlyWarning?.deadline, now >= deadline
        else { return [] }
        let score = score(by: rule, at: deadline)
        let warning = earlyWarning?.tick(score, at: now)
        return warning.map { [.believed(.earlyWarning($0), rule.priority, at: deadline)] } ?? []
    }

    private func score(by rule: EarlyWarningRule, at now: BootInstant) -> EarlyWarningScore {
        let valid = newest.values.filter { reading in
            reading.arrival.boot.duration(to: now) <= Self.validity(of: reading.sampling)
                && reading.arrival.boot >= restingSince ?? reading.arrival.boot
        }
        let values = valid.sorted { ($0.arrival.boot, $0.device.text) < ($1.arrival.boot, $1.device.text) }
            .map { ($0.quantity.kind, $0.quantity.value) }
        return EarlyWarningScore(
            EarlyWarningScore.Observations(
                values: Dictionary(values) { $1 }, isOnOxygen: rule.isOnOxygen,
                usesSecondScale: rule.usesSecondScale))
    }
}
