public import GatewayModel

/// A text to speak.
public struct Utterance: Hashable, Sendable {
    /// Personal: it names people and says how they are.
    public let text: String
    public let language: PersonProfile.Language

    public init(text: String, language: PersonProfile.Language) {
        self.text = text
        self.language = language
    }
}

/// Makes sound of a text. Used on a thread of its own, which it may hold up for a bounded time.
public protocol Voice: Sendable {
    func render(_ utterance: Utterance) throws(DeviceFailure) -> PCM
}

/// espeak-ng as a child process for each utterance.
///
/// Not the library: a fault or a hang in it must not be one of the process that watches over a person, its
/// state is global and its licence is the GPL, version 3. A child costs some tens of milliseconds, while the
/// tone already sounds. The text goes through a socket: the list of processes does not show it.
public struct ESpeak: Voice {
    private let program: String
    /// Words per minute.
    private let speed: Int

    /// Range of espeak-ng (espeak-ng(1), -s).
    private static let speeds = 80...450
    /// A long phrase takes a Raspberry Pi some tenths of a second.
    private static let patience = Duration.seconds(5)
    /// A minute of sound; more is no phrase of ours.
    private static let bound = 60 * 22_050 * 2

    public init(program: String = "espeak-ng", speed: Int) {
        self.program = program
        self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
    }

    public func render(_ utterance: Utterance) throws(DeviceFailure) -> PCM {
        // -b 1: the text is UTF-8. -z: no silence at the end.
        let arguments = [
            "--stdin", "--stdout", "-b", "1", "-z", "-s", String(speed), "-v", utterance.language.espeakVoice,
        ]
        let output = try ChildProcess.run(
            program, arguments, input: Array(utterance.text.utf8), bound: Self.bound, patience: Self.patience)
        guard let sound = WaveFile.read(output), !sound.samples.isEmpty else {
            throw DeviceFailure(
                "\(program) gave \(output.count) bytes and no sound for the voice "
                    + "'\(utterance.language.espeakVoice)'; install espeak-ng and espeak-ng-data, and try: "
                    + "\(program) -v \(utterance.language.espeakVoice) hello")
        }
        return sound.scaled(toPeak: 1)
    }
}

extension PersonProfile.Language {
    fileprivate var espeakVoice: String {
        switch self {
        case .english: "en-gb"
        case .italian: "it"
        }
    }
}
