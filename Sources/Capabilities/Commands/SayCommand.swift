import Alarms
import ArgumentParser
import ControlContract
import HouseAlarm
import Hub
import Settings

/// `homegateway say`
struct SayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say",
        abstract: "Say one sentence in the house, by the sound card and the voice of the alarm.",
        discussion: """
            It is as loud as the last repetition of an alarm. The running gateway is
            not asked: an alarm that sounds meanwhile goes on.

            Exit code: 0 the sentence was played; 69 the card or the voice does not work.
            """)

    @Argument(help: ArgumentHelp("The sentence, in the language of [house].", valueName: "text"))
    var text: String

    @OptionGroup var file: SettingsOption
    @OptionGroup var eyes: RunAsUserOption

    /// The longest sentence: half a minute of talk.
    private static let longest = 300
    /// Above the limits of the voice and the card, and the length of the longest sentence.
    private static let limit = Duration.seconds(60)

    func validate() throws {
        guard (1...Self.longest).contains(text.count) else {
            throw ValidationError("expected a sentence of 1 to \(Self.longest) characters")
        }
    }

    func run() async throws {
        try eyes.open(for: file.config)
        let settings = try file.load()
        guard let trial = SoundTrial(HouseAlarmSettings(settings.house)) else {
            SettingsOption.complain(
                "nothing can be heard: the settings switch the sound off. Write sound = true in [house]")
            throw ExitCode.unavailable
        }
        let finding = await Probe.limited(Self.limit) {
            do throws(SoundTrial.Failure) {
                try trial.say(text)
                return .well("played by \(trial.place)")
            } catch {
                return .problem(error.description)
            }
        }
        guard finding.isWell else {
            SettingsOption.complain(finding.text)
            throw ExitCode.unavailable
        }
        Shown.line(finding.text)
        if !trial.hasVoice {
            SettingsOption.complain("a tone without words was played: voice = false in [house]")
        }
    }
}
