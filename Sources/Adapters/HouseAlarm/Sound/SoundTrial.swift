import Audio
import GatewayModel
import Glibc
import RealTime
import SOSLocal

/// Sound card and voice of a house, tried without an alarm: by the same output and the same voice as the alarm itself.
///
/// Blocking: a card or a voice that hangs holds up the calling thread for some seconds.
public struct SoundTrial: Sendable {
    /// Reason why nothing was heard: the observation and the remedy.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    private let settings: HouseAlarmSettings

    /// Nil where the settings switch the sound off.
    public init?(_ settings: HouseAlarmSettings) {
        if case .off = settings.sound { return nil }
        self.settings = settings
    }

    /// Place of the sound: the name of the card, or the directory of the files.
    public var place: String {
        switch settings.sound {
        case .off: "nothing"
        case .device(let name): "sound device '\(name)'"
        case .files(let directory): "files in \(directory)"
        }
    }

    public var hasVoice: Bool { settings.voice != nil }

    /// Opens the card and renders a sentence, silently.
    public func probe() throws(Failure) {
        try translating { () throws(HouseFailure) in
            _ = try render("Test")
            guard case .device(let name) = settings.sound else { return }
            let output = ALSAOutput(device: name)
            defer { output.close() }
            _ = try output.open()
        }
    }

    /// Plays a text, as loud as the last repetition of an alarm, and returns when it was heard. Without a voice it plays
    /// the tone of an alarm.
    public func say(_ text: String) throws(Failure) {
        try translating { () throws(HouseFailure) in
            let sentence = try render(text)
            let output: any SoundOutput =
                switch settings.sound {
                case .off: throw HouseFailure("the sound is off: see [house] sound")
                case .device(let name): ALSAOutput(device: name)
                case .files(let directory): WAVOutput(directory: directory)
                }
            defer { output.close() }
            let rate = try output.open()
            let amplitude = settings.loudness.maximum
            let sound =
                sentence?.resampled(to: rate).scaled(toPeak: amplitude)
                ?? AlarmTones.pcm(.low, rate: rate, amplitude: amplitude)
            output.begin("say")
            let begin = Clock.boot()
            try output.write(sound.samples[...])
            try output.end(isWhole: true)
            guard case .device = settings.sound else { return }
            // The card still plays what its buffer holds.
            let length = Duration.milliseconds(sound.samples.count * 1_000 / rate + 200)
            let rest = max(length - begin.duration(to: Clock.boot()), .zero)
            usleep(UInt32(clamping: rest.wholeMilliseconds * 1_000))
        }
    }

    /// Nil for a house without a voice.
    private func render(_ text: String) throws(HouseFailure) -> PCM? {
        guard let voice = settings.voice else { return nil }
        return try ESpeak(program: voice.program, speed: voice.speed).render(
            Utterance(text: text, language: settings.language))
    }

    private func translating(_ body: () throws(HouseFailure) -> Void) throws(Failure) {
        do throws(HouseFailure) {
            try body()
        } catch {
            throw Failure(description: error.description)
        }
    }
}
