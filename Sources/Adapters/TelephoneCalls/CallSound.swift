import Audio
import GatewayModel

/// Sound of a call, piece by piece. Pure.
struct CallSound: Hashable, Sendable {
    /// Samples per second of a telephone.
    static let rate = 8_000
    /// Between two times of the words.
    private static let pause = Duration.milliseconds(1_500)
    /// Before the first word: a person has not the telephone at the ear at once.
    private static let lead = Duration.milliseconds(600)

    private let samples: [Int16]
    private let isRepeated: Bool
    private var place = 0
    private(set) var isOver = false

    init(_ sound: PCM, isRepeated: Bool) {
        samples =
            [Int16](repeating: 0, count: Self.samples(in: Self.lead)) + sound.samples
            + [Int16](repeating: 0, count: isRepeated ? Self.samples(in: Self.pause) : 0)
        self.isRepeated = isRepeated
    }

    /// Returns the next samples: fewer at the end, none when it is over.
    mutating func next(_ count: Int) -> ArraySlice<Int16> {
        let end = min(place + count, samples.count)
        let piece = samples[place..<end]
        place = end
        if place == samples.count {
            if isRepeated { place = 0 } else { isOver = true }
        }
        return piece
    }

    private static func samples(in time: Duration) -> Int {
        Int(time / .milliseconds(1)) * rate / 1_000
    }

    /// Two tones in turn, for a call without words.
    static let attention: PCM = {
        let tone = [(440.0, 0.4), (0, 0.1), (660, 0.4), (0, 0.6)].flatMap { frequency, seconds in
            AlarmWave.samples(frequency, seconds: seconds, rate: rate)
        }
        return PCM(tone, rate: rate)
    }()
}

private enum AlarmWave {
    /// A triangle: no table and no library.
    static func samples(_ frequency: Double, seconds: Double, rate: Int) -> [Double] {
        (0..<Int(seconds * Double(rate))).map { index in
            guard frequency > 0 else { return 0 }
            let phase = (Double(index) * frequency / Double(rate)).truncatingRemainder(dividingBy: 1)
            return 0.5 * (4 * (phase - 0.5).magnitude - 1)
        }
    }
}
