import Glibc

/// One channel of sound, 16 bits a sample.
public struct PCM: Hashable, Sendable {
    public var samples: [Int16]
    /// Samples per second, above 0.
    public let rate: Int

    /// Made from values between -1 and 1; values outside are clipped.
    public init(_ values: [Double], rate: Int) {
        self.init(
            samples: values.map { Int16((min(max($0, -1), 1) * Double(Int16.max)).rounded()) }, rate: rate)
    }

    public init(samples: [Int16], rate: Int) {
        self.samples = samples
        self.rate = max(rate, 1)
    }

    public var duration: Duration { .nanoseconds(Int64(samples.count) * 1_000_000_000 / Int64(rate)) }

    /// Between 0 and 1.
    public var peak: Double { Double(samples.map(\.magnitude).max() ?? 0) / Double(Int16.max) }

    /// As loud as `peak` allows; silence stays silence.
    public func scaled(toPeak peak: Double) -> PCM {
        let own = self.peak
        guard own > 0 else { return self }
        return PCM(samples.map { Double($0) / Double(Int16.max) * peak / own }, rate: rate)
    }

    /// By straight lines between the samples: for a voice: its band ends far below half of either rate.
    public func resampled(to rate: Int) -> PCM {
        guard rate != self.rate, rate > 0, samples.count > 1 else { return self }
        let count = samples.count * rate / self.rate
        let step = Double(self.rate) / Double(rate)
        let resampled = (0..<count).map { index -> Int16 in
            let place = Double(index) * step
            let left = min(Int(place), samples.count - 1)
            let right = min(left + 1, samples.count - 1)
            let part = place - Double(left)
            return Int16((Double(samples[left]) * (1 - part) + Double(samples[right]) * part).rounded())
        }
        return PCM(samples: resampled, rate: rate)
    }

    /// For a telephone: without the frequencies above 3.4 kHz, which would come back as noise at the lower rate, and a
    /// little below full scale.
    public func forTelephone(rate: Int) -> PCM {
        lowPassed(below: 3_400).resampled(to: rate).scaled(toPeak: 0.8)
    }

    /// A windowed-sinc filter of 63 taps.
    private func lowPassed(below cutoff: Double) -> PCM {
        let half = 31
        let ratio = 2 * cutoff / Double(rate)
        guard ratio < 1 else { return self }
        var taps = (-half...half).map { index -> Double in
            let angle = Double.pi * Double(index)
            let sinc = index == 0 ? ratio : sin(ratio * angle) / angle
            return sinc * (0.54 + 0.46 * cos(angle / Double(half)))
        }
        let sum = taps.reduce(0, +)
        taps = taps.map { $0 / sum }
        let values = samples.map { Double($0) / Double(Int16.max) }
        return PCM(
            values.indices.map { place in
                let first = max(place - half, 0)
                let last = min(place + half, values.count - 1)
                var value = 0.0
                for index in first...last { value += values[index] * taps[index - place + half] }
                return value
            }, rate: rate)
    }
}
