import Foundation
import GatewayModel
import Testing

@testable import Audio
@testable import HouseAlarm
@testable import SOSLocal

@Suite struct `The tones of an alarm` {
    /// The power of one frequency in some samples, by Goertzel's algorithm, as the square of an amplitude.
    private static func power(_ samples: ArraySlice<Int16>, _ frequency: Double, rate: Int) -> Double {
        let coefficient = 2 * cos(2 * .pi * frequency / Double(rate))
        var (one, two) = (0.0, 0.0)
        for sample in samples { (one, two) = (Double(sample) / 32_767 + coefficient * one - two, one) }
        let square = one * one + two * two - coefficient * one * two
        return square * 4 / Double(samples.count * samples.count)
    }

    /// Where sound begins and ends, in seconds: louder than a twentieth of the peak within 5 ms.
    private static func pulses(_ pcm: PCM) -> [Range<Double>] {
        let window = pcm.rate / 200
        let threshold = Int(pcm.peak * 32_767 / 20)
        var pulses: [Range<Double>] = []
        var start: Double?
        for place in stride(from: 0, through: pcm.samples.count, by: window) {
            let part = pcm.samples[place..<min(place + window, pcm.samples.count)]
            let isLoud = part.contains { $0.magnitude > threshold }
            let time = Double(place) / Double(pcm.rate)
            if isLoud, start == nil { start = time }
            if !isLoud, let began = start {
                pulses.append(began..<time)
                start = nil
            }
        }
        if let start { pulses.append(start..<Double(pcm.samples.count) / Double(pcm.rate)) }
        return pulses
    }

    @Test(arguments: [22_050, 44_100, 48_000])
    func `has as many pulses as the priority asks for`(rate: Int) throws {
        let counts = AlarmPriority.allCases.map {
            Self.pulses(AlarmTones.pcm($0, rate: rate, amplitude: 0.8)).count
        }
        #expect(counts == [2, 3, 10])
    }

    @Test func `opens with the first five pulses of the high burst, in less than a second`() {
        let five = Self.pulses(AlarmTones.pcm(AlarmTones.opening, rate: 48_000, amplitude: 1))
        let ten = Self.pulses(AlarmTones.pcm(.high, rate: 48_000, amplitude: 1))
        #expect(five == Array(ten.prefix(5)))
        #expect(AlarmTones.opening.duration < .milliseconds(850))
    }

    @Test func `groups the high burst three and two, twice`() {
        let pulses = Self.pulses(AlarmTones.pcm(.high, rate: 48_000, amplitude: 1))
        let gaps = zip(pulses, pulses.dropFirst()).map { $1.lowerBound - $0.upperBound }
        #expect(gaps.count == 9)
        // Short, short, long, short, longest, and so again.
        let short = [0, 1, 3, 5, 6, 8].map { gaps[$0] }
        #expect(short.allSatisfy { $0 < 0.125 })
        #expect([gaps[2], gaps[7]].allSatisfy { $0 > 2 * (short.max() ?? 1) })
        #expect(gaps[4] >= gaps[2])
    }

    @Test(arguments: AlarmPriority.allCases, [22_050, 44_100, 48_000])
    func `lasts as long as it says and does not clip`(priority: AlarmPriority, rate: Int) {
        let pcm = AlarmTones.pcm(priority, rate: rate, amplitude: 1)
        let planned = AlarmTones.burst(priority).duration
        #expect(pcm.rate == rate)
        #expect((pcm.duration - planned).magnitude.wholeNanoseconds < 1_000_000)
        #expect(pcm.peak > 0.99 && pcm.peak <= 1)
        // A clipped wave stays at the top for several samples.
        let atTop = zip(pcm.samples, pcm.samples.dropFirst()).count {
            $0.magnitude >= 32_767 && $1.magnitude >= 32_767
        }
        #expect(atTop <= 1)
        // No click at either end.
        #expect(abs(Int(pcm.samples[0])) < 300 && abs(Int(pcm.samples[pcm.samples.count - 1])) < 300)
    }

    @Test(arguments: [22_050, 44_100, 48_000])
    func `sounds at its frequency with four harmonics within 15 dB`(rate: Int) {
        let pcm = AlarmTones.pcm(.high, rate: rate, amplitude: 1)
        let pulse = pcm.samples[rate * 25 / 1_000..<rate * 135 / 1_000]
        let fundamental = Self.power(pulse, 523.25, rate: rate)
        let harmonics = (2...5).map {
            10 * log10(Self.power(pulse, 523.25 * Double($0), rate: rate) / fundamental)
        }
        #expect(harmonics.allSatisfy { (-15...15).contains($0) }, "\(harmonics)")
        for beside in [440.0, 620, 700, 900, 1_200] {
            #expect(Self.power(pulse, beside, rate: rate) < fundamental / 100)
        }
    }

    @Test func `is as loud as asked`() {
        func rms(_ pcm: PCM) -> Double {
            (pcm.samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(pcm.samples.count)).squareRoot()
        }
        let full = rms(AlarmTones.pcm(.high, rate: 22_050, amplitude: 1))
        #expect(full > 2_000)
        #expect(abs(rms(AlarmTones.pcm(.high, rate: 22_050, amplitude: 0.25)) / full - 0.25) < 0.001)
        #expect(AlarmTones.pcm(.low, rate: 22_050, amplitude: 0).peak == 0)
    }

    @Test func `gets louder with each burst, up to the maximum`() {
        let loudness = Loudness(start: 0.25, maximum: 0.9)
        let amplitudes = (0..<8).map { loudness.amplitude(repetition: $0) }
        #expect(amplitudes[0] == 0.25 && amplitudes[7] == 0.9)
        #expect(zip(amplitudes, amplitudes.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(amplitudes[1] > 0.35 && amplitudes[1] < 0.36)
        #expect(Loudness(start: 7, maximum: -1).amplitude(repetition: 3) == 0)
        #expect(Loudness(start: 0, maximum: 1).amplitude(repetition: 100) == 0)
    }

    @Test func `keeps a voice as it is at another rate`() {
        let tone = PCM((0..<22_050).map { sin(2 * .pi * 500 * Double($0) / 22_050) / 2 }, rate: 22_050)
        let higher = tone.resampled(to: 48_000)
        #expect(higher.samples.count == 48_000 && higher.rate == 48_000)
        #expect(abs(Self.power(higher.samples[...], 500, rate: 48_000) - 0.25) < 0.01)
        #expect(abs(tone.scaled(toPeak: 1).peak - 1) < 0.001)
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
