/// The promise in figures.
public enum Promise {
    /// T2: dispatch leaves no later than this after the crossing.
    public static let dispatchLimit = Duration.seconds(5)
    /// T1: the alarm is raised no later than this after the confirmation.
    public static let alarmLimit = Duration.milliseconds(250)
    /// Kept free between the planned dispatch and the limit for what the plan cannot see: a late
    /// thread (measured overshoot without real-time priority is tens of milliseconds), encoding, the
    /// hand-over to the broker. Ten times the worst overshoot budget of 20 ms and more.
    public static let reserve = Duration.milliseconds(500)
    /// T3: when an early notice leaves at the latest, counted from the crossing.
    public static let noticeAfter = dispatchLimit - reserve
}
