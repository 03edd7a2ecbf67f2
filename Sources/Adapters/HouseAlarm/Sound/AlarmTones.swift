import Audio
import GatewayModel
import Glibc
import SOSLocal

/// The tones of an alarm, in the manner of IEC 60601-1-8, clause 6.3.3.1, tables 3 and 4.
///
/// The standard itself was not at hand. Public documentation confirms: pulses of 150 to 1000 Hz with at least
/// four harmonics between 300 and 4000 Hz, each within 15 dB of the fundamental; high priority twice 3+2
/// pulses, medium three, low one or two. The times below are within the ranges that are commonly quoted from
/// its tables (unconfirmed). No conformity is claimed: that is measured at the loudspeaker.
enum AlarmTones {
    /// Where the pulses of a burst are, and how long it rests before the next one.
    struct Burst: Hashable, Sendable {
        struct Pulse: Hashable, Sendable {
            /// From the start of the burst to where the pulse begins to rise.
            let start: Duration
            /// Of the fundamental, in Hz.
            let frequency: Double
        }

        let pulses: [Pulse]
        /// The pulse without its rise and fall. 75-200 ms at high priority, 125-250 ms else (unconfirmed).
        let length: Duration
        /// 10-40 % of the length (unconfirmed): no click.
        let rise: Duration
        /// No longer than the space to the next pulse less its rise (unconfirmed).
        let fall: Duration
        /// From the end of one burst to the start of the next: 2.5-15 s at high priority, 2.5-30 s at medium
        /// (unconfirmed). Speech goes in between, and moves the next burst only within these.
        let interval: ClosedRange<Duration>

        /// Of the whole burst, to the last sound.
        var duration: Duration { (pulses.last?.start ?? .zero) + rise + length + fall }
    }

    /// C5: in the middle of the range that an aged ear still hears well; its fifth harmonic stays below 3 kHz.
    private static let c = 523.25
    private static let e = 659.26
    /// Fundamental and harmonics by order, as amplitudes. The weakest is 20 log10(0.3) = 10.5 dB below.
    static let harmonics = [1, 0.7, 0.5, 0.4, 0.3]

    static func burst(_ priority: AlarmPriority) -> Burst {
        switch priority {
        case .high: high
        case .medium: medium
        case .low: low
        }
    }

    /// Pulses `x` apart; between the third and the fourth 2x and a pulse, so that five sound like 3+2. Near the
    /// shortest of its table (x: 50-125 ms, unconfirmed): the first five are over after 0.83 s, and a window to
    /// cancel may be no longer than 2.5 s.
    private static let high: Burst = {
        let (length, x, groups) = (
            Duration.milliseconds(80), Duration.milliseconds(60), Duration.milliseconds(400)
        )
        let step = length + x
        let five = [.zero, step, step * 2, step * 4, step * 5]
        let second = step * 5 + length + groups
        return Burst(
            pulses: (five + five.map { $0 + second }).map { Burst.Pulse(start: $0, frequency: c) },
            length: length, rise: .milliseconds(20), fall: .milliseconds(30),
            interval: .seconds(5) ... .seconds(15))
    }()

    /// The first five pulses of the highest priority alone, at the beginning of an alarm: the instruction is
    /// spoken while there is still time to act. From the next burst on there are ten.
    static let opening = Burst(
        pulses: Array(high.pulses.prefix(5)), length: high.length, rise: high.rise, fall: high.fall,
        interval: high.interval)

    private static let medium = Burst(
        pulses: (0..<3).map { Burst.Pulse(start: .milliseconds(400) * $0, frequency: c) },
        length: .milliseconds(200), rise: .milliseconds(40), fall: .milliseconds(80),
        interval: .seconds(10) ... .seconds(30))

    /// Falling: nothing that asks to hurry. Not repeated by itself.
    private static let low = Burst(
        pulses: [
            Burst.Pulse(start: .zero, frequency: e), Burst.Pulse(start: .milliseconds(400), frequency: c),
        ],
        length: .milliseconds(200), rise: .milliseconds(40), fall: .milliseconds(80),
        interval: .seconds(20) ... .seconds(60))

    /// - Parameter amplitude: the peak, 0 to 1.
    static func pcm(_ priority: AlarmPriority, rate: Int, amplitude: Double) -> PCM {
        pcm(burst(priority), rate: rate, amplitude: amplitude)
    }

    /// - Parameter amplitude: the peak, 0 to 1.
    static func pcm(_ burst: Burst, rate: Int, amplitude: Double) -> PCM {
        var values = [Double](repeating: 0, count: Int(burst.duration.inSeconds * Double(rate)) + 1)
        var shapes: [Double: [Double]] = [:]
        for pulse in burst.pulses {
            let shape = shapes[pulse.frequency] ?? shape(of: burst, pulse.frequency, rate: rate)
            shapes[pulse.frequency] = shape
            let first = Int(pulse.start.inSeconds * Double(rate))
            let end = min(first + shape.count, values.count)
            values.replaceSubrange(first..<end, with: shape.prefix(end - first))
        }
        let peak = shapes.values.joined().map(\.magnitude).max() ?? 1
        let scale = min(max(amplitude, 0), 1) / peak
        return PCM(values.map { $0 * scale }, rate: rate)
    }

    /// One pulse, from its rise to the end of its fall.
    private static func shape(of burst: Burst, _ frequency: Double, rate: Int) -> [Double] {
        let length = (burst.rise + burst.length + burst.fall).inSeconds
        return (0..<Int(length * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            return envelope(at: time, of: burst) * wave(at: time, frequency)
        }
    }

    private static func wave(at time: Double, _ frequency: Double) -> Double {
        harmonics.enumerated().reduce(0) { sum, harmonic in
            sum + harmonic.element * sin(2 * .pi * frequency * Double(harmonic.offset + 1) * time)
        }
    }

    /// Raised cosines at both ends.
    private static func envelope(at time: Double, of burst: Burst) -> Double {
        let (rise, fall) = (burst.rise.inSeconds, burst.fall.inSeconds)
        let end = rise + burst.length.inSeconds
        if time < rise { return (1 - cos(.pi * time / rise)) / 2 }
        if time < end { return 1 }
        return max((1 + cos(.pi * min((time - end) / fall, 1))) / 2, 0)
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}

/// How loud an alarm is: it begins as the settings say and rises with each burst up to the maximum, so that
/// it neither frightens at once nor stays unheard.
public struct Loudness: Hashable, Sendable {
    /// Amplitudes of the loudest sample, 0 to 1.
    public let start: Double
    public let maximum: Double

    /// 3 dB a burst: clearly louder each time, and from a quarter to full in five bursts.
    private static let stepInDecibels = 3.0

    /// Held within 0 to 1, and `start` to no more than `maximum`.
    public init(start: Double, maximum: Double) {
        self.maximum = min(max(maximum, 0), 1)
        self.start = min(max(start, 0), self.maximum)
    }

    /// - Parameter repetition: how many bursts there were before.
    func amplitude(repetition: Int) -> Double {
        min(start * pow(10, Self.stepInDecibels * Double(max(repetition, 0)) / 20), maximum)
    }
}
