import GatewayModel

/// What the system's wall clock shows beside the boot clock, and when somebody has stepped it.
struct SystemClockSteps: Sendable {
    /// The kernel bends both clocks alike while it slews, so their difference changes by steps alone. Below this it is
    /// the reading of the two that took its time.
    private static let least = Duration.milliseconds(5)
    /// Each is remembered for longer than any passing lasts, and a clock that is stepped all the time is one long step.
    private static let kept = 64

    /// Nanoseconds of the wall clock since 1970 minus those of the boot clock; 0 before anybody looked.
    private(set) var offset: Int64 = 0
    private var looked: BootInstant?
    /// Between two looks each; latest last.
    private var steps: [(after: BootInstant, by: BootInstant)] = []

    mutating func look(at instant: BootInstant, offset: Int64, spread: Duration) {
        defer { (self.offset, looked) = (offset, instant) }
        guard let looked else { return }
        let change = Duration.nanoseconds(Int64((offset &- self.offset).magnitude.clamped))
        guard change > Self.least + spread else { return }
        steps.append((looked, instant))
        if steps.count > Self.kept { steps.removeFirst() }
    }

    func isStepped(from first: BootInstant, to last: BootInstant) -> Bool {
        steps.contains { $0.after <= last && first <= $0.by }
    }
}

extension UInt64 {
    fileprivate var clamped: UInt64 { Swift.min(self, UInt64(Int64.max)) }
}
