/// The promise in figures.
public enum Promise {
    /// T2: the call is handed over to the first channel that lives no later than this after the crossing.
    public static let dispatchLimit = Duration.seconds(5)
    /// T1: the alarm is raised no later than this after the confirmation.
    public static let alarmLimit = Duration.milliseconds(250)
    /// Kept free between the planned dispatch and the limit for what the plan cannot see: a late
    /// thread (measured overshoot without real-time priority is tens of milliseconds), encoding, the
    /// hand-over to the broker. Ten times the worst overshoot budget of 20 ms and more.
    public static let reserve = Duration.milliseconds(500)
    /// When a second channel is told of an emergency, counted from the crossing, unless a machine has acknowledged
    /// by then: in the middle of the reserve, so that the second has as long as the first had.
    public static let secondChannelAfter = dispatchLimit - reserve / 2
    /// How long after the first order the house is told that help is not reached, where no machine has
    /// acknowledged the call: a working channel needs less, and a person in the room has to know soon.
    public static let reportLimit = Duration.seconds(2)
    /// T3: when an early notice leaves at the latest, counted from the crossing.
    public static let noticeAfter = dispatchLimit - reserve
}
