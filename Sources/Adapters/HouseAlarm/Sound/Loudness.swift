import Glibc

/// How loud an alarm is: it begins as the settings say and rises with each burst up to the maximum, so that
/// it neither frightens at once nor stays unheard.
public struct Loudness: Hashable, Sendable {
    /// Amplitudes of the loudest sample, 0 to 1.
    public let start: Double
    public let maximum: Double

    /// 3 dB a burst: clearly louder each time, and from a quarter to full in five bursts.
    static let stepInDecibels = 3.0

    /// Held within 0 to 1, and `start` to no more than `maximum`.
    public init(start: Double = 0.25, maximum: Double = 1) {
        self.maximum = min(max(maximum, 0), 1)
        self.start = min(max(start, 0), self.maximum)
    }

    /// - Parameter repetition: how many bursts there were before.
    func amplitude(repetition: Int) -> Double {
        min(start * pow(10, Self.stepInDecibels * Double(max(repetition, 0)) / 20), maximum)
    }
}
