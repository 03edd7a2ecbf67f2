import GatewayModel

@testable public import SOSLocal

/// Alarms of Maria's heart rate, for tests of their records.
public enum AlarmSample {
    /// An alarm of the reading `number`, crossed and confirmed at that second, with an abort window of 2 s.
    public static func open(_ number: Int = 10) -> Alarm {
        let rule = LimitRule(
            kind: .heartRate, side: .high, limit: 131,
            confirmation: Confirmation(readings: 1, within: .seconds(2)), hysteresis: 5)
        let plan = SOSPlan(
            person: Sample.maria, rules: [rule], windows: AbortWindows(vitalSign: .seconds(2)),
            ways: EscalationPlan(channels: [.mqtt]))
        let crossing = Crossing(reading: Sample.reading(number, bpm: 150), rule: rule)
        return Alarm(
            cause: .crossing(crossing), priority: .high, confirmation: crossing.instant, plan: plan)
    }

    /// The same alarm, sounded after 3 ms, called after `called` seconds, handed over and accepted.
    public static func accepted(_ number: Int = 10, called: Double = 2) -> Alarm {
        var alarm = open(number)
        let start = Double(number)
        alarm.annunciated(at: Sample.moment(start + 0.003).boot)
        _ = alarm.tick(at: Sample.moment(start + called).boot)
        alarm.dispatched(by: .mqtt, at: Sample.moment(start + called).boot)
        alarm.handedOver(by: .mqtt, .confirmed, at: Sample.moment(start + called + 0.5).boot)
        _ = alarm.accept(
            PersonAct(by: "Operator 7", means: .channel), channel: .mqtt,
            at: Sample.moment(start + called + 8).boot)
        return alarm
    }
}
