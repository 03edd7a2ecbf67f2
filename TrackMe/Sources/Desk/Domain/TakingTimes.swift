/// Times from the arrival of a call at the server to its first taking: the figure by which services of emergency calls are
/// measured (TSA Quality Standards Framework: 97.5 % within 60 s, 99 % within 180 s).
///
/// Rehearsals are not counted, nor calls that the house ended within 180 s before somebody took them.
public struct TakingTimes: Hashable, Sendable {
    /// Seconds.
    public static let (soon, late): (Int64, Int64) = (60, 180)
    /// Days of calls that the desk shows.
    public static let days: Int64 = 30

    public let calls, withinMinute, withinThree: Int

    public init(calls: Int, withinMinute: Int, withinThree: Int) {
        (self.calls, self.withinMinute, self.withinThree) = (calls, withinMinute, withinThree)
    }

    /// Whole per cent, rounded down: a share is not shown as reached before it is.
    public static func percent(_ part: Int, of all: Int) -> Int { all == 0 ? 0 : part * 100 / all }
}
