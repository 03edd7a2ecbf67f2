import RealModule

/// The same numbers for the same seed (SplitMix64, public domain).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Normal, by Box and Muller.
    public mutating func normal(_ mean: Double = 0, _ deviation: Double) -> Double {
        let radius = (-2 * Double.log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)))
            .squareRoot()
        return mean + deviation * radius * Double.cos(2 * .pi * Double.random(in: 0..<1, using: &self))
    }

    /// Waiting time until the next of events that come at `rate` a second.
    public mutating func exponential(rate: Double) -> Double {
        -Double.log(1 - Double.random(in: 0..<1, using: &self)) / rate
    }
}
