import RealModule
import SeededRandom

extension SeededGenerator {
    /// Normal, by Box and Muller.
    mutating func normal(_ mean: Double = 0, _ deviation: Double) -> Double {
        let radius = (-2 * Double.log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)))
            .squareRoot()
        return mean + deviation * radius * Double.cos(2 * .pi * Double.random(in: 0..<1, using: &self))
    }

    /// Waiting time until the next of events that come at `rate` a second.
    mutating func exponential(rate: Double) -> Double {
        -Double.log(1 - Double.random(in: 0..<1, using: &self)) / rate
    }
}
